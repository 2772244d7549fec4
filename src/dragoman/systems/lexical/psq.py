"""Probabilistic structured queries: BM25 on the counts that a translation table expects.

Darwish & Oard 2003, turned round: documents are mapped into the pivot language once, when they are
indexed. Each word f of a document gives its count to the pivot words e that it may stand for,
tf(e, d) = sum over f of tf(f, d) p(e | f), and BM25 saturates the expected count. A dimension is a
pair (language of the documents, word), so idf is the language's own and sits on the query's side.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Self

from dragoman.scores.bm25 import saturate
from dragoman.scores.impacts import SparseVector
from dragoman.systems.lexical.analysis import Word
from dragoman.systems.lexical.collected import Collected
from dragoman.systems.lexical.config import LexicalConfig
from dragoman.systems.lexical.expected import LEAST, expected
from dragoman.systems.lexical.explanation import Term
from dragoman.systems.lexical.pivoting import Meanings, PivotMapper
from dragoman.systems.lexical.postings import ABSENT, Namespace
from dragoman.systems.lexical.spaces import Assembly, norm_of, saturated
from dragoman.systems.lexical.system import LexicalSystem
from dragoman.systems.lexical.tables import PIVOT, Tables

# A translation's weight is this power of its probability. A sum of impacts that were saturated one
# by one undervalues a word whose probability is spread over several translations in a document.
SPREAD = 0.5

RESEMBLANCE = 0.8  # how far a word that only sounds like the query's is trusted


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
        own = self.postings.own(searched)
        if own is None:
            return []
        if language == searched:
            return _own_terms(own, words)
        space = own if searched == PIVOT else self.postings.pivot(searched)
        assert space is not None, "every language but the pivot has both namespaces"
        terms = []
        for word in words:
            meanings = self._meanings(word, language)
            terms += _terms(space, word, meanings)
            if not self._mapper.knows(word.term, language, searched):
                terms += _terms(own, word, self._resembling(word, searched))
        return terms

    def _meanings(self, word: Word, language: str) -> Meanings:
        return {word.term: 1.0} if language == PIVOT else self._mapper.pivots(word.term, language)

    def _resembling(self, word: Word, searched: str) -> Meanings:
        """Words of the documents that may be the same name."""
        near = self.postings.names[searched].nearest(word.term)
        return {other: RESEMBLANCE * resemblance for other, resemblance in near}

    def document_terms(self, words: Sequence[Word], language: str) -> list[Term]:
        """Every word counts once for itself, and by its probabilities for pivot words."""
        known = self._known[language]
        terms = []
        for word, surface in words:
            if word not in known:
                known[word] = self._dimensions(word, language)
            terms += [Term(surface, dimension, p, p) for dimension, p in known[word]]
        return terms

    @cached_property
    def _known(self) -> defaultdict[str, dict[str, list[tuple[int, float]]]]:
        """By language and word: its dimensions, worked out once."""
        return defaultdict(dict)

    def _dimensions(self, word: str, language: str) -> list[tuple[int, float]]:
        """The dimensions of a document's word, its own first, with their probabilities."""
        own, pivot = self.postings.own(language), self.postings.pivot(language)
        found = [(own.find(word), 1.0)] if own is not None else []
        if pivot is not None:
            meanings = self._mapper.pivots(word, language).items()
            found += [(pivot.find(meaning), probability) for meaning, probability in meanings]
        return [pair for pair in found if pair[0] != ABSENT]

    def indexed(self, counts: SparseVector) -> SparseVector:
        """The counts that are worth a posting."""
        worth = counts.weights >= LEAST
        return SparseVector(counts.dimensions[worth], counts.weights[worth])

    def impacts(self, counts: SparseVector, length: int, language: str) -> SparseVector:
        """BM25's saturated counts."""
        space = self.postings.own(language)
        if space is None:
            return counts
        norm = norm_of(space, length, self.config.bm25)
        return counts._replace(weights=saturate(counts.weights, norm))


def _own_terms(space: Namespace, words: Sequence[Word]) -> list[Term]:
    """The words themselves, each with its idf."""
    found = [(surface, space.find(term)) for term, surface in words]
    return [Term(surface, d, 1.0, space.idf_at(d)) for surface, d in found if d != ABSENT]


def _terms(space: Namespace, word: Word, meanings: Meanings) -> list[Term]:
    """The meanings that the documents know, all with the idf of their common frequency.

    The frequency of a set of synonyms is at most the sum of theirs (Pirkola 1998).
    """
    known = []
    together = 0.0
    for meaning, probability in meanings.items():
        dimension = space.find(meaning)
        if dimension != ABSENT and (frequency := space.frequency_at(dimension)) > 0:
            known.append((dimension, probability))
            together += frequency
    if not known:
        return []
    idf = space.idf_of(min(together, space.documents))
    return [Term(word.surface, d, p, p**SPREAD * idf) for d, p in known]


def without_table(language: str) -> str:
    """What to know of documents in a language that has no table."""
    return (
        f"no translation table for {language or 'an unnamed language'}: other languages find its"
        " documents by names, numbers and cognates only. Learn one (dragoman learn lexicon) and"
        " give it with --lexicon."
    )
