"""One vector against many rows: products and distances, each row summed by itself in float64.

A row's value is the same bit for bit whichever other rows are compared, which a matrix product does
not promise: equal documents stay tied. Rows may be memory-mapped; only the ``chosen`` ones are
read.
"""

import numpy as np
from numba import njit, types

from dragoman.types import FloatArray, IntArray

ROWS = types.Array(types.float32, 2, "C", readonly=True)
CHOSEN = types.Array(types.int64, 1, "C", readonly=True)
VECTOR = types.Array(types.float64, 1, "C", readonly=True)
SUMS = types.float64[::1](ROWS, CHOSEN, VECTOR)


@njit(SUMS, cache=True, nogil=True)
def products(rows: FloatArray, chosen: IntArray, vector: FloatArray) -> FloatArray:
    """The inner product of ``vector`` with each chosen row."""
    values = np.empty(len(chosen))
    for index in range(len(chosen)):
        row = rows[chosen[index]]
        total = 0.0
        for column in range(len(vector)):
            total += row[column] * vector[column]
        values[index] = total
    return values


@njit(SUMS, cache=True, nogil=True)
def squared_distances(rows: FloatArray, chosen: IntArray, vector: FloatArray) -> FloatArray:
    """The squared Euclidean distance of ``vector`` from each chosen row; 0 for an equal one."""
    values = np.empty(len(chosen))
    for index in range(len(chosen)):
        row = rows[chosen[index]]
        total = 0.0
        for column in range(len(vector)):
            difference = row[column] - vector[column]
            total += difference * difference
        values[index] = total
    return values
