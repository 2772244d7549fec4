"""BM25 on the documents' own words; the query is translated word by word into each language.

With ``translate=False`` words meet in their own form only: the baseline of cross-lingual search.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Self

from dragoman.lexicons.candidates import WordTranslator
from dragoman.lexicons.reading import Word
from dragoman.lexicons.tables import Tables
from dragoman.scores.bm25 import saturate
from dragoman.scores.impacts import SparseVector
from dragoman.systems.lexical.collected import Collected
from dragoman.systems.lexical.config import LexicalConfig
from dragoman.systems.lexical.explanation import Term
from dragoman.systems.lexical.postings import ABSENT
from dragoman.systems.lexical.spaces import Assembly, norms_of, saturated
from dragoman.systems.lexical.system import LexicalSystem


class Bm25(LexicalSystem):
    """Robertson's BM25; one namespace of words for every language of the documents."""

    name: ClassVar[str] = "bm25"

    @classmethod
    def over(cls, collected: Collected, config: LexicalConfig, tables: Tables) -> Self:
        """The system over counted documents."""
        assembly = Assembly(collected)
        for part in collected.parts:
            assembly.add_own(part, saturated(part.rows, part, config.bm25))
        return cls(config, tables, assembly.postings())

    @cached_property
    def _translator(self) -> WordTranslator:
        return WordTranslator(self.tables)

    def query_terms(self, words: Sequence[Word], language: str, searched: str) -> list[Term]:
        """One term per word whose translation the documents know, weighted by its idf."""
        space = self.fixed.own(searched)
        if space is None:
            return []
        terms = []
        for word in words:
            dimension = space.find(self._translator.translate(word.term, language, space))
            if dimension != ABSENT:
                terms.append(Term(word.surface, dimension, 1.0, space.idf_at(dimension)))
        return terms

    def impacts(self, counts: SparseVector, length: int, language: str) -> SparseVector:
        """BM25's saturated counts."""
        space = self.fixed.own(language)
        if space is None:
            return counts
        norm = norms_of(space, [length], self.config.bm25)
        return counts._replace(weights=saturate(counts.weights, norm))
