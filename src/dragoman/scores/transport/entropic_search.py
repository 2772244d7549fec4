"""Entropic top-k: iterate on every document that might win; prune it once it provably cannot."""

import numpy as np

from dragoman.scores.transport.all_distances import (
    DISTANCE,
    SOLVED,
    STATE,
    UNCONVERGED,
    solve_rows,
)
from dragoman.scores.transport.bag import WeightedBag
from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.cost_table import tabulate
from dragoman.scores.transport.result import (
    SearchResult,
    Solver,
    bounds_and_estimates,
    resolve_ties,
)
from dragoman.types import FloatArray, IntArray

FIRST = 64  # documents solved before any is pruned
GROWTH = 8  # how many times as many come next, to lower the threshold for all others
ROUNDING = 2e-5  # the largest error of distances in float32, where convergence is slow


def search_entropic(
    corpus: Corpus, rows: IntArray, query: WeightedBag, k: int, epsilon: float, threads: int
) -> SearchResult:
    """The ``k`` nearest of ``rows``, all of which have words."""
    table = tabulate(corpus, *query.support(), epsilon, threads)
    relaxed, estimates = bounds_and_estimates(corpus, table)
    distances = np.full(len(corpus), np.inf)
    certified, solver = 0, Solver(corpus, query, epsilon)
    threshold, rest = np.inf, rows
    for count in (max(FIRST, 4 * k), GROWTH * max(FIRST, 4 * k), len(rows)):
        rest = rest[relaxed[rest] <= threshold]
        chosen, rest = _split(rest, estimates[rest], count)
        results = solve_rows(corpus, table, chosen, threads, threshold)
        solved = results[:, STATE] == SOLVED
        distances[chosen[solved]] = results[solved, DISTANCE]
        for row in chosen[results[:, STATE] == UNCONVERGED]:
            distances[row] = solver.distance(int(row))
        certified += len(chosen) - int(np.isfinite(distances[chosen]).sum())
        threshold = float(np.partition(distances, k - 1)[k - 1]) + ROUNDING
    solved_rows = np.flatnonzero(np.isfinite(distances))
    nearest, reach = resolve_ties(solved_rows, distances[solved_rows], k, ROUNDING, solver)
    bounded = len(rows) - certified - len(solved_rows)
    return SearchResult(nearest, reach, bounded, certified, len(solved_rows), solver.solved)


def _split(rows: IntArray, estimates: FloatArray, count: int) -> tuple[IntArray, IntArray]:
    """The ``count`` rows of smallest estimate, and the others, both in rising order."""
    if count >= len(rows):
        return rows, rows[:0]
    order = np.argpartition(estimates, count)
    return np.sort(rows[order[:count]]), np.sort(rows[order[count:]])
