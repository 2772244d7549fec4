"""Shared by both searches: the result, bounds for all documents, distances in float64, ties."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from dragoman.scores.transport.bag import WeightedBag
from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.cost_table import CostTable
from dragoman.scores.transport.pair import plan
from dragoman.types import FloatArray, IntArray

FAR = 1e3  # farther than any two points


class SearchResult(NamedTuple):
    """The nearest rows of a corpus by rising distance, and how the other documents were pruned."""

    rows: IntArray
    distances: FloatArray
    bounded: int
    certified: int
    solved: int
    float64: int


def bounds_and_estimates(corpus: Corpus, table: CostTable) -> tuple[FloatArray, FloatArray]:
    """For every document a lower bound of its distance, and an estimate that ranks nearly like it.

    The relaxed bound moves each word to the nearest of the query's words; the estimate moves it to
    all of them, as entropic transport would if the query's weights did not matter.
    """
    with np.errstate(divide="ignore"):  # a word that is too far for float32
        estimates = np.minimum(-table.epsilon * np.log(table.sums), FAR)
    words = np.stack([table.extremes[:, 0], estimates.astype(np.float32)], axis=1)
    shape = (len(corpus), len(words))
    bags = csr_array((corpus.weights, corpus.indices, corpus.indptr), shape=shape)
    sums = np.asarray(bags @ words)
    return sums[:, 0], sums[:, 1]


class Solver:
    """Distances to one query in float64; documents that are equal are solved once."""

    def __init__(self, corpus: Corpus, query: WeightedBag, epsilon: float | None) -> None:
        self._corpus, self._query, self._epsilon = corpus, query, epsilon
        self._cache: dict[bytes, float] = {}
        self.solved = 0

    def distance(self, row: int) -> float:
        """The distance of one document."""
        entries = slice(self._corpus.indptr[row], self._corpus.indptr[row + 1])
        key = self._corpus.indices[entries].tobytes() + self._corpus.weights[entries].tobytes()
        self.solved += 1
        if key not in self._cache:
            document = self._corpus.document(row)
            self._cache[key] = plan(self._query, document, self._epsilon).distance
        return self._cache[key]


def resolve_ties(
    rows: IntArray, distances: FloatArray, k: int, within: float, solver: Solver
) -> tuple[IntArray, FloatArray]:
    """The ``k`` nearest; distances ``within`` that little of the next are computed in float64."""
    order = np.lexsort((rows, distances))
    rows, distances = rows[order], distances[order].copy()
    near_next = np.append(np.diff(distances) <= within, False)
    start = 0
    while start < min(k, len(rows)):
        end = start + 1
        while near_next[end - 1]:
            end += 1
        if end - start > 1:
            distances[start:end] = [solver.distance(int(row)) for row in rows[start:end]]
        start = end
    order = np.lexsort((rows[:start], distances[:start]))[:k]
    return rows[order], distances[order]
