"""Compiled loops over postings: accumulate, skip what cannot win, keep the best k.

Documents are scored block by block, so that the accumulator stays in the processor's cache. Once k
documents are found, the terms that together reach only a small part of the worst of them are left
out of the accumulator and looked up for the few documents that the others lift near it (MaxScore,
Turtle & Flood 1995). What enters the result is summed in the order of the query's terms: a score is
the same bit for bit, whatever k is, whatever was skipped and whoever else is in the batch.

Signatures are explicit and the machine code is cached on disk: no query waits for a compiler.
Written here because no kept library searches weighted postings and breaks ties by number.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dragoman.types import FloatArray, IntArray

BoolArray = NDArray[np.bool_]

BLOCK = 16384  # documents; their accumulator fills 64 KB
STRIDE = 64  # documents looked at together before any is looked at alone

# Terms are skipped while their bounds add up to less than this part of the worst score. A larger
# part skips more postings but brings more documents that must be looked up; .3 was the fastest.
SKIPPED = np.float32(0.3)
SLACK = np.float32(1e-5)  # sums in another order differ in their last bits


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


@njit("int64(int32[::1], int64, int64, int64)", cache=True, nogil=True)
def _first_at_least(documents: IntArray, low: int, high: int, wanted: int | np.int32) -> int:
    """Position of the first posting at or after ``wanted`` in ``documents[low:high]``."""
    while low < high:
        middle = (low + high) >> 1
        if documents[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit("int64(int32[::1], int64, int64, int64)", cache=True, nogil=True)
def _next_at_least(documents: IntArray, low: int, high: int, wanted: int | np.int32) -> int:
    """``_first_at_least`` in ever longer strides from ``low``, near which the posting is."""
    ahead, stride = low, 1
    while ahead < high and documents[ahead] < wanted:
        low = ahead + 1
        ahead += stride
        stride += stride
    return _first_at_least(documents, low, min(ahead, high), wanted)


@njit("boolean(float32[::1], int64, int64, float32)", cache=True, nogil=True)
def _any_above(values: FloatArray, begin: int, end: int, bound: np.float32) -> bool:
    """Whether any value is above ``bound``.

    Counted without a branch, in 32 bits, by unsigned places: the compiler takes many at once.
    """
    above = np.int32(0)
    for place in range(np.uint64(begin), np.uint64(end)):
        above = np.int32(above + np.int32(values[place] > bound))
    return bool(above > 0)


@njit(
    "float32(int64[::1], int64[::1], int32[::1], float32[::1], float32[::1], int32)",
    cache=True,
    nogil=True,
)
def _score_in_order(
    starts: IntArray,
    stops: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    weights: FloatArray,
    document: np.int32,
) -> np.float32:
    """The document's score from the postings ``starts[i]:stops[i]`` of every term i."""
    total = np.float32(0.0)
    for term in range(len(weights)):
        place = _first_at_least(documents, starts[term], stops[term], document)
        if place < stops[term] and documents[place] == document:
            total += weights[term] * impacts[place]
    return total


@njit(
    "boolean(float32, float32, int64[::1], float32[::1], int64, int64[::1], int64[::1],"
    " int32[::1], float32[::1], float32[::1], int32)",
    cache=True,
    nogil=True,
)
def _may_exceed(
    score: np.float32,
    needed: np.float32,
    by_bound: IntArray,
    running: FloatArray,
    left_out: int,
    cursors: IntArray,
    stops: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    weights: FloatArray,
    document: np.int32,
) -> bool:
    """Whether ``score`` and the skipped terms exceed ``needed``; the weightiest are asked first.

    ``cursors`` move on to the document: the next one asked about must have a higher number.
    """
    for place_by_bound in range(left_out - 1, -1, -1):
        if score + running[place_by_bound] <= needed:
            return False
        term = by_bound[place_by_bound]
        place = _next_at_least(documents, cursors[term], stops[term], document)
        cursors[term] = place
        if place < stops[term] and documents[place] == document:
            score += weights[term] * impacts[place]
    return bool(score > needed)


@njit(
    "boolean(int64, int64, boolean[::1], int64[::1], int64[::1], int64[::1], int32[::1],"
    " float32[::1], float32[::1], float32[::1])",
    cache=True,
    nogil=True,
)
def _add_block(
    first: int,
    last: int,
    skipped: BoolArray,
    starts: IntArray,
    stops: IntArray,
    ends: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    weights: FloatArray,
    accumulator: FloatArray,
) -> bool:
    """Add the terms' postings for documents ``first:last``; whether there was any.

    ``starts`` and ``stops`` move on to this block's postings, also those of skipped terms.
    """
    touched = False
    for term in range(len(weights)):
        start, weight = stops[term], weights[term]
        stop = _first_at_least(documents, start, ends[term], last)
        starts[term], stops[term] = start, stop
        if skipped[term]:
            continue
        for place in range(np.uint64(start), np.uint64(stop)):  # unsigned: no check for a[-1]
            accumulator[np.uint64(documents[place] - first)] += weight * impacts[place]
        touched = touched or stop > start
    return touched


