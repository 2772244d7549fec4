"""Postings and vectors -> the documents with the highest scores."""

import numpy as np
from numba import boolean, float32, int32, int64, njit, types, void
from numpy.typing import NDArray

from dragoman.indexes.compiled.arrays import READ, READ_HALVES, READ_ROWS, READ_WORDS, Words
from dragoman.indexes.compiled.bounds import bound, top
from dragoman.indexes.compiled.instructions import fetched, halved, widened
from dragoman.indexes.compiled.likeliest import likeliest
from dragoman.types import FloatArray, IntArray

GROUP = 32  # numbers whose highest is kept
LINE, HALF, AHEAD = 64, 2, 4  # bytes of a cache line, of a number; vectors that are fetched before


@njit(
    boolean(READ[int64], READ[int64], READ[float32], READ[int32], READ[float32], float32[::1]),
    cache=True,
    nogil=True,
)
def add_postings(
    firsts: IntArray,
    lasts: IntArray,
    asked: FloatArray,
    rows: IntArray,
    weights: FloatArray,
    sums: FloatArray,
) -> bool:
    """Add the postings ``firsts[i]:lasts[i]``, times ``asked[i]``; whether all have a place.

    What follows a posting without a place is not added.
    """
    count = np.uint64(len(sums))
    for term in range(len(asked)):
        weight = asked[term]
        for place in range(np.uint64(firsts[term]), np.uint64(lasts[term])):
            row = np.uint64(rows[place])
            if row >= count:
                return False
            sums[row] += weight * weights[place]
    return True


@njit(int64[::1](READ[float32], READ[float32], int64), cache=True, nogil=True)
def _highest(values: FloatArray, tops: FloatArray, count: int) -> IntArray:
    """Where the ``count`` highest values are, and perhaps a few of the next, rising.

    ``tops`` are the highest of every ``GROUP`` values: ``count`` of these are a bound below.
    """
    least, size = bound(tops, count), 0
    places, high = np.empty(len(values), np.int64), np.empty(len(values), np.float32)
    for group in range(len(tops)):
        if tops[group] >= least:
            for place in range(group * GROUP, min((group + 1) * GROUP, len(values))):
                places[size], high[size] = place, values[place]
                size += values[place] >= least
    least, kept = bound(high[:size], count), 0
    for row in range(size):
        places[kept] = places[row]
        kept += high[row] >= least
    return places[:kept].copy()


