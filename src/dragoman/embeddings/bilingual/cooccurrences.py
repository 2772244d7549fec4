"""Packed sentences -> how often words stand near each other, as a sparse matrix.

A pair of words d places apart counts 1/d, in both orders, within a sentence and a window; the
words between them count as places whether they are in the vocabulary or not.
"""

from itertools import pairwise

import numpy as np
from numba import njit
from scipy.sparse import csr_array

from dragoman.lexicons.sparse_rows import Table, table
from dragoman.types import FloatArray, IntArray

CHUNK = 1 << 22  # pairs that are added up at a time


def window_counts(words: IntArray, starts: IntArray, size: int, window: int) -> Table:
    """The counts (float32, ``size`` by ``size``) of the words numbered below ``size``.

    Sentence n is ``words[starts[n]:starts[n + 1]]``.
    """
    nothing = np.empty(0, dtype=np.int32)
    total = table(nothing, nothing, nothing.astype(np.float32), (size, size))
    for first, last in _chunks(starts, window):
        begin, end = int(starts[first]), int(starts[last])
        part = np.ascontiguousarray(words[begin:end], dtype=np.int32)
        places = np.ascontiguousarray(starts[first : last + 1] - begin, dtype=np.int64)
        most = 2 * window * len(part)
        rows, columns = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
        values = np.empty(most, dtype=np.float32)
        found = _pairs(part, places, size, window, rows, columns, values)
        here = table(rows[:found], columns[:found], values[:found], (size, size))
        total = csr_array(total + here)
    return total


def _chunks(starts: IntArray, window: int) -> list[tuple[int, int]]:
    """Ranges of sentences that hold some ``CHUNK`` pairs each."""
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
    found = 0
    for sentence in range(len(starts) - 1):
        for place in range(starts[sentence], starts[sentence + 1]):
            word = words[place]
            if word >= size:
                continue
            last = min(starts[sentence + 1], place + window + 1)
            for other in range(place + 1, last):
                near = words[other]
                if near >= size:
                    continue
                weight = np.float32(1.0 / (other - place))
                rows[found], columns[found], values[found] = word, near, weight
                rows[found + 1], columns[found + 1], values[found + 1] = near, word, weight
                found += 2
    return found
