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


@njit("boolean(float32[::1], int64, int64, float32)", cache=True, nogil=True)
def _any_above(values: FloatArray, begin: int, end: int, bound: np.float32) -> bool:
    """Whether any value is above ``bound``; counted without a branch, so many at a time."""
    above = 0
    for place in range(begin, end):
        above += values[place] > bound
    return above > 0


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
        for place in range(start, stop):
            accumulator[documents[place] - first] += weight * impacts[place]
        touched = touched or stop > start
    return touched


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
    size, worst = 0, np.float32(0.0)
    by_bound = np.argsort(bounds)
    running = np.cumsum(bounds[by_bound])
    skipped, left_out, rest = np.zeros(len(weights), dtype=np.bool_), 0, np.float32(0.0)
    block_starts, block_stops = starts.copy(), starts.copy()
    accumulator = np.zeros(min(BLOCK, count), dtype=np.float32)
    postings = (documents, impacts, weights)
    for first in range(0, count, BLOCK):
        last = min(first + BLOCK, count)
        if not _add_block(
            first, last, skipped, block_starts, block_stops, ends, *postings, accumulator
        ):
            continue
        bar = worst - rest - SLACK * worst if left_out else worst
        for begin in range(0, last - first, STRIDE):
            end = min(begin + STRIDE, last - first)
            if not _any_above(accumulator, begin, end, bar):
                continue
            for offset in range(begin, end):
                score, document = accumulator[offset], np.int32(first + offset)
                if score > bar and left_out:
                    score = _score_in_order(block_starts, block_stops, *postings, document)
                if score > worst:
                    size = _offer(scores, found, size, score, document)
                    worst = scores[0] if size == len(scores) else worst
                    bar = worst - rest - SLACK * worst if left_out else worst
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
    "void(int64[::1], int64[::1], int64[::1], int32[::1], float32[::1], float32[::1], float32[::1],"
    " int64, float32[:, ::1], int32[:, ::1], int64[::1])",
    cache=True,
    nogil=True,
)
def best_of_many(
    queries: IntArray,
    starts: IntArray,
    ends: IntArray,
    documents: IntArray,
    impacts: FloatArray,
    weights: FloatArray,
    bounds: FloatArray,
    count: int,
    scores: FloatArray,
    found: IntArray,
    sizes: IntArray,
) -> None:
    """Run ``best`` for every query; query q has the terms ``queries[q]:queries[q + 1]``."""
    for query in range(len(queries) - 1):
        first, last = queries[query], queries[query + 1]
        sizes[query] = best(
            starts[first:last],
            ends[first:last],
            documents,
            impacts,
            weights[first:last],
            bounds[first:last],
            count,
            scores[query],
            found[query],
        )


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
