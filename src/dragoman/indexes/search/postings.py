"""A space of counts over a snapshot: statistics summed over segments, scores of all documents."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import kernels
from dragoman.indexes.snapshot import Snapshot
from dragoman.scores.bm25 import Bm25Config, length_norm
from dragoman.types import FloatArray, IntArray


class Located(NamedTuple):
    """Where the postings of some dimensions are, and in how many documents each occurs."""

    dimensions: IntArray
    ranges: tuple[tuple[IntArray, IntArray], ...]  # by segment: where they begin and end
    frequencies: NDArray[np.int64]  # of live documents


class SnapshotPostings:
    """The postings of one space in one state of an index."""

    def __init__(self, snapshot: Snapshot, space: str) -> None:
        self.snapshot, self.space = snapshot, space
        self._readers = [(reader, reader.segment.postings(space)) for reader in snapshot.readers]

    @property
    def mean_lengths(self) -> Mapping[str, float]:
        """The mean length of the documents of each language, of those that have any word."""
        return self.snapshot.cached(("mean lengths", self.space), self._mean_lengths)

    def _mean_lengths(self) -> dict[str, float]:
        totals: dict[str, int] = {}
        counts: dict[str, int] = {}
        for reader, postings in self._readers:
            live = postings.lengths
            if len(reader.deleted):
                live = np.where(reader.deleted, 0, live)
            for code, (first, last) in reader.segment.languages.items():
                mine = live[first:last]
                totals[code] = totals.get(code, 0) + int(mine.sum())
                counts[code] = counts.get(code, 0) + int(np.count_nonzero(mine))
        return {code: totals[code] / counts[code] for code in totals if counts[code]}

    def locate(self, dimensions: IntArray) -> Located:
        """The postings of dimensions, with the document frequencies of this state."""
        wanted = dimensions.astype(np.uint32, copy=False)
        ranges = [postings.locate(wanted) for _, postings in self._readers]
        frequencies = np.zeros(len(wanted), np.int64)
        for (reader, postings), (firsts, lasts) in zip(self._readers, ranges, strict=True):
            frequencies += postings.frequencies(firsts, lasts, reader.deleted)
        return Located(wanted, tuple(ranges), frequencies)

    def scores(self, located: Located, weights: FloatArray, config: Bm25Config) -> FloatArray:
        """BM25's sum for every document, by number; 0 where nothing is met or where it is gone."""
        sums = np.zeros(self.snapshot.size, np.float32)
        weighed = weights.astype(np.float32)
        score = kernels.active().score_postings
        for (reader, postings), (firsts, lasts) in zip(self._readers, located.ranges, strict=True):
            mine = sums[reader.base : reader.base + len(reader.segment)]
            norms = self._norms(config)[reader.base : reader.base + len(reader.segment)]
            score(firsts, lasts, weighed, postings.documents, postings.counts, norms, mine)
        return sums

    def _norms(self, config: Bm25Config) -> NDArray[np.float32]:
        """By document: the count that gives a word half its weight; infinite where deleted."""
        return self.snapshot.cached(("norms", self.space, config), lambda: self._make_norms(config))

    def _make_norms(self, config: Bm25Config) -> NDArray[np.float32]:
        norms = np.full(self.snapshot.size, np.inf, np.float32)
        for reader, postings in self._readers:
            mine = norms[reader.base : reader.base + len(reader.segment)]
            for code, (first, last) in reader.segment.languages.items():
                lengths = postings.lengths[first:last].astype(np.float64)
                mean = self.mean_lengths.get(code, 0.0)
                mine[first:last] = length_norm(lengths, mean, config)
            if len(reader.deleted):
                mine[reader.deleted] = np.inf
        return norms
