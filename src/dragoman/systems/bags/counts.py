"""Counted words of documents in several parts, and the points of the words that they use."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from dragoman.types import FloatArray, IntArray

ABSENT = -1


class CountedPart(NamedTuple):
    """Some documents: their entries one after the other, each a key by its number and a count."""

    numbers: IntArray  # of the documents, among those of all parts
    ids: Sequence[str]
    languages: Sequence[str]
    sizes: IntArray  # how many entries each document has
    entries: IntArray
    counts: IntArray
    keys: Sequence[str]  # of the part; some may be unused
    points: FloatArray  # by key


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The keys in use, a column each in their own order, and where their points are.

    Points stay in their parts, which may be memory-mapped.
    """

    columns: dict[str, int]
    dimension: int
    _points: Sequence[FloatArray]  # by part
    _parts: IntArray  # by column: a part that has the key
    _rows: IntArray  # by column: the row of its point there

    @classmethod
    def of(cls, parts: Sequence[CountedPart], dimension: int) -> Self:
        """The keys that documents of these parts use."""
        used = [used_keys(part) for part in parts]
        ordered = sorted({key for mine in used for key in mine})
        columns = {key: column for column, key in enumerate(ordered)}
        owners, rows = np.zeros((2, len(columns)), np.int64)
        for number, mine in enumerate(used):
            here = [columns[key] for key in mine]
            owners[here], rows[here] = number, [*mine.values()]
        return cls(columns, dimension, [part.points for part in parts], owners, rows)

    def __len__(self) -> int:
        return len(self.columns)

    def columns_of(self, keys: Sequence[str]) -> IntArray:
        """The column of each key, ``ABSENT`` for one that no document uses."""
        return np.fromiter((self.columns.get(key, ABSENT) for key in keys), np.int64, len(keys))

    def columns_of_entries(self, part: CountedPart) -> IntArray:
        """The column of each entry of a part."""
        mine = used_keys(part)
        columns = np.full(len(part.keys), ABSENT, np.int64)
        columns[[*mine.values()]] = self.columns_of([*mine])
        return columns[part.entries]

    @property
    def points(self) -> FloatArray:
        """One row per column, gathered anew."""
        return self.points_of(np.arange(len(self.columns)))

    def points_of(self, columns: IntArray) -> FloatArray:
        """The points of some columns."""
        points = np.zeros((len(columns), self.dimension), np.float32)
        for number, theirs in enumerate(self._points):
            mine = self._parts[columns] == number
            if mine.any():
                points[mine] = theirs[self._rows[columns[mine]]]
        return points

    def words(self, language: str, frequencies: IntArray) -> dict[str, float]:
        """The words of one language, with their document frequencies by column."""
        start = f"{language}:"
        return {
            key.removeprefix(start): float(frequencies[column])
            for key, column in self.columns.items()
            if key.startswith(start)
        }


def used_keys(part: CountedPart) -> dict[str, int]:
    """The keys that a part's documents use, with their numbers there."""
    return {part.keys[number]: number for number in np.unique(part.entries).tolist()}
