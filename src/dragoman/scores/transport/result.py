"""What both ways of searching share: sums over bags, one distance in float64, ties."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.one_pair import plan
from dragoman.scores.transport.table import Table
from dragoman.scores.transport.weighted import Weighted
from dragoman.types import FloatArray, IntArray

FAR = 1e3  # farther than any two points


class Found(NamedTuple):
    """The nearest rows of a corpus by rising distance, and what became of the others."""

    rows: IntArray
    distances: FloatArray
    bounded: int
    certified: int
    solved: int
    float64: int


def bound_and_guess(corpus: Corpus, table: Table) -> tuple[FloatArray, FloatArray]:
    """Of every document a lower bound of its distance, and a number that ranks nearly as it does.

    The bound lets each word go to the nearest of the query's; the guess to all, as entropic
    transport would if the query's weights did not matter.
    """
    with np.errstate(divide="ignore"):  # a word that is too far for float32
        guesses = np.minimum(-table.epsilon * np.log(table.sums), FAR)
    words = np.stack([table.extremes[:, 0], guesses.astype(np.float32)], axis=1)
    shape = (len(corpus), len(words))
    bags = csr_array((corpus.weights, corpus.indices, corpus.indptr), shape=shape)
    sums = np.asarray(bags @ words)
    return sums[:, 0], sums[:, 1]


class Solver:
    """Distances to one query in float64; documents that are equal are solved once."""

    def __init__(self, corpus: Corpus, query: Weighted, epsilon: float | None) -> None:
        self._corpus, self._query, self._epsilon = corpus, query, epsilon
        self._known: dict[bytes, float] = {}
        self.solved = 0

    def distance(self, row: int) -> float:
        """The distance of one document."""
        part = slice(self._corpus.indptr[row], self._corpus.indptr[row + 1])
        key = self._corpus.indices[part].tobytes() + self._corpus.weights[part].tobytes()
        self.solved += 1
        if key not in self._known:
            document = self._corpus.document(row)
            self._known[key] = plan(self._query, document, self._epsilon).distance
        return self._known[key]


def settle_ties(
    rows: IntArray, distances: FloatArray, k: int, within: float, solver: Solver
) -> tuple[IntArray, FloatArray]:
    """The ``k`` nearest; those ``within`` so little of a neighbour are told apart in float64."""
    order = np.lexsort((rows, distances))
    rows, distances = rows[order], distances[order].copy()
    joined = np.append(np.diff(distances) <= within, False)
    place = 0
    while place < min(k, len(rows)):
        end = place + 1
        while joined[end - 1]:
            end += 1
        if end - place > 1:
            distances[place:end] = [solver.distance(int(row)) for row in rows[place:end]]
        place = end
    order = np.lexsort((rows[:place], distances[:place]))[:k]
    return rows[order], distances[order]
