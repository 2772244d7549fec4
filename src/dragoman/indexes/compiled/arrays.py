"""The arrays that compiled loops read: mapped from files, so that nobody may write to them."""

import numpy as np
from numba import boolean, float32, int32, int64, types, uint16, uint64
from numpy.typing import NDArray

READ = {
    kind: types.Array(kind, 1, "C", readonly=True)
    for kind in (boolean, int32, int64, uint64, float32)
}
READ_WORDS, READ_HALVES, READ_ROWS = (
    types.Array(kind, 2, "C", readonly=True) for kind in (uint64, uint16, float32)
)

Words = NDArray[np.uint64]
