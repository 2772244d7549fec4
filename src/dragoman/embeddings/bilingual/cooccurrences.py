"""Packed sentences -> the co-occurrence counts of words within a window, as a sparse matrix.

A pair of words at distance d counts 1/d, in both orders, within a sentence and a window; words
between them that are not in the vocabulary count for the distance too.
"""

from itertools import pairwise

import numpy as np
from numba import njit
from scipy.sparse import csr_array

from dragoman.lexicons.sparse_rows import Table, table
from dragoman.types import FloatArray, IntArray

CHUNK = 1 << 22  # pairs that are summed at a time


def window_counts(words: IntArray, starts: IntArray, size: int, window: int) -> Table:
    """The counts (float32, ``size`` by ``size``) of the words with ids below ``size``.

    Sentence n is ``words[starts[n]:starts[n + 1]]``.
    """
    nothing = np.empty(0, dtype=np.int32)
    total = table(nothing, nothing, nothing.astype(np.float32), (size, size))
    for first, last in _chunks(starts, window):
        begin, end = int(starts[first]), int(starts[last])
        part = np.ascontiguousarray(words[begin:end], dtype=np.int32)
        part_starts = np.ascontiguousarray(starts[first : last + 1] - begin, dtype=np.int64)
        most = 2 * window * len(part)
        rows, columns = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
        values = np.empty(most, dtype=np.float32)
        count = _pairs(part, part_starts, size, window, rows, columns, values)
        counts = table(rows[:count], columns[:count], values[:count], (size, size))
        total = csr_array(total + counts)
    return total


def _chunks(starts: IntArray, window: int) -> list[tuple[int, int]]:
    """Ranges of sentences with about ``CHUNK`` pairs each."""
    if len(starts) < 2:
        return []
    step = max(1, CHUNK // (2 * window))
    edges = np.searchsorted(starts, np.arange(0, int(starts[-1]) + step, step))
    cuts = np.unique(np.clip(np.append(edges, len(starts) - 1), 0, len(starts) - 1)).tolist()
    return list(pairwise(cuts))


@njit(
    "int64(int32[::1], int64[::1], int64, int64, int32[::1], int32[::1], float32[::1])",
    cache=True,
    nogil=True,
)
def _pairs(
    words: IntArray,
    starts: IntArray,
    size: int,
    window: int,
    rows: IntArray,
    columns: IntArray,
    values: FloatArray,
) -> int:
    count = 0
    for sentence in range(len(starts) - 1):
        for position in range(starts[sentence], starts[sentence + 1]):
            word = words[position]
            if word >= size:
                continue
            last = min(starts[sentence + 1], position + window + 1)
            for other in range(position + 1, last):
                near = words[other]
                if near >= size:
                    continue
                weight = np.float32(1.0 / (other - position))
                rows[count], columns[count], values[count] = word, near, weight
                rows[count + 1], columns[count + 1], values[count + 1] = near, word, weight
                count += 2
    return count
