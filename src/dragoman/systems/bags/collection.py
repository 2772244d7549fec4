"""Counted words of documents -> weighted bags of points (Balikas et al. 2018, section 3.2).

A text is the set of its words' points, weighted by tf or tf-idf. A collection depends on the counts
alone and not on how documents are spread over segments: keys are sorted, documents by id.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dragoman.systems.bags.counts import ABSENT, BagVocabulary, SegmentBags
from dragoman.systems.bags.reader import BagCounts
from dragoman.systems.bags.weighting import Weighting, word_weights
from dragoman.systems.bags.word_sources import WordSource
from dragoman.types import FloatArray, IntArray


class WeightedWords(NamedTuple):
    """The bag of one text: its known words, unit-length points, and weights of 0 or more."""

    words: tuple[str, ...]
    points: FloatArray
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class BagCollection:
    """Documents as weighted bags, one row each in the order of their ids; columns are keys."""

    ids: tuple[str, ...]
    numbers: IntArray  # by row: the document's number in the snapshot
    languages: NDArray[np.str_]  # by row
    bags: csr_array  # rows are not normalised; columns rise within a row
    vocabulary: BagVocabulary
    frequencies: IntArray  # by column: document frequency
    weights: FloatArray  # by column
    unseen_weight: float  # of a word that no document has

    @classmethod
    def build(cls, segments: Sequence[SegmentBags], dimension: int, weighting: Weighting) -> Self:
        """The documents of all segments, weighted by the document frequencies among them."""
        vocabulary = BagVocabulary.build(segments, dimension)
        ids = [doc_id for segment in segments for doc_id in segment.ids]
        order = np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)
        columns = _joined(vocabulary.columns_of_entries(segment) for segment in segments)
        frequencies = np.bincount(columns, minlength=len(vocabulary))
        # an encoder gives some words a vector of zeros; they weigh nothing
        has_direction = vocabulary.points.any(axis=1)
        weights = word_weights(frequencies, len(ids), weighting) * has_direction
        counts = _joined(segment.counts for segment in segments)
        starts = np.append(0, np.cumsum(_joined(segment.sizes for segment in segments)))
        shape = len(ids), len(vocabulary)
        bags = csr_array((counts * weights[columns], columns, starts), shape=shape)[order]
        bags.sort_indices()
        codes = chain.from_iterable(segment.languages for segment in segments)
        return cls(
            tuple(ids[row] for row in order.tolist()),
            _joined(segment.numbers for segment in segments)[order],
            np.array([*codes], np.str_)[order],
            bags,
            vocabulary,
            frequencies,
            weights,
            float(word_weights(np.zeros(1), len(ids), weighting)[0]),
        )

    def weighted(self, counts: BagCounts, source: WordSource) -> WeightedWords:
        """The bag of a text, weighted like the documents.

        The points of words that no document has come from ``source``.
        """
        columns = self.vocabulary.columns_of(counts.keys)
        seen = columns != ABSENT
        points = np.empty((len(columns), self.vocabulary.dimension), np.float32)
        points[seen] = self.vocabulary.points_of(columns[seen])
        unseen = [counts.keys[index] for index in np.flatnonzero(~seen).tolist()]
        points[~seen] = source.points(unseen)
        weights = np.where(points.any(axis=1), self.unseen_weight, 0.0)
        weights[seen] = self.weights[columns[seen]]
        return WeightedWords(counts.surfaces, points, weights * np.array(counts.counts, np.float64))

    def words(self, language: str) -> dict[str, float]:
        """Word -> document frequency, for the documents in one language."""
        return self.vocabulary.words(language, self.frequencies)


def _joined(arrays: Iterable[IntArray]) -> IntArray:
    return np.concatenate([np.zeros(0, np.int64), *arrays])
