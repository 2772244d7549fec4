"""The loops of a search by words, compiled: a third of numpy's time, after a second to import them.

A process that asks once must not pay for numba, so these are imported when a process says that it
goes on asking (``Index.warm_up``); until then numpy comes to the same numbers.
"""

import numpy as np
from numba import boolean, float32, int32, int64, njit, types, void

from dragoman.types import FloatArray, IntArray

READ = {kind: types.Array(kind, 1, "C", readonly=True) for kind in (int32, int64, float32)}


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


@njit(int64[::1](READ[float32], int64), cache=True, nogil=True)
def highest(scores: FloatArray, k: int) -> IntArray:
    """Where the ``k`` highest scores above 0 are, and those equal to the last of them, rising."""
    heap = np.zeros(max(k, 1), dtype=np.float32)
    for score in scores:
        if score > heap[0]:
            _sift_down(heap, len(heap), score)
    least, count = heap[0], 0
    for score in scores:
        count += score >= least and score > 0
    found = np.empty(count, dtype=np.int64)
    count = 0
    for place in range(len(scores)):
        if scores[place] >= least and scores[place] > 0:
            found[count] = place
            count += 1
    return found
