"""The loops of a search, compiled: a third of numpy's time or less, after a second to import them.

A process that asks once must not pay for numba, so these are imported when a process says that it
goes on asking (``Index.warm_up``). All are in one file, because numba keeps what it has compiled
until that very file changes.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import boolean, float32, int32, int64, njit, types, uint16, uint64, void
from numba.extending import intrinsic
from numpy.typing import NDArray

from dragoman.types import FloatArray, IntArray

BLOCK, GROUP = 256, 32  # sketches that are compared at a time; numbers whose highest is kept
WORD, PLANES = 64, 3  # bits of a word, and of a query's weight, which are written out below
HALVINGS = 12  # of the span in which a bound is looked for

READ = {kind: types.Array(kind, 1, "C", readonly=True) for kind in (int32, int64, uint64, float32)}
READ_WORDS, READ_HALVES = (types.Array(kind, 2, "C", readonly=True) for kind in (uint64, uint16))

Words = NDArray[np.uint64]


def _counting(_: Any, word: Any) -> Any:  # noqa: ANN401 - numba's own types
    return uint64(word), lambda _, builder, __, words: builder.ctpop(words[0])


def _widening(_: Any, half: Any) -> Any:  # noqa: ANN401 - numba's own types
    def convert(_: Any, builder: Any, __: Any, halves: Any) -> Any:  # noqa: ANN401
        return builder.fpext(builder.bitcast(halves[0], ir.HalfType()), ir.FloatType())

    return float32(half), convert


# One instruction for several numbers at once: how many bits of a word are set, and a number of
# half precision, given by its bits, as a float.
_ones: Any = intrinsic(_counting)
_widened: Any = intrinsic(_widening)


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


@njit(void(float32[::1], int64, float32), cache=True, nogil=True)
def _sift_down(heap: FloatArray, size: int, value: np.float32) -> None:
    """Put ``value`` in the place of the least, which is on top."""
    place, below = 0, 1
    while below < size:
        if below + 1 < size and heap[below + 1] < heap[below]:
            below += 1
        if heap[below] >= value:
            break
        heap[place] = heap[below]
        place, below = below, 2 * below + 1
    heap[place] = value


@njit(float32(READ[float32]), cache=True, nogil=True, fastmath={"nnan", "nsz"})
def _top(values: FloatArray) -> np.float32:
    """The highest of some numbers, several at a time because none is NaN."""
    top: np.float32 = values[0]
    for value in values:
        top = max(top, value)
    return top


@njit(float32(READ[float32], int64), cache=True, nogil=True)
def _bound(values: FloatArray, count: int) -> np.float32:
    """A number that ``count`` of the values are not below, and few more; found by halving."""
    if len(values) <= count:
        return np.float32(-np.inf)
    low, high = values[0], _top(values)
    for value in values:
        low = min(low, value)
    for _ in range(HALVINGS):
        middle, above = (low + high) / np.float32(2), 0
        for value in values:
            above += value >= middle
        if above >= count:
            low = middle
        else:
            high = middle
    return np.float32(low)


@njit(int64[::1](READ[float32], READ[float32], int64), cache=True, nogil=True)
def _highest(values: FloatArray, tops: FloatArray, count: int) -> IntArray:
    """Where the ``count`` highest values are, and those equal to the last of them, rising.

    ``tops`` are the highest of every ``GROUP`` values: ``count`` of these are a bound below.
    """
    bound, size = _bound(tops, count), 0
    places, heap = np.empty(len(values), np.int64), np.full(count, -np.inf, np.float32)
    for group in range(len(tops)):
        if tops[group] >= bound:
            for place in range(group * GROUP, min((group + 1) * GROUP, len(values))):
                if values[place] >= bound:
                    places[size] = place
                    size += 1
                    if values[place] > heap[0]:
                        _sift_down(heap, count, values[place])
    kept = 0
    for row in range(size):
        if values[places[row]] >= heap[0]:
            places[kept] = places[row]
            kept += 1
    return places[:kept].copy()


@njit(int64[::1](READ[float32], int64), cache=True, nogil=True)
def highest(scores: FloatArray, k: int) -> IntArray:
    """Where the ``k`` highest scores above 0 are, and those equal to the last of them, rising."""
    tops = np.empty((len(scores) + GROUP - 1) // GROUP, dtype=np.float32)
    for group in range(len(tops)):
        tops[group] = _top(scores[group * GROUP : (group + 1) * GROUP])
    places, kept = _highest(scores, tops, k), 0
    for row in range(len(places)):
        if scores[places[row]] > 0:
            places[kept] = places[row]
            kept += 1
    return places[:kept].copy()


@njit(
    types.Tuple((uint64[::1], uint64[:, ::1], int64))(  # type: ignore[no-untyped-call]
        READ[float32], READ[float32]
    ),
    cache=True,
    nogil=True,
)
def _asked(query: FloatArray, spread: FloatArray) -> tuple[Words, Words, int]:
    """The signs of a query's weights, the bits of their sizes, and the sum of these."""
    words = (len(query) + WORD - 1) // WORD
    signs, planes = np.zeros(words, np.uint64), np.zeros((PLANES, words), np.uint64)
    highest, total = np.float32(0), 0
    for dimension in range(len(query)):
        highest = max(highest, abs(query[dimension] * spread[dimension]))
    if highest > 0:
        for dimension in range(len(query)):
            weight = query[dimension] * spread[dimension]
            word, bit = dimension // WORD, np.uint64(dimension % WORD)
            level = int(abs(weight) / highest * (2**PLANES - 1) + 0.5)
            total += level
            signs[word] |= np.uint64(weight > 0) << bit
            for plane in range(PLANES):
                planes[plane, word] |= np.uint64((level >> plane) & 1) << bit
    return signs, planes, total


