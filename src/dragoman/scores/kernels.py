"""Compiled loops over postings: accumulate, skip what cannot win, keep the best k.

Documents are scored block by block, so that the accumulator stays in the cache. Once k documents
are found, the terms that together cannot lift a document over the worst of them are only looked up
for documents that other terms brought in (Turtle & Flood 1995, MaxScore). A skipped term changes
no score: what may enter the result is summed again in the order of the query's terms.

Signatures are explicit and the machine code is cached on disk: no query waits for a compiler.
Written here because no kept library searches weighted postings with a running bound.
"""

import numpy as np
from numba import njit

from dragoman.types import FloatArray, IntArray

BLOCK = 8192
# Sums in another order differ in the last bits; a bound may not cut what rounding would have kept.
SLACK = np.float32(1.0 - 1e-5)


@njit("int64(int32[::1], int64, int64, int64)", cache=True, nogil=True)
def _first_at_least(documents: IntArray, low: int, high: int, wanted: int | np.int32) -> int:
    """Position of the first posting at or after ``wanted`` in ``documents[low:high]``."""
    step = 1
    while low + step < high and documents[low + step] < wanted:
        low += step
        step *= 2
    high = min(high, low + step + 1)
    while low < high:
        middle = (low + high) >> 1
        if documents[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit("boolean(float32, int32, float32, int32)", cache=True, nogil=True, inline="always")
def _worse(score: float, document: int, other_score: float, other_document: int) -> bool:
    return score < other_score or (score == other_score and document > other_document)


@njit("void(float32[::1], int32[::1], int64)", cache=True, nogil=True)
def _sift_down(scores: FloatArray, documents: IntArray, size: int) -> None:
    """Restore the heap (worst on top) after its top was replaced."""
    place = 0
    score, document = scores[0], documents[0]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and _worse(
            scores[child + 1], documents[child + 1], scores[child], documents[child]
        ):
            child += 1
        if not _worse(scores[child], documents[child], score, document):
            break
        scores[place], documents[place] = scores[child], documents[child]
        place = child
    scores[place], documents[place] = score, document


@njit("void(float32[::1], int32[::1], int64)", cache=True, nogil=True)
def _sift_up(scores: FloatArray, documents: IntArray, place: int) -> None:
    """Restore the heap (worst on top) after a leaf was added at ``place``."""
    score, document = scores[place], documents[place]
    while place > 0:
        parent = (place - 1) >> 1
        if not _worse(score, document, scores[parent], documents[parent]):
            break
        scores[place], documents[place] = scores[parent], documents[parent]
        place = parent
    scores[place], documents[place] = score, document


@njit("int64(float32[::1], int32[::1], int64, float32, int32)", cache=True, nogil=True)
def _offer(
    scores: FloatArray, documents: IntArray, size: int, score: np.float32, document: np.int32
) -> int:
    """Take the document in if it is among the best; the answer is how many there are now.

    Documents come in rising order, so one that only equals the worst stays out.
    """
    if size < len(scores):
        scores[size], documents[size] = score, document
        _sift_up(scores, documents, size)
        return size + 1
    if score > scores[0]:
        scores[0], documents[0] = score, document
        _sift_down(scores, documents, size)
    return size


@njit(
    "float32(int64[::1], int64[::1], int32[::1], float32[::1], float32[::1], int32)",
    cache=True,
    nogil=True,
)
def _score_in_order(
    lows: IntArray,
    ends: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    weights: FloatArray,
    document: np.int32,
) -> np.float32:
    """The document's score, its terms added in the order of the query."""
    total = np.float32(0.0)
    for term in range(len(weights)):
        place = _first_at_least(documents, lows[term], ends[term], document)
        if place < ends[term] and documents[place] == document:
            total += weights[term] * impacts[place]
    return total


@njit(
    "int64(int64[::1], int64[::1], int32[::1], float32[::1], float32[::1], float32[::1], int64,"
    " float32[::1], int32[::1])",
    cache=True,
    nogil=True,
)
def best(
    starts: IntArray,
    ends: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    weights: FloatArray,
    bounds: FloatArray,
    count: int,
    scores: FloatArray,
    found: IntArray,
) -> int:
    """Fill ``scores`` and ``found`` with the best documents, best first; the answer is how many.

    Term i has the postings ``starts[i]:ends[i]`` of ``documents`` and ``impacts``, the weight
    ``weights[i]`` (above 0) and no contribution above ``bounds[i]``. ``count`` is the number of
    documents in the index. Equal scores stand in the order of the documents' numbers.
    """
    k, terms, size = len(scores), len(weights), 0
    by_bound = np.argsort(bounds)
    running = np.cumsum(bounds[by_bound])
    lows, nexts = starts.copy(), starts.copy()  # of this block, of the next
    accumulator = np.zeros(min(BLOCK, count), dtype=np.float32)
    needed, threshold = np.ones(terms, dtype=np.bool_), np.float32(0.0)
    optional, rest = 0, np.float32(0.0)
    for first in range(0, count, BLOCK):
        last = min(first + BLOCK, count)
        touched = False
        for term in range(terms):
            if not needed[term]:
                lows[term] = _first_at_least(documents, lows[term], ends[term], first)
                continue
            lows[term] = place = nexts[term]
            end, weight = ends[term], weights[term]
            while place < end and documents[place] < last:
                accumulator[documents[place] - first] += weight * impacts[place]
                place += 1
            touched = touched or place > nexts[term]
            nexts[term] = place
        if not touched:
            continue
        for offset in range(last - first):
            score = accumulator[offset]
            if score == 0.0:
                continue
            accumulator[offset] = np.float32(0.0)
            document = np.int32(first + offset)
            if optional > 0:
                if score + rest < threshold * SLACK:
                    continue
                score = _score_in_order(lows, ends, documents, impacts, weights, document)
            size = _offer(scores, found, size, score, document)
        if size == k:
            threshold = scores[0]
            optional = 0
            while optional < terms and running[optional] < threshold * SLACK:
                needed[by_bound[optional]] = False
                optional += 1
            rest = running[optional - 1] if optional > 0 else np.float32(0.0)
    for left in range(size - 1, 0, -1):  # the worst is on top: take it off, put it last
        scores[0], scores[left] = scores[left], scores[0]
        found[0], found[left] = found[left], found[0]
        _sift_down(scores, found, left)
    return size


@njit(
    "void(int64[::1], int64[::1], int32[::1], float32[::1], float32[::1], float32[::1])",
    cache=True,
    nogil=True,
)
def accumulate(
    starts: IntArray,
    ends: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    weights: FloatArray,
    totals: FloatArray,
) -> None:
    """Add every term's weighted impacts to ``totals``, one number per document."""
    for term in range(len(weights)):
        for place in range(starts[term], ends[term]):
            totals[documents[place]] += weights[term] * impacts[place]


@njit(
    "void(int64[::1], int32[::1], float32[::1], int32[::1], int32[::1], int64[::1], int32[::1],"
    " float32[::1])",
    cache=True,
    nogil=True,
)
def transpose(
    row_starts: IntArray,
    terms: IntArray,
    values: FloatArray,
    order: IntArray,
    numbers: IntArray,
    places: IntArray,
    documents: IntArray,
    impacts: FloatArray,
) -> None:
    """Rows -> postings by counting; rows are taken in ``order``, in which ``numbers`` rise.

    ``places`` holds where each term's postings begin and is used up.
    """
    for row in order:
        for cell in range(row_starts[row], row_starts[row + 1]):
            place = places[terms[cell]]
            places[terms[cell]] = place + 1
            documents[place] = numbers[row]
            impacts[place] = values[cell]


@njit("void(int64[::1], float32[::1], float32[::1])", cache=True, nogil=True)
def largest(indptr: IntArray, impacts: FloatArray, bounds: FloatArray) -> None:
    """The largest impact of every term; 0 for a term without postings."""
    for term in range(len(indptr) - 1):
        for place in range(indptr[term], indptr[term + 1]):
            bounds[term] = max(bounds[term], impacts[place])
