"""The loops of a search, compiled; signatures are explicit and the machine code is cached on disk.

Arrays may be mapped read-only from files.
"""

import numpy as np
from numba import boolean, float32, int32, int64, njit, types, uint16, void
from numpy.typing import NDArray

from dragoman.indexes.kernels.instructions import fetched, widened
from dragoman.types import FloatArray, IntArray

READ = {
    kind: types.Array(kind, 1, "C", readonly=True)
    for kind in (boolean, int32, int64, uint16, float32)
}
READ_HALVES = types.Array(uint16, 2, "C", readonly=True)
GROUP = 32  # scores that share one maximum
HALVINGS = 12  # of the span in which a bound is looked for
SMALLEST = np.float32(1e-12)  # length of a mean: opposite rows cancel
LINE, HALF, AHEAD = 64, 2, 4  # bytes of a cache line, of a number; rows that are fetched before


@njit(
    void(
        READ[int64],
        READ[int64],
        READ[float32],
        READ[int32],
        READ[uint16],
        READ[float32],
        float32[::1],
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def _score_postings(
    starts: IntArray,
    ends: IntArray,
    weights: FloatArray,
    documents: IntArray,
    counts: NDArray[np.uint16],
    norms: FloatArray,
    sums: FloatArray,
) -> None:
    for term in range(len(weights)):
        weight = weights[term]
        for i in range(np.uint64(starts[term]), np.uint64(ends[term])):
            document = np.uint64(documents[i])
            count = widened(counts[i])
            sums[document] += weight * (count / (count + norms[document]))


def score_postings(
    starts: IntArray,
    ends: IntArray,
    weights: FloatArray,
    documents: IntArray,
    counts: NDArray[np.float16],
    norms: FloatArray,
    sums: FloatArray,
) -> None:
    """Add w c / (c + n) to the sum of every posting's document."""
    _score_postings(starts, ends, weights, documents, counts.view(np.uint16), norms, sums)


@njit(
    void(
        READ[int64],
        READ[int64],
        READ[int64],
        READ[float32],
        READ[int32],
        int32[::1],
        float32[::1],
    ),
    cache=True,
    nogil=True,
)
def score_maxima(
    starts: IntArray,
    ends: IntArray,
    groups: IntArray,
    weights: FloatArray,
    documents: IntArray,
    last: NDArray[np.int32],
    sums: FloatArray,
) -> None:
    """Add to each document's sum its highest weight in every group of terms."""
    for term in range(len(weights)):
        weight, group = weights[term], groups[term]
        for i in range(np.uint64(starts[term]), np.uint64(ends[term])):
            document = np.uint64(documents[i])
            if last[document] < group:
                last[document] = group
                sums[document] += weight


@njit(float32[::1](READ[float32], int64), cache=True, nogil=True, fastmath={"nnan", "nsz"})
def _tops(values: FloatArray, step: int) -> FloatArray:
    """The highest of every ``step``-th value, from each of the first ``step`` on; none is NaN."""
    tops = values[:step].copy()
    for start in range(step, len(values), step):
        row = values[start : start + step]
        for i in range(len(row)):
            tops[i] = max(tops[i], row[i])
    return tops


@njit(float32(READ[float32], float32), cache=True, nogil=True, fastmath={"reassoc", "nsz"})
def _count_above(values: FloatArray, least: np.float32) -> np.float32:
    """How many are not below ``least``; counted in floats, which go several at a time."""
    count = np.float32(0)
    for i in range(len(values)):
        count += np.float32(values[i] >= least)
    return count


@njit(float32(READ[float32], int64), cache=True, nogil=True)
def _bound(values: FloatArray, count: int) -> np.float32:
    """What ``count`` of the values are not below, and few more, by bisection; 0 where few are."""
    low = high = np.float32(0)
    for value in values:
        high = max(high, value)
    for _ in range(HALVINGS):
        middle = (low + high) / np.float32(2)
        if _count_above(values, middle) >= count:
            low = middle
        else:
            high = middle
    return low


@njit(int64[::1](READ[float32], int64), cache=True, nogil=True)
def highest(scores: FloatArray, k: int) -> IntArray:
    """Where the ``k`` highest scores above 0 are, and perhaps a few of the next, rising.

    Scores are read in groups of one in ``step``, whose maxima are found without a branch: ``k`` of
    these are a bound below, and few groups have a score above it.
    """
    step = len(scores) // GROUP + 1
    tops = _tops(scores, step)
    least = _bound(tops, k)
    groups = np.flatnonzero(tops >= least)
    room, size = GROUP * len(groups), 0
    indices, high = np.empty(room, np.int64), np.empty(room, np.float32)
    for start in range(0, len(scores), step):
        for i in start + groups:
            if i < len(scores) and scores[i] >= least and scores[i] > 0:
                indices[size], high[size] = i, scores[i]
                size += 1
    return indices[:size][high[:size] >= _bound(high[:size], k)]


@njit(
    float32(READ_HALVES, int64, READ[float32]),
    cache=True,
    nogil=True,
    fastmath={"reassoc", "contract", "nsz"},  # so that products are added several at a time
)
def _product(rows: NDArray[np.uint16], row: int, query: FloatArray) -> np.float32:
    product = np.float32(0)
    for dimension in range(len(query)):
        product += widened(rows[row, dimension]) * query[dimension]
    return product


@njit(void(READ_HALVES, int64), cache=True, nogil=True)
def _fetch(rows: NDArray[np.uint16], row: int) -> None:
    """Have a row on its way before it is read; there may be none."""
    size = HALF * rows.shape[1]
    for byte in range(0, size, LINE):
        fetched(np.uint64(rows.ctypes.data) + np.uint64(row * size + byte))


@njit(float32[::1](READ_HALVES, int64, int64, READ[float32]), cache=True, nogil=True)
def _span_products(
    rows: NDArray[np.uint16], first: int, last: int, query: FloatArray
) -> NDArray[np.float32]:
    products = np.empty(last - first, np.float32)
    for row in range(first, last):
        products[row - first] = _product(rows, row, query)
    return products


@njit(
    types.Tuple((float32[::1], float32[::1]))(  # type: ignore[no-untyped-call]
        READ_HALVES, READ[int64], READ[int64], READ[float32]
    ),
    cache=True,
    nogil=True,
    fastmath={"reassoc", "contract", "nsz"},
)
def _pooled_products(
    rows: NDArray[np.uint16], firsts: IntArray, sizes: IntArray, query: FloatArray
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    best, pooled = np.empty(len(firsts), np.float32), np.empty(len(firsts), np.float32)
    sums = np.empty(len(query), np.float32)
    for i in range(len(firsts)):
        sums[:] = np.float32(0)
        total, highest_product = np.float32(0), np.float32(-np.inf)
        for row in range(firsts[i], firsts[i] + sizes[i]):
            product = _product(rows, row, query)
            total += product
            highest_product = max(highest_product, product)
            for dimension in range(len(query)):
                sums[dimension] += widened(rows[row, dimension])
        squares = np.float32(0)
        for dimension in range(len(query)):
            squares += sums[dimension] * sums[dimension]
        best[i] = highest_product
        pooled[i] = total / max(np.sqrt(squares), SMALLEST)
    return best, pooled


@njit(
    types.Tuple((int64[::1], float32[::1]))(  # type: ignore[no-untyped-call]
        READ_HALVES, READ[int64], READ[int32], READ[float32]
    ),
    cache=True,
    nogil=True,
)
def _best_products(
    rows: NDArray[np.uint16], chosen: IntArray, owners: IntArray, query: FloatArray
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    best_owners, best = np.empty(len(chosen), np.int64), np.empty(len(chosen), np.float32)
    size = 0
    for i in range(len(chosen)):
        if i + AHEAD < len(chosen):
            _fetch(rows, chosen[i + AHEAD])
        product = _product(rows, chosen[i], query)
        if i == 0 or owners[i] != owners[i - 1]:
            best_owners[size], best[size] = owners[i], product
            size += 1
        elif product > best[size - 1]:
            best[size - 1] = product
    return best_owners[:size].copy(), best[:size].copy()


def best_products(
    rows: NDArray[np.float16], chosen: IntArray, owners: IntArray, query: FloatArray
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The owners of chosen rows, each once, and their best products; owners rise."""
    products: tuple[NDArray[np.int64], NDArray[np.float32]]
    products = _best_products(rows.view(np.uint16), chosen, owners, query)
    return products


def span_products(
    rows: NDArray[np.float16], first: int, last: int, query: FloatArray
) -> NDArray[np.float32]:
    """The inner products of the rows ``first:last`` with a query."""
    products: NDArray[np.float32] = _span_products(rows.view(np.uint16), first, last, query)
    return products


def pooled_products(
    rows: NDArray[np.float16], firsts: IntArray, sizes: IntArray, query: FloatArray
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The best product of ``sizes[i]`` rows from ``firsts[i]`` on, and that of their mean.

    The mean is scaled to length one. Sizes are above 0.
    """
    products: tuple[NDArray[np.float32], NDArray[np.float32]]
    products = _pooled_products(rows.view(np.uint16), firsts, sizes, query)
    return products
