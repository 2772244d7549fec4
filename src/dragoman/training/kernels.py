"""Rows of an embedding table on the CPU: weighted sums, their gradient, Adam updates in place.

Plain loops compiled by numba. torch's sparse gradients repeat a row for every word of the batch and
coalesce them by sorting, which costs more than the arithmetic. The cost depends on the words of the
batch, not on the size of the vocabulary; sums are taken in the order of the texts, so that the same
batch gives the same bits.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[Any]


# contraction allows fused multiply-add; nothing else is reordered
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
    """Fill ``sums`` (n, p): for each of the n ``rows``, the weighted sum of its words' vectors."""
    width = table.shape[1]
    for index in range(len(rows)):
        row = rows[index]
        total = sums[index]
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
    """The distinct words of ``rows``, in order of appearance.

    ``slots`` (v,) must be -1 everywhere; it is set to 0 for the words returned.
    """
    size = 0
    for row in rows:
        size += starts[row + 1] - starts[row]
    distinct = np.empty(size, dtype=np.int64)
    count = 0
    for row in rows:
        for at in range(starts[row], starts[row + 1]):
            word = words[at]
            if slots[word] < 0:
                slots[word] = 0
                distinct[count] = word
                count += 1
    return distinct[:count]


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
    """Add the gradient of the vectors to ``into`` (touched words, p), given that of the sums."""
    width = gradient.shape[1]
    for index in range(len(rows)):
        row = rows[index]
        sum_gradient = gradient[index]
        for at in range(starts[row], starts[row + 1]):
            target = into[slots[words[at]]]
            weight = weights[at]
            for k in range(width):
                target[k] += weight * sum_gradient[k]


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
    """One Adam step on ``rows``, in place.

    ``correction`` is the square root of the bias correction of the second moment.
    """
    rate, scale, small = np.float32(step_size), np.float32(1 / correction), np.float32(epsilon)
    # subtracted before rounding: 1 - float32(.999) has lost four digits
    keep, keep_square = np.float32(mean_decay), np.float32(square_decay)
    take, take_square = np.float32(1 - mean_decay), np.float32(1 - square_decay)
    for index in range(len(rows)):
        row = rows[index]
        weights, mean, square, given = table[row], means[row], squares[row], gradient[index]
        for k in range(len(given)):
            g = given[k]
            mean[k] = keep * mean[k] + take * g
            square[k] = keep_square * square[k] + take_square * g * g
            weights[k] -= rate * mean[k] / (np.sqrt(square[k]) * scale + small)
