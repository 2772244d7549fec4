"""A query and sketches of vectors (``indexes.sketches``) -> where the nearest are likely to be."""

import numpy as np
from numba import float32, int64, njit, types, uint64, void

from dragoman.indexes.compiled.arrays import READ, READ_WORDS, Words
from dragoman.indexes.compiled.bounds import bound
from dragoman.indexes.compiled.instructions import fetched, ones
from dragoman.types import FloatArray, IntArray

BLOCK = 256  # outlines that are compared at a time
WORD, PLANES = 64, 3  # bits of a word, and of a query's weight, which are written out below
HEAVY = np.float32(0.6)  # of a query's mean weight: what is lighter does not count for outlines
SAMPLED = 16  # of so many guesses one tells the bound
EIGHT, AHEAD = 8, 16  # bytes of a word; sketches that are fetched before they are read


@njit(
    types.Tuple((uint64[::1], uint64[::1], uint64[:, ::1]))(  # type: ignore[no-untyped-call]
        READ[float32], READ[int64], READ[float32]
    ),
    cache=True,
    nogil=True,
)
def asked_bits(
    query: FloatArray, order: IntArray, spread: FloatArray
) -> tuple[Words, Words, Words]:
    """The signs of a query's weights, which of them are heavy, and the bits of their sizes."""
    weights = query[order] * spread[order]
    sizes = np.abs(weights)
    least, highest = HEAVY * sizes.mean(), sizes.max()
    words = (len(query) + WORD - 1) // WORD
    signs, heavy = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    planes = np.zeros((PLANES, words), np.uint64)
    if highest > 0:
        for place in range(len(query)):
            word, bit = place // WORD, np.uint64(place % WORD)
            signs[word] |= np.uint64(weights[place] > 0) << bit
            heavy[word] |= np.uint64(sizes[place] > least) << bit
            level = int(sizes[place] / highest * (2**PLANES - 1) + 0.5)
            for plane in range(PLANES):
                planes[plane, word] |= np.uint64((level >> plane) & 1) << bit
    return signs, heavy, planes


@njit(void(READ_WORDS, READ[uint64], READ[uint64], int64, uint64[::1]), cache=True, nogil=True)
def _count_alike(outlines: Words, asked: Words, heavy: Words, first: int, alike: Words) -> None:
    """How many of the heavy bits each of some outlines has in common with the query."""
    size = len(alike)
    for place in range(size):
        alike[place] = 0
    for word in range(len(outlines)):
        row, sign, mask = outlines[word, first : first + size], asked[word], heavy[word]
        for place in range(size):
            alike[place] += ones(~(row[place] ^ sign) & mask)


@njit(
    float32[::1](READ_WORDS, READ[float32], READ[uint64], READ[uint64], int64, int64),
    cache=True,
    nogil=True,
)
def by_outlines(
    outlines: Words, factors: FloatArray, asked: Words, heavy: Words, first: int, last: int
) -> FloatArray:
    """What the outlines in a span let guess."""
    total = np.int32(0)
    for word in range(len(outlines)):
        total += np.int32(ones(heavy[word]))
    alike, guesses = np.empty(BLOCK, np.uint64), np.empty(last - first, np.float32)
    for start in range(0, len(guesses), BLOCK):
        mine = guesses[start : start + BLOCK]
        own = factors[first + start : first + start + len(mine)]
        _count_alike(outlines, asked, heavy, first + start, alike[: len(mine)])
        for place in range(len(mine)):
            mine[place] = np.float32(np.int32(2 * alike[place]) - np.int32(total)) * own[place]
    return guesses


@njit(int64[::1](READ[float32], int64), cache=True, nogil=True)
def _roughly_highest(values: FloatArray, count: int) -> IntArray:
    """Where about ``count`` values are, the highest, rising: a sample tells the bound."""
    sample = np.empty((len(values) + SAMPLED - 1) // SAMPLED, np.float32)
    for place in range(len(sample)):
        sample[place] = values[SAMPLED * place]
    least, size = bound(sample, max(count // SAMPLED, 1)), 0
    if len(values) <= count:
        least = np.float32(-np.inf)
    places = np.empty(len(values), np.int64)
    for place in range(len(values)):
        places[size] = place
        size += values[place] >= least
    return places[:size].copy()


@njit(
    float32[::1](READ_WORDS, READ[float32], READ[uint64], READ_WORDS, READ[int64]),
    cache=True,
    nogil=True,
)
def _by_sketches(
    signs: Words, factors: FloatArray, asked: Words, planes: Words, places: IntArray
) -> FloatArray:
    """What the sketches at some places let guess."""
    words, address = signs.shape[1], np.uint64(signs.ctypes.data)
    total, guesses = 0, np.empty(len(places), np.float32)
    for word in range(words):
        for plane in range(PLANES):
            total += int(ones(planes[plane, word])) << plane
    for place in range(len(places)):
        if place + AHEAD < len(places):
            fetched(address + np.uint64(EIGHT * words * places[place + AHEAD]))
        row, alike = signs[places[place]], np.uint64(0)
        for word in range(words):
            same = ~(row[word] ^ asked[word])
            alike += (
                ones(same & planes[0, word])
                + (ones(same & planes[1, word]) << np.uint64(1))
                + (ones(same & planes[2, word]) << np.uint64(2))
            )
        guesses[place] = np.float32(2 * np.int64(alike) - total) * factors[places[place]]
    return guesses


@njit(
    int64[::1](
        READ_WORDS,
        READ_WORDS,
        READ[float32],
        READ[int64],
        READ[float32],
        READ[float32],
        int64,
        int64,
        int64,
        int64,
    ),
    cache=True,
    nogil=True,
)
def likeliest(
    signs: Words,
    outlines: Words,
    factors: FloatArray,
    order: IntArray,
    spread: FloatArray,
    query: FloatArray,
    first: int,
    last: int,
    many: int,
    count: int,
) -> IntArray:
    """Where the ``count`` highest guesses are, and perhaps a few of the next, rising.

    Of all vectors in a span outlines are read, and sketches of the ``many`` that they let hope for.
    """
    asked, heavy, planes = asked_bits(query, order, spread)
    guesses = by_outlines(outlines, factors, asked, heavy, first, last)
    places = first + _roughly_highest(guesses, many)
    guesses = _by_sketches(signs, factors, asked, planes, places)
    return places[guesses >= bound(guesses, count)]
