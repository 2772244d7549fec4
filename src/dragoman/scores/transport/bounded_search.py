"""Exact top-k: lower bounds for all, then distances by rising bound until no bound is below.

The bounds are dual: any potential of the query's words gives one. Those of entropic transport at a
small epsilon are close to the best, and come from the same compiled iteration. An entropic distance
is never below the exact one, so the same bounds serve a very small epsilon.
"""

import numpy as np

from dragoman.scores.transport.all_distances import GRAIN
from dragoman.scores.transport.bag import WeightedBag
from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.cost_table import CostTable, parallelize, tabulate
from dragoman.scores.transport.result import SearchResult, Solver, bounds_and_estimates
from dragoman.scores.transport.shared_potential import (
    POOL_EPSILON,
    is_worthwhile,
    shared_bounds,
)
from dragoman.types import FloatArray, IntArray

FIRST = 48  # documents of which the k of the least bounds set the first threshold
ROUNDING = 1e-5  # of bounds in float32


def search_by_bounds(
    corpus: Corpus, rows: IntArray, query: WeightedBag, k: int, epsilon: float | None, threads: int
) -> SearchResult:
    """The ``k`` nearest of ``rows``, all of which have words."""
    table = tabulate(corpus, *query.support(), POOL_EPSILON, threads)
    relaxed, estimates = bounds_and_estimates(corpus, table)
    solver, distances = Solver(corpus, query, epsilon), np.full(len(corpus), np.inf)
    bounds = relaxed.astype(np.float64)

    count = min(max(FIRST, 4 * k), len(rows))
    first = rows[np.argpartition(estimates[rows], count - 1)[:count]]
    bounds[first] = dual_bounds(corpus, table, first, np.inf, threads)
    for row in first[np.argsort(bounds[first], kind="stable")[:k]]:
        distances[row] = solver.distance(int(row))
    threshold = np.partition(distances, k - 1)[k - 1] + ROUNDING

    rest = np.setdiff1d(rows[relaxed[rows] <= threshold], first)
    if is_worthwhile(corpus, rest):
        bounds[rest] = np.maximum(bounds[rest], shared_bounds(corpus, table, rest))
        rest = rest[bounds[rest] <= threshold]
    bounds[rest] = np.maximum(bounds[rest], dual_bounds(corpus, table, rest, threshold, threads))
    near = np.union1d(first, rest)
    near = near[np.isinf(distances[near])]
    for row in near[np.argsort(bounds[near], kind="stable")]:
        if bounds[row] > threshold:
            break
        distances[row] = solver.distance(int(row))
        threshold = np.partition(distances, k - 1)[k - 1] + ROUNDING
    nearest = rows[np.argsort(distances[rows], kind="stable")[:k]]
    certified = len(first) + len(rest) - solver.solved
    bounded = len(rows) - len(first) - len(rest)
    reach = distances[nearest]
    return SearchResult(nearest, reach, bounded, certified, solver.solved, solver.solved)


def dual_bounds(
    corpus: Corpus, table: CostTable, rows: IntArray, threshold: float, threads: int
) -> FloatArray:
    """A lower bound of every row's exact distance; 0 where float32 gives none."""
    from dragoman.scores.transport.kernels import bound_from_dual  # noqa: PLC0415 - numba is slow

    bounds = np.empty(len(rows), np.float32)

    def work(begin: int, end: int) -> None:
        bound_from_dual(
            table.kernel,
            table.cost,
            table.sums,
            corpus.indptr,
            corpus.indices,
            corpus.weights,
            rows[begin:end],
            table.weights,
            np.float32(table.epsilon),
            np.float32(threshold),
            bounds[begin:end],
        )

    parallelize(work, len(rows), threads, GRAIN)
    return np.where(np.isfinite(bounds), bounds, 0.0)
