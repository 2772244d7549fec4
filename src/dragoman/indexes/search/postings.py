"""A space of counts over a snapshot: statistics summed over segments, scores of all documents."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import kernels
from dragoman.indexes.snapshot import DocumentSet, QueryCounts, ScoredDocuments, Snapshot
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
        readers = snapshot.readers
        self._readers = [(reader, reader.segment.postings(space)) for reader in readers]
        self._size = readers[-1].base + len(readers[-1].segment) if readers else 0

    @property
    def mean_lengths(self) -> Mapping[str, float]:
        """The mean length of the documents of each language, of those that have any word."""
        return self.snapshot.mean_lengths(self.space)

    def locate(self, dimensions: IntArray) -> Located:
        """The postings of dimensions, with the document frequencies of this state."""
        wanted = dimensions.astype(np.uint32, copy=False)
        ranges = tuple(postings.locate(wanted) for _, postings in self._readers)
        return Located(wanted, ranges, self.snapshot.frequencies(self.space, wanted, ranges))

    def scores(self, located: Located, weights: FloatArray, config: Bm25Config) -> FloatArray:
        """BM25's sum for every document, by number; 0 where nothing is met or where it is gone."""
        sums = np.zeros(self._size, np.float32)
        weighed = weights.astype(np.float32)
        score = kernels.active().score_postings
        every = self._norms(config)
        for (reader, postings), (firsts, lasts) in zip(self._readers, located.ranges, strict=True):
            mine = sums[reader.base : reader.base + len(reader.segment)]
            norms = every[reader.base : reader.base + len(reader.segment)]
            score(firsts, lasts, weighed, postings.documents, postings.counts, norms, mine)
        return sums

    def maxima(
        self, located: Located, groups: IntArray, weights: FloatArray, numbers: IntArray
    ) -> FloatArray:
        """For these documents the sum of their highest weights, one of each group of dimensions.

        The dimensions of a group follow each other, weights falling.
        """
        sums = np.zeros(self._size, np.float32)
        last = np.full(self._size, np.iinfo(np.int32).max, np.int32)
        last[numbers] = -1
        weighed = weights.astype(np.float32)
        score = kernels.active().score_maxima
        for (reader, postings), (firsts, lasts) in zip(self._readers, located.ranges, strict=True):
            mine = slice(reader.base, reader.base + len(reader.segment))
            score(firsts, lasts, groups, weighed, postings.documents, last[mine], sums[mine])
        return sums[numbers]

    def _norms(self, config: Bm25Config) -> NDArray[np.float32]:
        """By document: the count that gives a word half its weight; infinite where deleted."""
        key = "norms", self.space, config, self._size
        return self.snapshot.cached(key, lambda: self._make_norms(config))

    def _make_norms(self, config: Bm25Config) -> NDArray[np.float32]:
        norms = np.full(self._size, np.inf, np.float32)
        for reader, postings in self._readers:
            mine = norms[reader.base : reader.base + len(reader.segment)]
            for code, (first, last) in reader.segment.languages.items():
                lengths = postings.lengths[first:last].astype(np.float64)
                mean = self.mean_lengths.get(code, 0.0)
                mine[first:last] = length_norm(lengths, mean, config)
            if len(reader.deleted):
                mine[reader.deleted] = np.inf
        return norms


class DocumentScores(Protocol):
    """The scores of all documents for one query."""

    def of(self, numbers: IntArray) -> FloatArray:
        """The score of each of these documents."""
        ...

    def best(self, k: int, selection: DocumentSet) -> ScoredDocuments:
        """The ``k`` best of the selected documents."""
        ...


class TermScores:
    """BM25 scores for weighted dimensions; 0 where no term is met."""

    def __init__(
        self,
        postings: SnapshotPostings,
        dimensions: IntArray,
        weights: FloatArray,
        config: Bm25Config,
        located: Located | None = None,
    ) -> None:
        self._snapshot, self._space = postings.snapshot, postings.space
        self._query = QueryCounts(dimensions, weights, config)
        self._sums = postings.scores(located or postings.locate(dimensions), weights, config)

    def of(self, numbers: IntArray) -> FloatArray:
        """The score of each of these documents."""
        return self._all()[numbers]

    def best(self, k: int, selection: DocumentSet) -> ScoredDocuments:
        """The ``k`` best of the selected documents, of those that score above 0."""
        at_hand = self._snapshot.gather_matches(self._space, self._query, k, selection, self._all)
        return self._snapshot.top_k(self._all(), k, at_hand)

    def _all(self) -> FloatArray:
        """By number; computed again where documents were gathered since."""
        if len(self._sums) < self._snapshot.size:
            postings = SnapshotPostings(self._snapshot, self._space)
            located = postings.locate(self._query.dimensions)
            self._sums = postings.scores(located, self._query.weights, self._query.config)
        return self._sums
