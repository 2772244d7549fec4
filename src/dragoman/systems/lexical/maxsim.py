"""Word MaxSim: how near the nearest word of a document is to each word of a query.

MaxSim(q, d) = sum over the words w of q of idf(w) max over v in d of sim(w, v), as in late
interaction (Khattab & Zaharia 2020), with vectors of single words instead of tokens in context. Two
words are as similar as their nearest translations in the pivot, of which the package ships the
neighbours; so nothing is stored for a document beyond the postings of psq, and a pair of words that
are no neighbours counts nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.lexicons.translation_tables import PIVOT
from dragoman.lexicons.word_neighbours import shipped_neighbours
from dragoman.scores.bm25 import inverse_document_frequency
from dragoman.systems.lexical.dimensions import Side, word_dimensions
from dragoman.systems.lexical.pivoting import PivotMapper
from dragoman.systems.lexical.query_expansion import CACHED_WORDS
from dragoman.types import FloatArray


class SimilarDimensions(NamedTuple):
    """The dimensions of words that are similar to one word, the most similar first."""

    dimensions: tuple[int, ...]
    similarities: tuple[float, ...]
    direct: tuple[bool, ...]  # whether it is the word itself, or a translation


class SimilarWords(dict[str, SimilarDimensions]):
    """Words of queries in one language -> similar words in documents of another."""

    def __init__(self, mapper: PivotMapper, language: str, searched: str) -> None:
        super().__init__()
        self._meanings = None if language == PIVOT else mapper.meanings(language)
        self._own = word_dimensions(searched, Side.OWN) if language == searched else None
        side = Side.OWN if searched == PIVOT else Side.PIVOT
        self._dimensions = word_dimensions(searched, side)

    def __missing__(self, word: str) -> SimilarDimensions:
        if len(self) >= CACHED_WORDS:
            self.clear()
        similar = self[word] = self._similar(word)
        return similar

    def _similar(self, word: str) -> SimilarDimensions:
        meanings = [word] if self._meanings is None else [*self._meanings[word]]
        best: dict[int, float] = {}
        for meaning in meanings:
            for other, similarity in shipped_neighbours().similar(meaning):
                dimension = self._dimensions[other]
                best[dimension] = max(best.get(dimension, 0.0), similarity)
        direct = {self._dimensions[meaning] for meaning in meanings}
        if self._own is not None:
            direct = {self._own[word]}
            best[self._own[word]] = 1.0
        rows = sorted(best.items(), key=lambda row: (-row[1], row[0]))
        return SimilarDimensions(
            tuple(dimension for dimension, _ in rows),
            tuple(similarity for _, similarity in rows),
            tuple(dimension in direct for dimension, _ in rows),
        )


def maxsim(postings: SnapshotPostings, sets: Sequence[tuple[str, SimilarDimensions]]) -> FloatArray:
    """MaxSim of every document, by number; each set is a word's for documents in one language.

    A word's idf is that of psq: of the documents that have it, or one of its translations.
    """
    sizes = [len(mine.dimensions) for _, mine in sets]
    groups = np.repeat(np.arange(len(sets)), sizes)
    dimensions = np.array([d for _, mine in sets for d in mine.dimensions], np.int64)
    similarities = np.array([s for _, mine in sets for s in mine.similarities], np.float64)
    direct = np.array([d for _, mine in sets for d in mine.direct], np.bool_)
    located = postings.locate(dimensions)
    counts = postings.snapshot.languages
    documents = np.array([counts[code] for code, _ in sets], np.float64)
    found = np.bincount(groups, located.frequencies * direct, len(sets))
    idf = inverse_document_frequency(np.minimum(found, documents), documents)
    return postings.maxima(located, groups, similarities * idf[groups])
