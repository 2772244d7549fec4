"""The counted words of segments, and one vocabulary over all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from dragoman.types import FloatArray, IntArray

ABSENT = -1


class SegmentBags(NamedTuple):
    """The live documents of one segment and their entries, document after document.

    An entry is a key, by its index in ``keys``, and its term frequency.
    """

    numbers: IntArray  # by document: its number in the snapshot
    ids: Sequence[str]  # by document
    languages: Sequence[str]  # by document
    sizes: IntArray  # by document: its number of entries
    entries: IntArray
    counts: IntArray
    keys: Sequence[str]  # may include unused ones
    points: FloatArray  # by key


@dataclass(frozen=True, eq=False)
class BagVocabulary:
    """The keys in use, sorted, a column each, and the position of their points.

    Points stay in their segments, which may be memory-mapped.
    """

    columns: dict[str, int]
    dimension: int
    _points: Sequence[FloatArray]  # by segment
    _segments: IntArray  # by column: a segment that has the key
    _rows: IntArray  # by column: the row of its point there

    @classmethod
    def build(cls, segments: Sequence[SegmentBags], dimension: int) -> Self:
        """The vocabulary of the live documents of ``segments``."""
        used = [used_keys(segment) for segment in segments]
        ordered = sorted({key for mine in used for key in mine})
        columns = {key: column for column, key in enumerate(ordered)}
        owners, rows = np.zeros((2, len(columns)), np.int64)
        for number, mine in enumerate(used):
            here = [columns[key] for key in mine]
            owners[here], rows[here] = number, [*mine.values()]
        return cls(columns, dimension, [segment.points for segment in segments], owners, rows)

    def __len__(self) -> int:
        return len(self.columns)

    def columns_of(self, keys: Sequence[str]) -> IntArray:
        """The column of each key, ``ABSENT`` for one that no document uses."""
        return np.fromiter((self.columns.get(key, ABSENT) for key in keys), np.int64, len(keys))

    def columns_of_entries(self, segment: SegmentBags) -> IntArray:
        """The column of each entry of a segment."""
        mine = used_keys(segment)
        columns = np.full(len(segment.keys), ABSENT, np.int64)
        columns[[*mine.values()]] = self.columns_of([*mine])
        return columns[segment.entries]

    @property
    def points(self) -> FloatArray:
        """The points of all columns, copied at every call."""
        return self.points_of(np.arange(len(self.columns)))

    def points_of(self, columns: IntArray) -> FloatArray:
        """The points of some columns, one row each."""
        points = np.zeros((len(columns), self.dimension), np.float32)
        for number, theirs in enumerate(self._points):
            mine = self._segments[columns] == number
            if mine.any():
                points[mine] = theirs[self._rows[columns[mine]]]
        return points

    def words(self, language: str, frequencies: IntArray) -> dict[str, float]:
        """Word -> document frequency for one language; ``frequencies`` is by column."""
        start = f"{language}:"
        return {
            key.removeprefix(start): float(frequencies[column])
            for key, column in self.columns.items()
            if key.startswith(start)
        }


def used_keys(segment: SegmentBags) -> dict[str, int]:
    """Key -> its index, for the keys that live documents use."""
    return {segment.keys[index]: index for index in np.unique(segment.entries).tolist()}
