"""The distance of one query to every document of a corpus, each computed to convergence."""

import numpy as np

from dragoman.scores.transport.bag import WeightedBag, check_epsilon
from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.cost_table import CostTable, parallelize, tabulate, thread_count
from dragoman.scores.transport.pair import plan
from dragoman.types import FloatArray, IntArray

FLOAT32_FROM = 0.02  # below it the kernel leaves the range of float32
TOLERANCE = np.float32(2e-6)  # of the rows' sums; distances are about as precise
GRAIN = 64  # documents that a thread takes at least

DISTANCE, ERROR, SWEEPS, STATE = range(4)  # columns of the results of ``kernels.solve_or_prune``
SOLVED, PRUNED, UNCONVERGED = range(3)  # its states


def distances(
    corpus: Corpus,
    query: WeightedBag,
    epsilon: float | None,
    rows: IntArray | None = None,
    *,
    threads: int | None = None,
) -> FloatArray:
    """The distance of every document, or of ``rows`` in their order; inf where no word is known.

    Entropic distances from epsilon = 0.02 up are computed in float32 and are within 1e-5 of the
    converged ones, most within 1e-6; all others in float64. ``threads``: one per core if not given.
    """
    check_epsilon(epsilon)
    wanted = np.arange(len(corpus)) if rows is None else np.asarray(rows, np.int64)
    values = np.full(len(wanted), np.inf)
    known = np.flatnonzero(corpus.indptr[wanted + 1] > corpus.indptr[wanted])
    if not query.weights.any() or not len(known):
        return values
    if epsilon is None or epsilon < FLOAT32_FROM:
        for index in known:
            values[index] = plan(query, corpus.document(wanted[index]), epsilon).distance
        return values
    workers = thread_count(threads)
    some, here = corpus.restrict(wanted[known])
    table = tabulate(some, *query.support(), epsilon, workers)
    results = solve_rows(some, table, here, workers)
    values[known] = results[:, DISTANCE]
    for index in known[results[:, STATE] == UNCONVERGED]:
        values[index] = plan(query, corpus.document(wanted[index]), epsilon).distance
    return values


def solve_rows(
    corpus: Corpus,
    table: CostTable,
    rows: IntArray,
    threads: int,
    threshold: float = np.inf,
) -> FloatArray:
    """The results of ``kernels.solve_or_prune`` for ``rows``; nothing is pruned by default."""
    from dragoman.scores.transport.kernels import solve_or_prune  # noqa: PLC0415 - numba is slow

    results = np.empty((len(rows), 4), np.float32)

    def work(begin: int, end: int) -> None:
        solve_or_prune(
            table.kernel,
            table.cost,
            table.sums,
            table.extremes,
            corpus.indptr,
            corpus.indices,
            corpus.weights,
            rows[begin:end],
            table.weights,
            np.float32(table.epsilon),
            np.float32(threshold),
            TOLERANCE,
            results[begin:end],
        )

    parallelize(work, len(rows), threads, GRAIN)
    return results
