"""Rows of numbers in 1, 2, 4 or 8 bits each: uniform quantisation with one scale per row.

The steps are symmetric around zero, with the optimal width for normally distributed numbers (Max
1960), which the rows of a trained table nearly are. A row of 512 numbers takes 128 bytes at 2 bits,
and the errors of the rows of a sentence are independent and mostly cancel.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError
from dragoman.types import FloatArray

# bits -> the optimal step for numbers of standard deviation one
STEPS = {1: 1.596, 2: 0.9957, 4: 0.3352, 8: 0.0308}


@dataclass(frozen=True)
class QuantizedRows:
    """A table of ``dimension`` columns in ``bits`` bits per number."""

    bits: int
    dimension: int
    codes: NDArray[np.uint8]  # (rows, dimension * bits / 8)
    spreads: NDArray[np.float16]  # (rows,): the root mean square of each row

    def rows(self, chosen: NDArray[np.integer] | slice) -> FloatArray:
        """The chosen rows as float32."""
        per_byte = 8 // self.bits
        shifts = np.arange(per_byte, dtype=np.uint8) * self.bits
        levels = (self.codes[chosen][:, :, None] >> shifts) & ((1 << self.bits) - 1)
        centred = (
            levels.reshape(len(levels), self.dimension).astype(np.float32)
            - ((1 << self.bits) - 1) / 2
        )
        spread = self.spreads[chosen].astype(np.float32)[:, None]
        values: FloatArray = centred * np.float32(STEPS[self.bits]) * spread
        return values


def check_bits(bits: int) -> None:
    """Refuse a number of bits that rows cannot be stored in."""
    if bits not in STEPS:
        raise ConfigError(f"bits must be one of {', '.join(map(str, STEPS))}, got {bits}")


def quantize(table: FloatArray, bits: int) -> QuantizedRows:
    """The table in ``bits`` bits per number."""
    check_bits(bits)
    if table.shape[1] * bits % 8:
        raise ConfigError(f"{table.shape[1]} columns of {bits} bits do not fill whole bytes")
    spreads = np.sqrt(np.mean(np.square(table, dtype=np.float64), axis=1)).astype(np.float16)
    scale = np.maximum(spreads.astype(np.float32), np.finfo(np.float16).tiny)[:, None]
    top = (1 << bits) - 1
    levels = np.clip(np.rint(table / (scale * STEPS[bits]) + top / 2), 0, top).astype(np.uint8)
    per_byte = 8 // bits
    grouped = levels.reshape(len(table), -1, per_byte)
    shifts = np.arange(per_byte, dtype=np.uint8) * bits
    codes = np.bitwise_or.reduce(grouped << shifts, axis=2).astype(np.uint8)
    return QuantizedRows(bits, table.shape[1], codes, spreads)