@njit(
    "int64(int64[::1], float32[::1], int64[::1], int32[::1], float32[::1], float32[::1], int64,"
    " float32[::1], int32[::1])",
    cache=True,
    nogil=True,
)
def best(
    dimensions: IntArray,
    weights: FloatArray,
    indptr: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    largest_impacts: FloatArray,
    count: int,
    scores: FloatArray,
    found: IntArray,
) -> int:
    """Fill ``scores`` and ``found`` with the best documents, best first; the answer is how many.

    The query is ``dimensions`` and ``weights``, of which those above 0 count; the rest is the index
    over ``count`` documents. Equal scores stand in the order of the documents' numbers.
    """
    size, worst = 0, np.float32(0.0)
    stops = indptr[dimensions]
    ends = np.where(weights > 0, indptr[dimensions + 1], stops)
    bounds = np.maximum(weights, np.float32(0.0)) * largest_impacts[dimensions]
    by_bound = np.argsort(bounds)
    running = np.cumsum(bounds[by_bound])
    skipped, left_out, rest = np.zeros(len(weights), dtype=np.bool_), 0, np.float32(0.0)
    starts, cursors = np.empty_like(stops), np.empty_like(stops)
    accumulator = np.zeros(min(BLOCK, count), dtype=np.float32)
    postings = (documents, impacts, weights)
    for first in range(0, count, BLOCK):
        last = min(first + BLOCK, count)
        if not _add_block(first, last, skipped, starts, stops, ends, *postings, accumulator):
            continue
        cursors[:] = starts
        needed = worst - SLACK * worst if left_out else worst
        for begin in range(0, last - first, STRIDE):
            end = min(begin + STRIDE, last - first)
            if not _any_above(accumulator, begin, end, needed - rest):
                continue
            for offset in range(begin, end):
                score, document = accumulator[offset], np.int32(first + offset)
                if score <= needed - rest:
                    continue
                if left_out:
                    places = (by_bound, running, left_out, cursors, stops)
                    if not _may_exceed(score, needed, *places, *postings, document):
                        continue
                    score = _score_in_order(starts, stops, *postings, document)
                if score > worst:
                    size = _offer(scores, found, size, score, document)
                    worst = scores[0] if size == len(scores) else worst
                    needed = worst - SLACK * worst if left_out else worst
        accumulator[:] = 0.0
        while left_out < len(weights) and running[left_out] < worst * SKIPPED:
            skipped[by_bound[left_out]], rest = True, running[left_out]
            left_out += 1
    for left in range(size - 1, 0, -1):  # the worst is on top: take it off, put it last
        scores[0], scores[left] = scores[left], scores[0]
        found[0], found[left] = found[left], found[0]
        _sift_down(scores, found, left)
    return size


@njit(
    "void(int64[::1], int64[::1], float32[::1], int64[::1], int32[::1], float32[::1], float32[::1],"
    " int64, float32[:, ::1], int32[:, ::1], int64[::1])",
    cache=True,
    nogil=True,
)
def best_of_many(
    queries: IntArray,
    dimensions: IntArray,
    weights: FloatArray,
    indptr: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    largest_impacts: FloatArray,
    count: int,
    scores: FloatArray,
    found: IntArray,
    sizes: IntArray,
) -> None:
    """Run ``best`` for every query; query q has the terms ``queries[q]:queries[q + 1]``."""
    for query in range(len(queries) - 1):
        first, last = queries[query], queries[query + 1]
        sizes[query] = best(
            dimensions[first:last],
            weights[first:last],
            indptr,
            documents,
            impacts,
            largest_impacts,
            count,
            scores[query],
            found[query],
        )


@njit(
    "void(int64[::1], float32[::1], int64[::1], int32[::1], float32[::1], float32[::1])",
    cache=True,
    nogil=True,
)
def accumulate(
    dimensions: IntArray,
    weights: FloatArray,
    indptr: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    totals: FloatArray,
) -> None:
    """Add every dimension's impacts, times its weight where that is above 0, to ``totals``."""
    for term in range(len(weights)):
        dimension, weight = dimensions[term], weights[term]
        if weight > 0:
            for place in range(indptr[dimension], indptr[dimension + 1]):
                totals[documents[place]] += weight * impacts[place]


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
