"""Exact top-k: lower bounds for all, then whole solutions by rising bound until no bound is below.

The bounds are dual: any potential of the query's words gives one. Those of entropic transport at a
small epsilon are close to the best, and come from the same compiled iteration. An entropic distance
is never below the exact one, so the same bounds serve a very small epsilon.
"""

import numpy as np

from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.one_to_all import GRAIN
from dragoman.scores.transport.result import Found, Solver, bound_and_guess
from dragoman.scores.transport.shared import SHARPNESS, pays, shared_bounds
from dragoman.scores.transport.table import Table, share_out, tabulate
from dragoman.scores.transport.weighted import Weighted
from dragoman.types import FloatArray, IntArray

FIRST = 48  # documents of which the k of the least bounds set the first bar
ROUNDING = 1e-5  # of bounds in float32


def search_by_bounds(
    corpus: Corpus, rows: IntArray, query: Weighted, k: int, epsilon: float | None, threads: int
) -> Found:
    """The ``k`` nearest of ``rows``, all of which have words."""
    table = tabulate(corpus, *query.kept(), SHARPNESS, threads)
    relaxed, guessed = bound_and_guess(corpus, table)
    solver, reach = Solver(corpus, query, epsilon), np.full(len(corpus), np.inf)
    bounds = relaxed.astype(np.float64)

    count = min(max(FIRST, 4 * k), len(rows))
    first = rows[np.argpartition(guessed[rows], count - 1)[:count]]
    bounds[first] = _dual_bounds(corpus, table, first, np.inf, threads)
    for row in first[np.argsort(bounds[first], kind="stable")[:k]]:
        reach[row] = solver.distance(int(row))
    bar = np.partition(reach, k - 1)[k - 1] + ROUNDING

    rest = np.setdiff1d(rows[relaxed[rows] <= bar], first)
    if pays(corpus, rest):
        bounds[rest] = np.maximum(bounds[rest], shared_bounds(corpus, table, rest))
        rest = rest[bounds[rest] <= bar]
    bounds[rest] = np.maximum(bounds[rest], _dual_bounds(corpus, table, rest, bar, threads))
    near = np.union1d(first, rest)
    near = near[np.isinf(reach[near])]
    for row in near[np.argsort(bounds[near], kind="stable")]:
        if bounds[row] > bar:
            break
        reach[row] = solver.distance(int(row))
        bar = np.partition(reach, k - 1)[k - 1] + ROUNDING
    nearest = rows[np.argsort(reach[rows], kind="stable")[:k]]
    certified = len(first) + len(rest) - solver.solved
    bounded = len(rows) - len(first) - len(rest)
    return Found(nearest, reach[nearest], bounded, certified, solver.solved, solver.solved)


def _dual_bounds(
    corpus: Corpus, table: Table, rows: IntArray, bar: float, threads: int
) -> FloatArray:
    """A lower bound of every row's exact distance; 0 where float32 found none."""
    from dragoman.scores.transport.kernels import underestimate  # noqa: PLC0415 - numba is slow

    bounds = np.empty(len(rows), np.float32)

    def work(begin: int, end: int) -> None:
        underestimate(
            table.kernel,
            table.cost,
            table.sums,
            corpus.indptr,
            corpus.indices,
            corpus.weights,
            rows[begin:end],
            table.weights,
            np.float32(table.epsilon),
            np.float32(bar),
            bounds[begin:end],
        )

    share_out(work, len(rows), threads, GRAIN)
    return np.where(np.isfinite(bounds), bounds, 0.0)
