"""Entropic top-k: iterate on every document that might win, leave it when it provably cannot."""

import numpy as np

from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.one_to_all import DISTANCE, OPEN, SOLVED, STATE, settle_rows
from dragoman.scores.transport.result import Found, Solver, bound_and_guess, settle_ties
from dragoman.scores.transport.table import tabulate
from dragoman.scores.transport.weighted import Weighted
from dragoman.types import FloatArray, IntArray

FIRST = 64  # documents solved before any is compared
GROWTH = 8  # how many times as many are then compared, to lower the bar for all others
ROUNDING = 2e-5  # distances in float32 may be off by so much where convergence is slow


def search_certified(
    corpus: Corpus, rows: IntArray, query: Weighted, k: int, epsilon: float, threads: int
) -> Found:
    """The ``k`` nearest of ``rows``, all of which have words."""
    table = tabulate(corpus, *query.kept(), epsilon, threads)
    relaxed, guessed = bound_and_guess(corpus, table)
    reach = np.full(len(corpus), np.inf)
    certified, solver = 0, Solver(corpus, query, epsilon)
    bar, rest = np.inf, rows
    for count in (max(FIRST, 4 * k), GROWTH * max(FIRST, 4 * k), len(rows)):
        rest = rest[relaxed[rest] <= bar]
        chosen, rest = _split(rest, guessed[rest], count)
        results = settle_rows(corpus, table, chosen, threads, bar)
        solved = results[:, STATE] == SOLVED
        reach[chosen[solved]] = results[solved, DISTANCE]
        for row in chosen[results[:, STATE] == OPEN]:
            reach[row] = solver.distance(int(row))
        certified += len(chosen) - int(np.isfinite(reach[chosen]).sum())
        bar = float(np.partition(reach, k - 1)[k - 1]) + ROUNDING
    kept = np.flatnonzero(np.isfinite(reach))
    nearest, distances = settle_ties(kept, reach[kept], k, ROUNDING, solver)
    bounded = len(rows) - certified - len(kept)
    return Found(nearest, distances, bounded, certified, len(kept), solver.solved)


def _split(rows: IntArray, guessed: FloatArray, count: int) -> tuple[IntArray, IntArray]:
    """The ``count`` rows of smallest guess, and the others, both in rising order."""
    if count >= len(rows):
        return rows, rows[:0]
    order = np.argpartition(guessed, count)
    return np.sort(rows[order[:count]]), np.sort(rows[order[count:]])
