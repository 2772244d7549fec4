"""Probabilistic structured queries: BM25 on the counts that a translation table expects.

Darwish & Oard 2003, turned round: documents are mapped into the pivot language once, when they are
indexed. Each word f of a document gives its count to the pivot words e that it may stand for,
tf(e, d) = sum over f of tf(f, d) p(e | f), and BM25 saturates the expected count. A dimension is a
pair (language of the documents, word), so idf is the language's own and sits on the query's side.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cache, cached_property
from typing import ClassVar, Self

from dragoman.lexicons.reading import Word
from dragoman.lexicons.tables import PIVOT, Tables
from dragoman.scores.bm25 import saturate
from dragoman.scores.impacts import SparseVector
from dragoman.systems.lexical.asking import Asking
from dragoman.systems.lexical.collected import Collected
from dragoman.systems.lexical.config import LexicalConfig
from dragoman.systems.lexical.expected import LEAST, expected
from dragoman.systems.lexical.explanation import Term, as_vector
from dragoman.systems.lexical.pivoting import PivotMapper
from dragoman.systems.lexical.postings import ABSENT
from dragoman.systems.lexical.spaces import Assembly, norms_of, saturated
from dragoman.systems.lexical.system import LexicalSystem
from dragoman.types import Text


class Psq(LexicalSystem):
    """Questions in any language to documents in any language, through the pivot."""

    name: ClassVar[str] = "psq"

    @classmethod
    def over(cls, collected: Collected, config: LexicalConfig, tables: Tables) -> Self:
        """The system over counted documents."""
        mapper = PivotMapper(tables)
        assembly = Assembly(collected)
        notices = []
        for part in collected.parts:
            assembly.add_own(part, saturated(part.rows, part, config.bm25))
        for part in collected.parts:
            if part.language == PIVOT:
                continue
            found = expected(part, mapper)
            rows = saturated(found.rows, part, config.bm25)
            assembly.add_pivot(part, found.words, found.frequencies, rows)
            if config.translate and not tables.has(part.language):
                notices.append(without_table(part.language))
        return cls(config, tables, assembly.postings(with_names=True), notices)

    @cached_property
    def _mapper(self) -> PivotMapper:
        return PivotMapper(self.tables)

    def query_terms(self, words: Sequence[Word], language: str, searched: str) -> list[Term]:
        """The documents' own words for a query in their language, else pivot words."""
        asking = self._asking(language, searched)
        return [Term(surface, *asked) for term, surface in words for asked in asking[term]]

    def query_vector(self, text: Text, languages: Collection[str] | None = None) -> SparseVector:
        """The query as weights of dimensions: the sums of ``query_terms``, without making them."""
        words = self.reader(text.body, text.language)
        sums: dict[int, float] = {}
        for code in self.postings.chosen(languages):
            asking = self._asking(text.language, code)
            for word in words:
                for dimension, _, weight in asking[word]:
                    sums[dimension] = sums.get(dimension, 0.0) + weight
        return as_vector(sums)

    def _asking(self, language: str, searched: str) -> Asking:
        """What words of one language ask for; counts that may change are not remembered."""
        found = self._askings.get((language, searched))
        if found is None:
            found = Asking(self.postings, self._mapper, language, searched)
            if not self.postings.changes:
                self._askings[language, searched] = found
        return found

    @cached_property
    def _askings(self) -> dict[tuple[str, str], Asking]:
        return {}

    def document_terms(self, words: Sequence[Word], language: str) -> list[Term]:
        """Every word counts once for itself, and by its probabilities for pivot words."""
        find = cache(self.dimensions_in(language))
        return [
            Term(surface, dimension, p, p) for word, surface in words for dimension, p in find(word)
        ]

    def dimensions_in(self, language: str) -> Callable[[str], list[tuple[int, float]]]:
        """What finds the dimensions of a document's word, its own first, with probabilities."""
        own, pivot = self.postings.own(language), self.postings.pivot(language)
        meanings = self._mapper.meanings(language)

        def find(word: str) -> list[tuple[int, float]]:
            found = [(own.find(word), 1.0)] if own is not None else []
            if pivot is not None:
                found += [(pivot.find(meaning), p) for meaning, p in meanings[word].items()]
            return [pair for pair in found if pair[0] != ABSENT]

        return find

    def indexed(self, counts: SparseVector) -> SparseVector:
        """The counts that are worth a posting."""
        worth = counts.weights >= LEAST
        return SparseVector(counts.dimensions[worth], counts.weights[worth])

    def impacts(self, counts: SparseVector, length: int, language: str) -> SparseVector:
        """BM25's saturated counts."""
        space = self.postings.own(language)
        if space is None:
            return counts
        norm = norms_of(space, [length], self.config.bm25)
        return counts._replace(weights=saturate(counts.weights, norm))


def without_table(language: str) -> str:
    """What to know of documents and questions in a language that has no table."""
    return (
        f"no translation table for {language or 'an unnamed language'}: it meets other languages by"
        " names, numbers and cognates only. Learn one (dragoman learn lexicon) and give it with"
        " --lexicon."
    )
