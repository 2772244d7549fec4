"""Sparse rows of an embedding table, read, added to and updated in place on the processor.

Plain loops compiled by numba. No kept library serves this: torch's own sparse gradients repeat a
row for every word of the batch and sort them away again, which costs more than the arithmetic. The
work depends on the words of the batch, never on the size of the vocabulary; sums are taken in the
order of the texts, so the same batch gives the same bits.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[Any]


# contraction lets a product and a sum be one instruction; nothing else is rearranged
@njit(
    "void(float32[:, ::1], int32[::1], float32[::1], int64[::1], int64[::1], float32[:, ::1])",
    cache=True,
    fastmath={"contract"},
    error_model="numpy",
    nogil=True,
)
def weighted_sums(
    table: Floats, words: Ints, weights: Floats, starts: Ints, rows: Ints, sums: Floats
) -> None:
    """Fill ``sums`` (n, p): for each of the n ``rows``, its words' vectors times their weights."""
    width = table.shape[1]
    for place in range(len(rows)):
        row = rows[place]
        total = sums[place]
        total[:] = 0
        for at in range(starts[row], starts[row + 1]):
            vector = table[words[at]]
            weight = weights[at]
            for k in range(width):
                total[k] += weight * vector[k]


@njit(
    "int64[::1](int32[::1], int64[::1], int64[::1], int32[::1])",
    cache=True,
    nogil=True,
)
def touched_words(words: Ints, starts: Ints, rows: Ints, slots: Ints) -> Ints:
    """The different words of ``rows``, in the order they are met.

    ``slots`` (v,) is -1 everywhere before, and 0 for the words returned.
    """
    size = 0
    for row in rows:
        size += starts[row + 1] - starts[row]
    found = np.empty(size, dtype=np.int64)
    count = 0
    for row in rows:
        for at in range(starts[row], starts[row + 1]):
            word = words[at]
            if slots[word] < 0:
                slots[word] = 0
                found[count] = word
                count += 1
    return found[:count]


@njit(
    "void(int32[::1], float32[::1], int64[::1], int64[::1], int32[::1], float32[:, ::1],"
    " float32[:, ::1])",
    cache=True,
    fastmath={"contract"},
    error_model="numpy",
    nogil=True,
)
def scatter(
    words: Ints,
    weights: Floats,
    starts: Ints,
    rows: Ints,
    slots: Ints,
    gradient: Floats,
    into: Floats,
) -> None:
    """Add to ``into`` (touched words, p) what ``gradient`` (n, p) of the sums means for them."""
    width = gradient.shape[1]
    for place in range(len(rows)):
        row = rows[place]
        given = gradient[place]
        for at in range(starts[row], starts[row + 1]):
            target = into[slots[words[at]]]
            weight = weights[at]
            for k in range(width):
                target[k] += weight * given[k]


@njit(
    "void(float32[:, ::1], float32[:, ::1], float32[:, ::1], int64[::1], float32[:, ::1],"
    " float64, float64, float64, float64, float64)",
    cache=True,
    fastmath={"contract"},
    error_model="numpy",
    nogil=True,
)
def adam_rows(
    table: Floats,
    means: Floats,
    squares: Floats,
    rows: Ints,
    gradient: Floats,
    step_size: float,
    mean_decay: float,
    square_decay: float,
    correction: float,
    epsilon: float,
) -> None:
    """Adam on some rows in place; ``correction`` is the root of the squares' bias correction."""
    rate, scale, small = np.float32(step_size), np.float32(1 / correction), np.float32(epsilon)
    # taken from one before rounding: 1 - float32(.999) has lost four digits
    keep, keep_square = np.float32(mean_decay), np.float32(square_decay)
    take, take_square = np.float32(1 - mean_decay), np.float32(1 - square_decay)
    for place in range(len(rows)):
        row = rows[place]
        weights, mean, square, given = table[row], means[row], squares[row], gradient[place]
        for k in range(len(given)):
            g = given[k]
            mean[k] = keep * mean[k] + take * g
            square[k] = keep_square * square[k] + take_square * g * g
            weights[k] -= rate * mean[k] / (np.sqrt(square[k]) * scale + small)
