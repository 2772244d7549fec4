"""Counted words of documents -> weighed bags of points, and texts weighed by the same statistics.

Section 3.2 of Balikas et al. 2018: a text is the set of its words' points, weighed by tf or idf. A
collection is worked out from counts alone and is the same however documents are spread over parts:
keys stand in their own order, documents in that of their ids.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dragoman.systems.bags.counts import ABSENT, CountedPart, Vocabulary
from dragoman.systems.bags.reader import Read
from dragoman.systems.bags.weighting import Weighting, word_weights
from dragoman.systems.bags.word_sources import WordSource
from dragoman.types import FloatArray, IntArray


class WeighedWords(NamedTuple):
    """The known words of one text: points of length one, and weights of 0 or more."""

    words: tuple[str, ...]
    points: FloatArray
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class BagCollection:
    """Documents as weighed bags, a row each in the order of their ids; columns are keys."""

    ids: tuple[str, ...]
    numbers: IntArray  # by row: of the document, among those of all parts
    languages: NDArray[np.str_]  # by row
    bags: csr_array  # not scaled, columns rising within a row
    vocabulary: Vocabulary
    frequencies: IntArray  # by column: how many documents have the key
    weights: FloatArray  # by column
    unmet: float  # the weight of a word that no document has

    @classmethod
    def of(cls, parts: Sequence[CountedPart], dimension: int, weighting: Weighting) -> Self:
        """The documents of all parts, weighed by the frequencies among them."""
        vocabulary = Vocabulary.of(parts, dimension)
        ids = [doc_id for part in parts for doc_id in part.ids]
        order = np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)
        columns = _joined(vocabulary.columns_of_entries(part) for part in parts)
        frequencies = np.bincount(columns, minlength=len(vocabulary))
        # the encoder says nothing of some words: they have points of zeros, and weigh nothing
        known = vocabulary.points.any(axis=1)
        weights = word_weights(frequencies, len(ids), weighting) * known
        counts = _joined(part.counts for part in parts)
        starts = np.append(0, np.cumsum(_joined(part.sizes for part in parts)))
        shape = len(ids), len(vocabulary)
        bags = csr_array((counts * weights[columns], columns, starts), shape=shape)[order]
        bags.sort_indices()
        languages = np.array([*chain.from_iterable(part.languages for part in parts)], np.str_)
        return cls(
            tuple(ids[place] for place in order.tolist()),
            _joined(part.numbers for part in parts)[order],
            languages[order],
            bags,
            vocabulary,
            frequencies,
            weights,
            float(word_weights(np.zeros(1), len(ids), weighting)[0]),
        )

    def weighed(self, read: Read, source: WordSource) -> WeighedWords:
        """The bag of a text; the points of words that no document has come from ``source``."""
        columns = self.vocabulary.columns_of(read.keys)
        met = columns != ABSENT
        points = np.empty((len(columns), self.vocabulary.dimension), np.float32)
        points[met] = self.vocabulary.points_of(columns[met])
        points[~met] = source.points([read.keys[place] for place in np.flatnonzero(~met).tolist()])
        weights = np.where(points.any(axis=1), self.unmet, 0.0)
        weights[met] = self.weights[columns[met]]
        return WeighedWords(read.surfaces, points, weights * np.array(read.counts, np.float64))

    def words(self, language: str) -> dict[str, float]:
        """The words of documents in one language, with their document frequencies."""
        return self.vocabulary.words(language, self.frequencies)


def _joined(parts: Iterable[IntArray]) -> IntArray:
    return np.concatenate([np.zeros(0, np.int64), *parts])
