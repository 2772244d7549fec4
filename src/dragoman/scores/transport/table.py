"""Every word of a corpus against every word of a query: the only part that sees the vectors.

The words are taken in blocks that stay in the processor's cache from the matrix product to the
last function of it. Blocks are shared out to threads; inside a thread, BLAS runs on one. A table
lies in memory that the same thread's next table takes over: fresh memory would cost a fifth more.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from os import sched_getaffinity
from threading import local

import numpy as np
from threadpoolctl import ThreadpoolController

from dragoman.errors import ConfigError
from dragoman.scores.transport.corpus import Corpus
from dragoman.types import FloatArray, IntArray

LANES = 32  # columns of all but short queries are padded to a multiple: loops without remainders
BLOCK = 1 << 16  # numbers of a block, 256 KB
TILE = 16  # columns that BLAS multiplies as fast as fewer
CANCELLING = 0.1  # distances below it are computed from the difference itself

KEPT = 1 << 27  # numbers; larger tables give their memory back

Work = Callable[[int, int], None]


class _Memory(local):
    """Memory of one thread that outlives a query."""

    def __init__(self) -> None:
        self._lent: dict[str, FloatArray] = {}

    def lend(self, name: str, rows: int, columns: int) -> FloatArray:
        """An array (rows, columns) of undefined values, where the last of this name was."""
        size = rows * columns
        if size > KEPT:
            return np.empty((rows, columns), np.float32)
        if name not in self._lent or len(self._lent[name]) < size:
            self._lent[name] = np.empty(size, np.float32)
        return self._lent[name][:size].reshape(rows, columns)


_memory = _Memory()


@dataclass(frozen=True, slots=True)
class Table:
    """Costs (words, columns) and kernel of a query; columns beyond its words repeat the first."""

    cost: FloatArray
    kernel: FloatArray
    weights: FloatArray  # (columns,), 0 beyond the query's words
    sums: FloatArray  # kernel @ weights
    extremes: FloatArray  # (words, 2), the least and the largest cost
    epsilon: float


def tabulate(
    corpus: Corpus, points: FloatArray, weights: FloatArray, epsilon: float, threads: int
) -> Table:
    """The table of a query whose ``weights`` are above 0 and sum to one.

    It is valid until the same thread asks for the next.
    """
    from dragoman.scores.transport.kernels import finish_costs  # noqa: PLC0415 - numba is slow

    used = len(corpus.points)
    columns = TILE if len(weights) <= TILE else _up(len(weights), LANES)
    a = np.zeros(columns, np.float32)
    a[: len(weights)] = weights
    table = Table(
        cost=_memory.lend("cost", used, columns),
        kernel=_memory.lend("kernel", used, columns),
        weights=a,
        sums=np.empty(used, np.float32),
        extremes=np.empty((used, 2), np.float32),
        epsilon=epsilon,
    )
    query = np.repeat(np.asarray(points[:1], np.float32), _up(len(weights), TILE), axis=0)
    query[: len(weights)] = points
    twice = np.ascontiguousarray(-2 * query.T)
    squares = np.einsum("ij,ij->i", query, query)
    step = max(BLOCK // columns, 1)

    def fill(begin: int, end: int) -> None:
        for first in range(begin, end, step):
            block = slice(first, min(first + step, end))
            cost, kernel = table.cost[block], table.kernel[block]
            np.matmul(corpus.points[block], twice, out=cost[:, : len(query)])
            finish_costs(cost, corpus.squares[block], squares, table.extremes[block])
            _mend_cancelled(corpus.points[block], query, cost, table.extremes[block])
            np.multiply(cost, np.float32(-1 / epsilon), out=kernel)
            np.exp(kernel, out=kernel)
            np.matmul(kernel, a, out=table.sums[block])

    with _single_threaded_blas():
        share_out(fill, used, threads, step)
    return table


def _up(count: int, multiple: int) -> int:
    return -(-count // multiple) * multiple


def _mend_cancelled(
    points: FloatArray, query: FloatArray, cost: FloatArray, extremes: FloatArray
) -> None:
    """Take the distances of points that are close from their difference."""
    close = np.flatnonzero(extremes[:, 0] < CANCELLING)
    if not len(close):
        return
    rows, columns = np.nonzero(cost[close, : len(query)] < CANCELLING)
    words = close[rows]
    apart = points[words].astype(np.float64) - query[columns]
    cost[words, columns] = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    cost[close, len(query) :] = cost[close, :1]
    extremes[close, 0] = cost[close].min(axis=1)


def share_out(work: Work, count: int, threads: int, grain: int) -> None:
    """Call ``work(begin, end)`` on ranges that cover ``count``, one thread each at a time."""
    if threads == 1 or count <= grain:
        work(0, count)
        return
    edges = np.unique(np.append(np.arange(0, count, _range(count, threads, grain)), count))
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, *edge) for edge in _pairs(edges)]:
            done.result()


def _range(count: int, threads: int, grain: int) -> int:
    """Four ranges a thread, so that none waits long for the last, but none below ``grain``."""
    return max(-(-count // (4 * threads * grain)), 1) * grain


def _pairs(edges: IntArray) -> Iterator[tuple[int, int]]:
    return zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)


@contextmanager
def _single_threaded_blas() -> Iterator[None]:
    """BLAS without threads of its own, which would wait for each other and for ours."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def thread_count(asked: int | None) -> int:
    """``asked``, or one per core that this process may use."""
    if asked is not None and asked < 1:
        raise ConfigError(f"threads must be 1 or more, got {asked}")
    return len(sched_getaffinity(0)) if asked is None else asked
