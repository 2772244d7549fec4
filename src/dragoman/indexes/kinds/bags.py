"""Bags of keys: which keys a document has how often, and the point of each key.

offsets, content            the keys of the segment
points (float32)            (keys, dimensions)
starts (int64)              where each document's entries begin, and where the last ones end
keys (int32) counts (int32) one of each per entry
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UserError
from dragoman.indexes.kinds.layout import MergeOrder, Packed, Spans
from dragoman.indexes.spaces import Bag, Space
from dragoman.storage.array_file import Array, ArrayFileWriter, Arrays
from dragoman.storage.gathering import Gathering, starts_of
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


def merge(order: MergeOrder, space: Space, writer: ArrayFileWriter) -> None:
    """Write the bags of several segments as one; keys that no document has any longer go."""
    name = space.name
    bags = [BagMatrix(arrays, name) for arrays in order.segments]
    gathering = order.parts([mine.starts for mine in bags])
    numbers: dict[str, int] = {}
    owners, places = array("i"), array("q")  # where the point of each key is
    new_keys = [np.zeros(len(mine.strings), np.int32) for mine in bags]
    for owner, mine in enumerate(bags):
        for key in _used_keys(mine, order.numbers[order.owners == owner]):
            string = mine.strings[key]
            if string not in numbers:
                numbers[string] = len(numbers)
                owners.append(owner)
                places.append(key)
            new_keys[owner][key] = numbers[string]
    packed = PackedStrings.pack(numbers)
    single = np.ones(len(places), np.int64)
    points = Gathering(np.frombuffer(owners, np.int32), np.frombuffer(places, np.int64), single)
    width = max((mine.points.shape[1] for mine in bags), default=0)
    point_rows = points.copies([mine.points for mine in bags])
    keys = gathering.copies([mine.keys for mine in bags], renumbered=new_keys)
    counts = gathering.copies([mine.counts for mine in bags])
    writer.add(f"{name}.offsets", packed.offsets)
    writer.add(f"{name}.content", packed.content)
    writer.stream(f"{name}.points", np.dtype(np.float32), (width,), point_rows)
    writer.add(f"{name}.starts", gathering.starts)
    writer.stream(f"{name}.keys", np.dtype(np.int32), (), keys)
    writer.stream(f"{name}.counts", np.dtype(np.int32), (), counts)


def _used_keys(mine: "BagMatrix", documents: IntArray) -> list[int]:
    """The keys that some documents of a segment have, rising."""
    used = np.zeros(len(mine.strings), np.bool_)
    parts = Gathering.of(np.zeros(len(documents), np.int32), documents, [mine.starts])
    for keys in parts.copies([mine.keys]):
        used[keys] = True
    return np.flatnonzero(used).tolist()


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
