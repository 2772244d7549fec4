"""Positions of many sentences -> 8-bit integers with a scale a row, in a quarter of the room.

Numbers of one column stand together, so that a processor multiplies many rows at once. What is
stored differs from what was computed by at most scale / 2 a number.

    columns.npy   (p, positions) int8, memory-mapped
    scales.npy    (positions,) float32
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import IndexFault

STEPS = 127  # of an 8-bit integer on either side of zero
FILES = ("columns", "scales")


@dataclass(frozen=True, eq=False)
class Positions:
    """Stored vectors."""

    columns: NDArray[np.int8]
    scales: NDArray[np.float32]

    @classmethod
    def of(cls, rows: NDArray[np.int8], scales: NDArray[np.float32]) -> "Positions":
        """Quantised rows (positions, p)."""
        return cls(np.ascontiguousarray(rows.T), scales)

    def __len__(self) -> int:
        return len(self.scales)

    def rows(self, first: int, last: int) -> NDArray[np.float32]:
        """The vectors from ``first`` to before ``last``."""
        return restored(self.columns[:, first:last].T, self.scales[first:last])

    def save(self, folder: Path) -> None:
        """Write the arrays into ``folder``."""
        for name in FILES:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> "Positions":
        """What ``save`` wrote; arrays are mapped, not read."""
        return cls(*(mapped(folder, name) for name in FILES))


def mapped(folder: Path, name: str) -> NDArray[Any]:
    """A saved array, mapped so that compiled loops take it for one in memory; it is not changed."""
    try:
        found: NDArray[Any] = np.load(folder / f"{name}.npy", mmap_mode="c", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise IndexFault(
            f"{folder}: found damaged or missing files ({error}); build the index again."
        ) from error
    return found


def quantized(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows as 8-bit integers and a scale each; zero rows have scale 0."""
    scales = np.abs(rows).max(axis=1, initial=0.0) / STEPS
    units = rows / np.where(scales > 0, scales, 1)[:, None]
    return np.rint(units).astype(np.int8), scales.astype(np.float32)


def restored(rows: NDArray[np.int8], scales: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vectors that quantised rows stand for."""
    return rows.astype(np.float32) * scales[:, None]