@njit(void(READ_WORDS, READ[uint64], READ_WORDS, int64, int64, uint64[::1]), cache=True, nogil=True)
def _add_alike(
    signs: Words, asked: Words, planes: Words, first: int, size: int, sums: Words
) -> None:
    """The weights of the bits that each of some sketches has in common with the query, added."""
    for place in range(size):
        sums[place] = 0
    for word in range(len(asked)):
        row, sign = signs[word, first : first + size], asked[word]
        one, two, four = planes[0, word], planes[1, word], planes[2, word]
        for place in range(size):
            alike = ~(row[place] ^ sign)
            sums[place] += (
                _ones(alike & one)
                + (_ones(alike & two) << np.uint64(1))
                + (_ones(alike & four) << np.uint64(2))
            )


@njit(
    int64[::1](READ_WORDS, READ[float32], READ[float32], READ[float32], int64, int64, int64),
    cache=True,
    nogil=True,
)
def likeliest(
    signs: Words,
    factors: FloatArray,
    spread: FloatArray,
    query: FloatArray,
    first: int,
    last: int,
    count: int,
) -> IntArray:
    """Where the ``count`` highest guesses are, and those equal to the last of them, rising."""
    asked, planes, total = _asked(query, spread)
    sums = np.empty(BLOCK, dtype=np.uint64)
    guesses = np.empty(last - first, dtype=np.float32)
    tops = np.empty((last - first + GROUP - 1) // GROUP, dtype=np.float32)
    for start in range(0, len(guesses), BLOCK):
        mine = guesses[start : start + BLOCK]
        _add_alike(signs, asked, planes, first + start, len(mine), sums)
        for place in range(len(mine)):
            alike = np.float32(2 * np.int64(sums[place]) - total)
            mine[place] = alike * factors[first + start + place]
        for group in range(0, len(mine), GROUP):
            tops[(start + group) // GROUP] = _top(mine[group : group + GROUP])
    places = _highest(guesses, tops, count)
    for row in range(len(places)):
        places[row] += first
    return places


@njit(int64[::1](READ[int64], READ[int64]), cache=True, nogil=True)
def owners(starts: IntArray, places: IntArray) -> IntArray:
    """The documents of rising passages, each once; ``starts`` says where a document's begin."""
    found, count = np.empty(len(places), np.int64), 0
    end = -1  # of the passages of the last document
    for place in places:
        if place >= end:
            low, high = 0, len(starts) - 1  # the document is between them
            while high - low > 1:
                middle = (low + high) // 2
                if starts[middle] <= place:
                    low = middle
                else:
                    high = middle
            found[count], end = low, starts[high]
            count += 1
    return found[:count].copy()


@njit(
    float32[::1](READ[int64], READ_HALVES, READ[float32], READ[int64]),
    cache=True,
    nogil=True,
    fastmath={"reassoc", "contract", "nsz"},  # so that products are added several at a time
)
def best_products(
    starts: IntArray, vectors: NDArray[np.uint16], query: FloatArray, rows: IntArray
) -> FloatArray:
    """The best product of each document's passages with the query; NaN where it has none."""
    found = np.empty(len(rows), dtype=np.float32)
    for place in range(len(rows)):
        row, found[place] = rows[place], np.nan
        for passage in range(starts[row], starts[row + 1]):
            product = np.float32(0)
            for dimension in range(len(query)):
                product += _widened(vectors[passage, dimension]) * query[dimension]
            if not found[place] >= product:
                found[place] = product
    return found


@njit(
    types.Tuple((int64[::1], float32[::1]))(  # type: ignore[no-untyped-call]
        READ[int64],
        READ_HALVES,
        READ_WORDS,
        READ[float32],
        READ[float32],
        READ[float32],
        int64,
        int64,
        int64,
    ),
    cache=True,
    nogil=True,
)
def nearest(
    starts: IntArray,
    vectors: NDArray[np.uint16],
    signs: Words,
    factors: FloatArray,
    spread: FloatArray,
    query: FloatArray,
    first: int,
    last: int,
    count: int,
) -> tuple[IntArray, FloatArray]:
    """The rows in a span of those documents that own what looks nearest, with their best products.

    They are all that have one of the ``count`` likeliest passages, in the order of their rows.
    """
    places = likeliest(signs, factors, spread, query, starts[first], starts[last], count)
    rows = owners(starts, places)
    return rows, best_products(starts, vectors, query, rows)
