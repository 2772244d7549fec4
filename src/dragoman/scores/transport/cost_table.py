"""Costs of every word of a corpus against every word of a query; all else reads these tables.

The words are processed in blocks that stay in the processor's cache from the matrix product to the
exponential. Blocks are distributed over threads; inside a thread, BLAS runs on one. The next table
of the same thread reuses the memory: fresh memory costs a fifth more time.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import local

import numpy as np
from threadpoolctl import ThreadpoolController

from dragoman.errors import ConfigError
from dragoman.processors import cores
from dragoman.scores.transport.corpus import Corpus
from dragoman.types import FloatArray, IntArray

LANES = 32  # columns of all but short queries are padded to a multiple of it
BLOCK = 1 << 16  # numbers of a block, 256 KB
TILE = 16  # columns; BLAS multiplies fewer no faster
CANCELLATION = 0.1  # distances below it are computed from the difference itself
LARGEST_BUFFER = 1 << 27  # numbers; the memory of larger tables is freed

Work = Callable[[int, int], None]


class _Buffers(local):
    """Buffers of one thread that are reused from query to query."""

    def __init__(self) -> None:
        self._arrays: dict[str, FloatArray] = {}

    def get(self, name: str, rows: int, columns: int) -> FloatArray:
        """An uninitialised array (rows, columns) in the memory of the last one of this name."""
        size = rows * columns
        if size > LARGEST_BUFFER:
            return np.empty((rows, columns), np.float32)
        if name not in self._arrays or len(self._arrays[name]) < size:
            self._arrays[name] = np.empty(size, np.float32)
        return self._arrays[name][:size].reshape(rows, columns)


_buffers = _Buffers()


@dataclass(frozen=True, slots=True)
class CostTable:
    """Costs and kernel (words, columns) of a query; padded columns repeat the first."""

    cost: FloatArray
    kernel: FloatArray
    weights: FloatArray  # (columns,), 0 beyond the query's words
    sums: FloatArray  # kernel @ weights
    extremes: FloatArray  # (words, 2), the least and the largest cost
    epsilon: float


def tabulate(
    corpus: Corpus, points: FloatArray, weights: FloatArray, epsilon: float, threads: int
) -> CostTable:
    """The table of a query whose ``weights`` are above 0 and sum to one.

    It is valid until the same thread builds the next one.
    """
    from dragoman.scores.transport.kernels import finish_costs  # noqa: PLC0415 - numba is slow

    used = len(corpus.points)
    columns = TILE if len(weights) <= TILE else _round_up(len(weights), LANES)
    a = np.zeros(columns, np.float32)
    a[: len(weights)] = weights
    table = CostTable(
        cost=_buffers.get("cost", used, columns),
        kernel=_buffers.get("kernel", used, columns),
        weights=a,
        sums=np.empty(used, np.float32),
        extremes=np.empty((used, 2), np.float32),
        epsilon=epsilon,
    )
    query = np.repeat(np.asarray(points[:1], np.float32), _round_up(len(weights), TILE), axis=0)
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
            _recompute_close(corpus.points[block], query, cost, table.extremes[block])
            np.multiply(cost, np.float32(-1 / epsilon), out=kernel)
            np.exp(kernel, out=kernel)
            np.matmul(kernel, a, out=table.sums[block])

    with _single_threaded_blas():
        parallelize(fill, used, threads, step)
    return table


def _round_up(count: int, multiple: int) -> int:
    return -(-count // multiple) * multiple


def _recompute_close(
    points: FloatArray, query: FloatArray, cost: FloatArray, extremes: FloatArray
) -> None:
    """Recompute distances of close points, where squares cancel, from their difference."""
    close = np.flatnonzero(extremes[:, 0] < CANCELLATION)
    if not len(close):
        return
    rows, columns = np.nonzero(cost[close, : len(query)] < CANCELLATION)
    words = close[rows]
    difference = points[words].astype(np.float64) - query[columns]
    cost[words, columns] = np.sqrt(np.einsum("ij,ij->i", difference, difference))
    cost[close, len(query) :] = cost[close, :1]
    extremes[close, 0] = cost[close].min(axis=1)


def parallelize(work: Work, count: int, threads: int, grain: int) -> None:
    """Call ``work(begin, end)`` on ranges that cover ``count``, on several threads."""
    if threads == 1 or count <= grain:
        work(0, count)
        return
    edges = np.unique(np.append(np.arange(0, count, _range_size(count, threads, grain)), count))
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, *edge) for edge in _pairs(edges)]:
            done.result()


def _range_size(count: int, threads: int, grain: int) -> int:
    """The size of a range: about four per thread to balance the load, a multiple of ``grain``."""
    return max(-(-count // (4 * threads * grain)), 1) * grain


def _pairs(edges: IntArray) -> Iterator[tuple[int, int]]:
    return zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)


@contextmanager
def _single_threaded_blas() -> Iterator[None]:
    """Keep BLAS from starting threads of its own, which would compete with ours."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def thread_count(requested: int | None) -> int:
    """``requested``, or one per core that this process may use."""
    if requested is not None and requested < 1:
        raise ConfigError(f"threads must be 1 or more, got {requested}")
    return cores() if requested is None else requested
