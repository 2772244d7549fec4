"""Word MaxSim: how near the nearest word of a document is to each word of a query.

MaxSim(q, d) = sum over the words w of q of idf(w) max over v in d of sim(w, v), as in late
interaction (Khattab & Zaharia 2020), with vectors of single words instead of tokens in context. Two
words are as similar as their nearest translations in the pivot, of which the package ships the
neighbours; so nothing is stored for a document beyond the postings of psq, and a pair of words that
are no neighbours counts nothing.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.lexicons.translation_tables import PIVOT
from dragoman.lexicons.word_neighbours import shipped_neighbours
from dragoman.scores.bm25 import inverse_document_frequency
from dragoman.systems.lexical.dimensions import Side, word_dimensions
from dragoman.systems.lexical.pivoting import PivotMapper
from dragoman.systems.lexical.query_expansion import CACHED_WORDS
from dragoman.types import FloatArray, IntArray

UNKNOWN = -1  # a dimension is 32 bits of a hash


class SimilarDimensions(NamedTuple):
    """The dimensions of words that are similar to one word, the most similar first."""

    dimensions: IntArray
    similarities: FloatArray
    direct: NDArray[np.bool_]  # whether it is the word itself, or a translation


class SimilarWords(dict[str, SimilarDimensions]):
    """Words of queries in one language -> similar words in documents of another."""

    def __init__(self, mapper: PivotMapper, language: str, searched: str) -> None:
        super().__init__()
        self._meanings = None if language == PIVOT else mapper.meanings(language)
        self._own = word_dimensions(searched, Side.OWN) if language == searched else None
        side = Side.OWN if searched == PIVOT else Side.PIVOT
        self._dimensions = word_dimensions(searched, side)
        self._listed = listed_dimensions(searched, side)

    def __missing__(self, word: str) -> SimilarDimensions:
        if len(self) >= CACHED_WORDS:
            self.clear()
        similar = self[word] = self._similar(word)
        return similar

    def _similar(self, word: str) -> SimilarDimensions:
        meanings = [word] if self._meanings is None else [*self._meanings[word]]
        equal = [self._dimensions[meaning] for meaning in meanings]
        direct = len(equal)
        if self._own is not None:
            equal, direct = [self._own[word], *equal], 1
        numbers, similarities = shipped_neighbours().similar_to_any(meanings)
        dimensions = np.concatenate([np.array(equal, np.int64), self._listed.of(numbers)])
        similarities = np.concatenate([np.ones(len(equal)), similarities])
        chosen = np.unique(dimensions, return_index=True)[1]  # the most similar of equal ones
        chosen.sort()
        return SimilarDimensions(dimensions[chosen], similarities[chosen], chosen < direct)


class ListedDimensions:
    """Numbers of words that have neighbours -> their dimensions, hashed when first asked for."""

    def __init__(self, language: str, side: Side) -> None:
        self._words = shipped_neighbours().words
        self._hashed = word_dimensions(language, side)
        self._dimensions = np.full(len(self._words), UNKNOWN, np.int64)

    def of(self, numbers: IntArray) -> IntArray:
        """The dimension of each word."""
        unknown = numbers[self._dimensions[numbers] == UNKNOWN]
        for number in unknown.tolist():
            self._dimensions[number] = self._hashed[self._words[number]]
        return self._dimensions[numbers]


@cache
def listed_dimensions(language: str, side: Side) -> ListedDimensions:
    """The dimensions of listed words in documents of ``language``."""
    return ListedDimensions(language, side)


def maxsim(
    postings: SnapshotPostings,
    sets: Sequence[tuple[str, SimilarDimensions]],
    numbers: IntArray,
) -> FloatArray:
    """MaxSim of documents, by their numbers; each set is a word's for documents in one language.

    A word's idf is that of psq: of the documents that have it, or one of its translations.
    """
    groups = np.repeat(np.arange(len(sets)), [len(mine.dimensions) for _, mine in sets])
    dimensions, similarities, direct = map(
        np.concatenate, zip(*(mine for _, mine in sets), strict=True)
    )
    located = postings.locate(dimensions)
    counts = postings.snapshot.languages
    documents = np.array([counts[code] for code, _ in sets], np.float64)
    found = np.bincount(groups, located.frequencies * direct, len(sets))
    idf = inverse_document_frequency(np.minimum(found, documents), documents)
    return postings.maxima(located, groups, similarities * idf[groups], numbers)
