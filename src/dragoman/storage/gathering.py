"""Parts of several arrays in a new order, copied some at a time: what merges have in common.

Memory does not grow with the arrays: 28 bytes for each part, and the copies of one block.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.types import IntArray

BYTES_AT_ONCE = 1 << 22  # of copies


def starts_of(sizes: Sequence[int] | IntArray) -> NDArray[np.int64]:
    """Where each part begins when parts of these sizes follow each other, and where all end."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def ranges(starts: IntArray, sizes: IntArray) -> NDArray[np.int64]:
    """The indices ``starts[i] ... starts[i] + sizes[i] - 1`` of all parts, one after the other."""
    before = np.cumsum(sizes) - sizes
    indices: NDArray[np.int64] = np.arange(int(np.sum(sizes))) + np.repeat(starts - before, sizes)
    return indices


@dataclass(frozen=True)
class Gathering:
    """Part i is ``arrays[owners[i]][firsts[i] : firsts[i] + sizes[i]]``."""

    owners: IntArray
    firsts: IntArray
    sizes: IntArray

    @classmethod
    def of(cls, owners: IntArray, numbers: IntArray, starts: Sequence[IntArray]) -> "Gathering":
        """The parts ``numbers`` of their owners, of which ``starts`` has where each part begins."""
        firsts, sizes = np.zeros(len(owners), np.int64), np.zeros(len(owners), np.int64)
        for owner, mine in enumerate(starts):
            chosen = owners == owner
            firsts[chosen] = mine[numbers[chosen]]
            sizes[chosen] = mine[numbers[chosen] + 1] - firsts[chosen]
        return cls(owners, firsts, sizes)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where each part begins in the new order, and where the last one ends."""
        return starts_of(self.sizes)

    def copies(
        self,
        arrays: Sequence[NDArray[Any]],
        first: int = 0,
        last: int | None = None,
        renumbered: Sequence[IntArray] | None = None,
    ) -> Iterator[NDArray[Any]]:
        """The parts ``first:last`` in the new order, some at a time.

        Where the arrays hold numbers, ``renumbered[owner][n]`` replaces the number n of an owner.
        """
        last = len(self.owners) if last is None else last
        row = max((array.strides[0] for array in arrays), default=1) or 1
        at_once = max(1, BYTES_AT_ONCE // row)
        while first < last:
            limit = int(np.searchsorted(self.starts, self.starts[first] + at_once, "right")) - 1
            stop = min(max(first + 1, limit), last)
            yield self._copied(arrays, slice(first, stop), renumbered)
            first = stop

    def _copied(
        self, arrays: Sequence[NDArray[Any]], parts: slice, renumbered: Sequence[IntArray] | None
    ) -> NDArray[Any]:
        owners, firsts, sizes = self.owners[parts], self.firsts[parts], self.sizes[parts]
        targets = starts_of(sizes)
        owning = np.unique(owners[sizes > 0]).tolist()
        like = arrays[owning[0]] if owning else arrays[0]
        copied = np.empty((int(targets[-1]), *like.shape[1:]), like.dtype)
        for owner in owning:
            mine = owners == owner
            values = arrays[owner][ranges(firsts[mine], sizes[mine])]
            if renumbered is not None:
                values = renumbered[owner][values]
            copied[ranges(targets[:-1][mine], sizes[mine])] = values
        return copied


def even_cuts(samples: Sequence[IntArray]) -> IntArray:
    """Keys between which several sorted arrays have about as many entries.

    A sample has the keys of one array at equal steps; all arrays together have about as many
    entries between two cuts as one of them has in ``len(samples)`` steps.
    """
    every = np.sort(np.concatenate(samples))
    return np.unique(every[len(samples) :: len(samples)])


def ranges_between(keys: IntArray, cuts: IntArray) -> list[tuple[int, int]]:
    """The ranges of sorted ``keys`` before, between and after the cuts; equal keys in one."""
    bounds = [0, *np.searchsorted(keys, cuts.astype(keys.dtype)).tolist(), len(keys)]
    return [*pairwise(bounds)]
