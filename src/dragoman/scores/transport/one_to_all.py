"""One query against every document of a corpus, each distance solved to the end."""

import numpy as np

from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.one_pair import plan
from dragoman.scores.transport.table import Table, share_out, tabulate, thread_count
from dragoman.scores.transport.weighted import Weighted, check_epsilon
from dragoman.types import FloatArray, IntArray

FLOAT32_FROM = 0.02  # below it the kernel leaves the range of float32
TOLERANCE = np.float32(2e-6)  # of the rows' sums; distances come out about as precise
GRAIN = 64  # documents that a thread takes at least

DISTANCE, ERROR, SWEEPS, STATE = range(4)  # columns of what ``settle`` fills
SOLVED, LEFT, OPEN = range(3)  # its states


def distances(
    corpus: Corpus,
    query: Weighted,
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
    found = np.full(len(wanted), np.inf)
    known = np.flatnonzero(corpus.indptr[wanted + 1] > corpus.indptr[wanted])
    if not query.weights.any() or not len(known):
        return found
    if epsilon is None or epsilon < FLOAT32_FROM:
        for place in known:
            found[place] = plan(query, corpus.document(wanted[place]), epsilon).distance
        return found
    workers = thread_count(threads)
    some, places = corpus.narrowed(wanted[known])
    table = tabulate(some, *query.kept(), epsilon, workers)
    results = settle_rows(some, table, places, workers)
    found[known] = results[:, DISTANCE]
    for place in known[results[:, STATE] == OPEN]:
        found[place] = plan(query, corpus.document(wanted[place]), epsilon).distance
    return found


def settle_rows(
    corpus: Corpus,
    table: Table,
    rows: IntArray,
    threads: int,
    bar: float = np.inf,
) -> FloatArray:
    """What ``kernels.settle`` says of every document of ``rows``; without ``bar``, its distance."""
    from dragoman.scores.transport.kernels import settle  # noqa: PLC0415 - numba is slow to import

    results = np.empty((len(rows), 4), np.float32)

    def work(begin: int, end: int) -> None:
        settle(
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
            np.float32(bar),
            TOLERANCE,
            results[begin:end],
        )

    share_out(work, len(rows), threads, GRAIN)
    return results
