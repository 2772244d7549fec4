"""What all kinds share: packed documents, and the order of documents in a merge."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.storage.array_file import Array, Arrays
from dragoman.storage.gathering import Gathering
from dragoman.types import IntArray

Packed = Mapping[str, Array]  # one document in one space; empty where it has nothing there
Spans = Mapping[str, tuple[int, int]]  # language -> its first document and the one after

DROPPED = -1


@dataclass(frozen=True)
class MergeOrder:
    """Segments that are merged, and their live documents in the new order."""

    segments: Sequence[Arrays]
    owners: NDArray[np.int32]  # the segment that each document comes from
    numbers: NDArray[np.int32]  # and its number there
    spans: Spans

    def __len__(self) -> int:
        return len(self.owners)

    def values(self, arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """One value of each document; ``arrays`` has those of each segment."""
        values = np.empty(len(self), arrays[0].dtype)
        for owner, array in enumerate(arrays):
            mine = self.owners == owner
            values[mine] = array[self.numbers[mine]]
        return values

    def parts(self, starts: Sequence[IntArray]) -> Gathering:
        """What belongs to each document; ``starts`` has where that begins in each segment."""
        return Gathering.of(self.owners, self.numbers, starts)

    def new_numbers(self) -> Iterator[NDArray[np.int32]]:
        """For each segment the new number of each of its documents, or ``DROPPED``."""
        for owner, arrays in enumerate(self.segments):
            mine = np.flatnonzero(self.owners == owner)
            numbers = np.full(len(arrays.arrays["keys"]), DROPPED, np.int32)
            numbers[self.numbers[mine]] = mine
            yield numbers
