"""The distance of one vector from many rows, each row summed by itself in float64.

A row's value is the same bit for bit whichever other rows are compared, so equal documents stay
tied. Rows may be memory-mapped; only the ``chosen`` ones are read. The values are those of scipy's
``cdist``, which takes 1.8 times as long (100,000 rows of 300 dimensions) and copies the rows.
"""

import numpy as np
from numba import njit, types

from dragoman.types import FloatArray, IntArray

ROWS = types.Array(types.float32, 2, "C", readonly=True)
CHOSEN = types.Array(types.int64, 1, "C", readonly=True)
VECTOR = types.Array(types.float64, 1, "C", readonly=True)


@njit(types.float64[::1](ROWS, CHOSEN, VECTOR), cache=True, nogil=True)
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
