"""Bags of keys: which keys a document has how often, and the point of each key.

offsets, content            the keys of the segment
points (float32)            (keys, dimensions)
starts (int64)              where each document's entries begin, and where the last ones end
keys (int32) counts (int32) one of each per entry
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UserError
from dragoman.indexes.kinds.layout import DROPPED, Packed, Source, Spans, ranges, starts_of
from dragoman.indexes.spaces import Bag, Space
from dragoman.storage.array_file import Array, ArrayFileWriter, Arrays
from dragoman.storage.packed_strings import PackedStrings
from dragoman.types import IntArray


def pack(vector: Bag) -> dict[str, Array]:
    """One document."""
    if not np.isfinite(vector.points).all():
        raise UserError("found the point of a word with a number that is not finite.")
    packed = PackedStrings.pack(vector.keys)
    return {
        "offsets": packed.offsets,
        "content": packed.content,
        "points": np.asarray(vector.points, np.float32),
        "counts": np.asarray(vector.counts, np.int32),
    }


def build(documents: Sequence[Packed], spans: Spans) -> dict[str, Array]:
    """The bags of documents, in their order."""
    del spans
    numbers: dict[str, int] = {}
    points: list[Array] = []
    entries: list[int] = []
    for one in documents:
        for position, key in enumerate(
            PackedStrings(one["offsets"], one["content"]) if one else ()
        ):
            if key not in numbers:
                numbers[key] = len(numbers)
                points.append(one["points"][position])
            entries.append(numbers[key])
    packed = PackedStrings.pack(numbers)
    counts = [one["counts"] for one in documents if one]
    return {
        "offsets": packed.offsets,
        "content": packed.content,
        "points": np.array(points, np.float32) if points else np.zeros((0, 0), np.float32),
        "starts": starts_of([len(one["counts"]) if one else 0 for one in documents]),
        "keys": np.array(entries, np.int32),
        "counts": np.concatenate([np.zeros(0, np.int32), *counts]),
    }


def merge(
    sources: Sequence[Source], space: Space, spans: Spans, count: int, writer: ArrayFileWriter
) -> None:
    """Write the bags of several segments as one; keys that no document has any longer go."""
    name = space.name
    del spans
    parts = [BagMatrix(arrays, name) for arrays, _ in sources]
    sizes = np.zeros(count, np.int64)
    for mine, (_, new_numbers) in zip(parts, sources, strict=True):
        live = new_numbers != DROPPED
        sizes[new_numbers[live]] = np.diff(mine.starts)[live]
    starts = starts_of(sizes)
    keys, counts = np.zeros(starts[-1], np.int32), np.zeros(starts[-1], np.int32)
    numbers: dict[str, int] = {}
    points: list[Array] = []
    for mine, (_, new_numbers) in zip(parts, sources, strict=True):
        live = np.flatnonzero(new_numbers != DROPPED)
        theirs = np.diff(mine.starts)[live]
        origins, targets = (
            ranges(mine.starts[live], theirs),
            ranges(starts[new_numbers[live]], theirs),
        )
        keys[targets] = _renumbered(mine, mine.keys[origins], numbers, points)
        counts[targets] = mine.counts[origins]
    packed = PackedStrings.pack(numbers)
    width = max((mine.points.shape[1] for mine in parts), default=0)
    writer.add(f"{name}.offsets", packed.offsets)
    writer.add(f"{name}.content", packed.content)
    writer.add(f"{name}.points", np.array(points, np.float32).reshape(len(points), width))
    writer.add(f"{name}.starts", starts)
    writer.add(f"{name}.keys", keys)
    writer.add(f"{name}.counts", counts)


def _renumbered(
    mine: "BagMatrix", keys: IntArray, numbers: dict[str, int], points: list[Array]
) -> IntArray:
    """The entries' keys by ``numbers``, to which those that are new are added."""
    renumbered = np.zeros(len(mine.strings), np.int32)
    for key in np.unique(keys).tolist():
        string = mine.strings[key]
        if string not in numbers:
            numbers[string] = len(numbers)
            points.append(mine.points[key])
        renumbered[key] = numbers[string]
    return renumbered[keys]


@dataclass(frozen=True)
class BagMatrix:
    """The bags of one segment."""

    arrays: Arrays
    name: str

    def _array(self, name: str) -> NDArray[Any]:
        return self.arrays.read(f"{self.name}.{name}")

    @cached_property
    def strings(self) -> PackedStrings:
        """The keys."""
        return PackedStrings(self._array("offsets"), self._array("content"))

    @cached_property
    def points(self) -> NDArray[np.float32]:
        """One row per key."""
        return self._array("points")

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where each document's entries begin, and where the last ones end."""
        return self._array("starts")

    @cached_property
    def keys(self) -> NDArray[np.int32]:
        """The key of every entry."""
        return self._array("keys")

    @cached_property
    def counts(self) -> NDArray[np.int32]:
        """How often it occurs in the document."""
        return self._array("counts")
