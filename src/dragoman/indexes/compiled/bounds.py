"""Numbers -> a bound that few of them are not below, found without sorting them."""

import numpy as np
from numba import float32, int64, njit

from dragoman.indexes.compiled.arrays import READ
from dragoman.types import FloatArray

HALVINGS = 12  # of the span in which a bound is looked for


@njit(float32(READ[float32]), cache=True, nogil=True, fastmath={"nnan", "nsz"})
def top(values: FloatArray) -> np.float32:
    """The highest of some numbers, several at a time because none is NaN."""
    top: np.float32 = values[0]
    for value in values:
        top = max(top, value)
    return top


@njit(float32(READ[float32], float32), cache=True, nogil=True, fastmath={"reassoc", "nsz"})
def _count_above(values: FloatArray, least: np.float32) -> np.float32:
    """How many are not below ``least``; counted in floats, which go several at a time."""
    count = np.float32(0)
    for place in range(len(values)):
        count += np.float32(values[place] >= least)
    return count


@njit(float32(READ[float32], int64), cache=True, nogil=True)
def bound(values: FloatArray, count: int) -> np.float32:
    """A number that ``count`` of the values are not below, and few more; found by halving."""
    if len(values) <= count:
        return np.float32(-np.inf)
    low, high = values[0], top(values)
    for value in values:
        low = min(low, value)
    for _ in range(HALVINGS):
        middle = (low + high) / np.float32(2)
        if _count_above(values, middle) >= count:
            low = middle
        else:
            high = middle
    return np.float32(low)
