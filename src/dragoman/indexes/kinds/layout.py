"""What all kinds share: the documents of a segment, and where they go in a merge."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.storage.array_file import Array, Arrays
from dragoman.types import IntArray

Packed = Mapping[str, Array]  # one document in one space; empty where it has nothing there
Spans = Mapping[str, tuple[int, int]]  # language -> its first document and the one after

DROPPED = -1


class Source(NamedTuple):
    """A segment that is merged, and the new number of each of its documents, or ``DROPPED``."""

    arrays: Arrays
    new_numbers: IntArray


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
