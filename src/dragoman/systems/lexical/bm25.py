"""BM25 on the documents' own words; the query is translated word by word into each language.

With ``translate=False`` words meet in their own form only: the baseline of cross-lingual search.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.lexicons.word_translation import WordTranslator
from dragoman.scores.bm25 import inverse_document_frequency
from dragoman.systems.lexical.dimensions import Side, dimension
from dragoman.systems.lexical.expected_counts import Pairs
from dragoman.systems.lexical.system import LexicalSystem, QueryTerms
from dragoman.types import FloatArray

NO_TERMS = QueryTerms(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0))


class OwnWords:
    """The words of documents in one language, with their document frequencies."""

    def __init__(self, postings: SnapshotPostings, language: str) -> None:
        self.language, self._postings = language, postings

    def frequency(self, word: str) -> float:
        """How many documents have ``word``."""
        wanted = np.array([dimension(self.language, Side.OWN, word)], np.int64)
        return float(self._postings.locate(wanted).frequencies[0])


class Bm25(LexicalSystem):
    """Robertson's BM25; every language of the documents has words of its own."""

    name: ClassVar[str] = "bm25"
    space: ClassVar[str] = "own"

    @cached_property
    def _translator(self) -> WordTranslator:
        return WordTranslator(self.tables)

    def dimensions_of(self, language: str) -> Callable[[str], Pairs]:
        """A word counts for itself."""
        return lambda word: [(dimension(language, Side.OWN, word), 1.0)]

    def expand(
        self,
        postings: SnapshotPostings,
        words: Sequence[str],
        language: str,
        searched: Sequence[str],
    ) -> QueryTerms:
        """In each language, one term per word whose translation the documents have."""
        lists = [self.translated(postings, words, language, code) for code in searched]
        columns = zip(*(one[:4] for one in [NO_TERMS, *lists]), strict=True)
        positions, dimensions, probabilities, weights = map(np.concatenate, columns)
        return QueryTerms(positions, dimensions, probabilities, weights)

    def translated(
        self, postings: SnapshotPostings, words: Sequence[str], language: str, searched: str
    ) -> QueryTerms:
        """One term per word whose translation the documents in one language have."""
        own = OwnWords(postings, searched)
        translations = [self._translator.translate(word, language, own) for word in words]
        wanted = [dimension(searched, Side.OWN, word) for word in translations]
        dimensions, inverse = np.unique(np.array(wanted, np.int64), return_inverse=True)
        frequencies = postings.locate(dimensions).frequencies[inverse]
        met = np.flatnonzero(frequencies)
        documents = postings.snapshot.languages.get(searched, 0)
        weights = self.word_weights(frequencies[met].astype(np.float64), documents)
        return QueryTerms(met, dimensions[inverse[met]], np.ones(len(met)), weights)

    def word_weights(self, frequencies: FloatArray, documents: FloatArray | float) -> FloatArray:
        """What words weigh, by the number of documents that have them, of so many."""
        return inverse_document_frequency(frequencies, documents)