@njit(int64[::1](READ[float32], int64), cache=True, nogil=True)
def highest(scores: FloatArray, k: int) -> IntArray:
    """Where the ``k`` highest scores above 0 are, and perhaps a few of the next, rising."""
    tops = np.empty((len(scores) + GROUP - 1) // GROUP, dtype=np.float32)
    for group in range(len(tops)):
        tops[group] = top(scores[group * GROUP : (group + 1) * GROUP])
    places, kept = _highest(scores, tops, k), 0
    for row in range(len(places)):
        if scores[places[row]] > 0:
            places[kept] = places[row]
            kept += 1
    return places[:kept].copy()


@njit(void(READ_HALVES, int64), cache=True, nogil=True)
def _fetch(vectors: NDArray[np.uint16], passage: int) -> None:
    """Have a vector on its way before it is read; there may be none."""
    size = HALF * vectors.shape[1]
    for byte in range(0, size, LINE):
        fetched(np.uint64(vectors.ctypes.data) + np.uint64(passage * size + byte))


@njit(
    float32(READ_HALVES, int64, READ[float32]),
    cache=True,
    nogil=True,
    fastmath={"reassoc", "contract", "nsz"},  # so that products are added several at a time
)
def _product(vectors: NDArray[np.uint16], passage: int, query: FloatArray) -> np.float32:
    product = np.float32(0)
    for dimension in range(len(query)):
        product += widened(vectors[passage, dimension]) * query[dimension]
    return product


@njit(float32[::1](READ[float32]), cache=True, nogil=True)
def _in_halves(query: FloatArray) -> FloatArray:
    """A query in half precision, to which the engine brings it before it compares."""
    found = np.empty(len(query), np.float32)
    for dimension in range(len(query)):
        found[dimension] = halved(query[dimension])
    return found


@njit(float32[::1](READ[int64], READ_HALVES, READ[float32], READ[int64]), cache=True, nogil=True)
def best_products(
    starts: IntArray, vectors: NDArray[np.uint16], query: FloatArray, rows: IntArray
) -> FloatArray:
    """The best product of each document's passages with the query; NaN where it has none."""
    found, asked = np.full(len(rows), np.nan, dtype=np.float32), _in_halves(query)
    for row in rows[:AHEAD]:
        _fetch(vectors, starts[row])
    for place in range(len(rows)):
        if place + AHEAD < len(rows):
            _fetch(vectors, starts[rows[place + AHEAD]])
        for passage in range(starts[rows[place]], starts[rows[place] + 1]):
            product = _product(vectors, passage, asked)
            if not found[place] >= product:
                found[place] = product
    return found


@njit(
    types.Tuple((int64[::1], float32[::1]))(  # type: ignore[no-untyped-call]
        READ[int32], READ_HALVES, READ[float32], READ[int64], READ[boolean]
    ),
    cache=True,
    nogil=True,
)
def _owners(
    owners: IntArray,
    vectors: NDArray[np.uint16],
    query: FloatArray,
    places: IntArray,
    gone: NDArray[np.bool_],
) -> tuple[IntArray, FloatArray]:
    """The rows that own rising passages, each once, with the best of their products."""
    rows, best, count = np.empty(len(places), np.int64), np.empty(len(places), np.float32), 0
    for passage in places[:AHEAD]:
        _fetch(vectors, passage)
    for place in range(len(places)):
        if place + AHEAD < len(places):
            _fetch(vectors, places[place + AHEAD])
        row = owners[places[place]]
        if len(gone) and gone[row]:
            continue
        product = _product(vectors, places[place], query)
        if count and rows[count - 1] == row:
            best[count - 1] = max(best[count - 1], product)
        else:
            rows[count], best[count] = row, product
            count += 1
    return rows[:count].copy(), best[:count].copy()


@njit(
    types.Tuple((int64[::1], int64[:, ::1], float32[:, ::1]))(  # type: ignore[no-untyped-call]
        READ[int64],
        READ[int32],
        READ_HALVES,
        READ_WORDS,
        READ_WORDS,
        READ[float32],
        READ[int64],
        READ[float32],
        READ[boolean],
        READ_ROWS,
        READ[int64],
        READ[int64],
        int64,
        int64,
        int64,
    ),
    cache=True,
    nogil=True,
)
def nearest(
    starts: IntArray,
    owners: IntArray,
    vectors: NDArray[np.uint16],
    signs: Words,
    outlines: Words,
    factors: FloatArray,
    order: IntArray,
    spread: FloatArray,
    gone: NDArray[np.bool_],
    queries: FloatArray,
    firsts: IntArray,
    lasts: IntArray,
    many: int,
    count: int,
    k: int,
) -> tuple[IntArray, IntArray, FloatArray]:
    """For each query how many, which and how near are the ``k`` nearest documents of its span.

    They are the nearest of those that own the ``count`` likeliest passages and are not ``gone``;
    best first, equal ones by row.
    """
    found, rows = np.zeros(len(queries), np.int64), np.empty((len(queries), k), np.int64)
    scores = np.empty(rows.shape, np.float32)
    for place in range(len(queries)):
        asked, first, last = _in_halves(queries[place]), starts[firsts[place]], starts[lasts[place]]
        likely = likeliest(signs, outlines, factors, order, spread, asked, first, last, many, count)
        near, products = _owners(owners, vectors, asked, likely, gone)
        near = near[products >= bound(products, k)]
        products = best_products(starts, vectors, asked, near)
        best = np.argsort(-products, kind="mergesort")[:k]
        found[place] = len(best)
        rows[place, : len(best)], scores[place, : len(best)] = near[best], products[best]
    return found, rows, scores
