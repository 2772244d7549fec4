"""Segments: immutable files of documents, sorted by language and id, with their spaces as arrays.

A language is a contiguous span of documents, and within it documents are sorted by id, so that
sorting equal scores by position sorts them by id. The memtable is read through the same class, from
memory.

    keys (int64)         of the documents in the database
    ids.offsets/content  of the documents
    SPACE.*              the arrays of each space (``kinds``)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import IndexFault
from dragoman.indexes.kinds import KINDS
from dragoman.indexes.kinds.bags import BagMatrix
from dragoman.indexes.kinds.counts import Postings
from dragoman.indexes.kinds.layout import Packed
from dragoman.indexes.kinds.rows import RowMatrix
from dragoman.indexes.kinds.words import WordIndex
from dragoman.indexes.spaces import Space
from dragoman.storage.array_file import (
    Array,
    ArrayFile,
    Arrays,
    DamagedFile,
    MemoryArrays,
    write_array_file,
)
from dragoman.storage.packed_strings import PackedStrings
from dragoman.types import IntArray

S = TypeVar("S", Postings, RowMatrix, WordIndex, BagMatrix)

ABSENT = -1
NONE_DELETED = np.zeros(0, np.bool_)


class Entry(NamedTuple):
    """A document to be written to a segment: its key, its sort keys, its packed vectors."""

    key: int
    doc_id: str
    language: str
    vectors: Mapping[str, Packed]  # by space


class Segment:
    """The documents of one segment."""

    def __init__(self, arrays: Arrays, name: str = "") -> None:
        self.arrays, self.name = arrays, name
        self.keys: NDArray[np.int64] = arrays.read("keys")
        self.ids = PackedStrings(arrays.read("ids.offsets"), arrays.read("ids.content"))
        self.languages = {code: (first, last) for code, first, last in arrays.facts["languages"]}
        self._spaces: dict[str, Postings | RowMatrix | WordIndex | BagMatrix] = {}

    @classmethod
    def open(cls, path: Path, identity: int) -> Self:
        """The segment in a file; refused if it is not the one that was committed."""
        try:
            file = ArrayFile(path)
        except FileNotFoundError:
            raise
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DamagedFile(path, f"no segment ({error})") from error
        if file.identity != identity:
            raise IndexFault(
                f"{path}: found a file that does not belong to this index (checksum"
                f" {file.identity:08x}, expected {identity:08x}). Restore the folder from a copy."
            )
        return cls(file, path.name)

    @classmethod
    def of(cls, entries: Sequence[Entry], spaces: Sequence[Space]) -> Self:
        """A segment in memory."""
        return cls(MemoryArrays(*segment_arrays(entries, spaces)))

    def __len__(self) -> int:
        return len(self.keys)

    def postings(self, space: str) -> Postings:
        """The postings of a space of counts."""
        return self._read(space, Postings)

    def rows(self, space: str) -> RowMatrix:
        """The matrix of a space of rows."""
        return self._read(space, RowMatrix)

    def words(self, space: str) -> WordIndex:
        """The word index of a space of words."""
        return self._read(space, WordIndex)

    def bags(self, space: str) -> BagMatrix:
        """The matrix of a space of bags."""
        return self._read(space, BagMatrix)

    def _read(self, space: str, kind: type[S]) -> S:
        """The arrays of a space, opened once."""
        opened = self._spaces.get(space) or self._spaces.setdefault(space, kind(self.arrays, space))
        assert isinstance(opened, kind)
        return opened

    @cached_property
    def _by_key(self) -> NDArray[np.int64]:
        return np.argsort(self.keys)

    def positions_of(self, keys: IntArray) -> NDArray[np.int64]:
        """The position of each key's document; ``ABSENT`` if the segment does not have it."""
        if not len(self.keys) or not len(keys):
            return np.full(len(keys), ABSENT, np.int64)
        ranks = np.searchsorted(self.keys, keys, sorter=self._by_key)
        positions = self._by_key[np.minimum(ranks, len(self.keys) - 1)]
        return np.where(self.keys[positions] == keys, positions, ABSENT)


@dataclass(frozen=True)
class SegmentReader:
    """A segment as a snapshot sees it: with its deletions and the number of its first document."""

    segment: Segment
    deleted: NDArray[np.bool_] = field(default_factory=lambda: NONE_DELETED)  # empty: none
    base: int = 0

    @cached_property
    def live_counts(self) -> dict[str, int]:
        """The number of live documents by language."""
        return {
            code: last - first - int(self.deleted[first:last].sum())
            for code, (first, last) in self.segment.languages.items()
        }


def segment_arrays(
    entries: Sequence[Entry], spaces: Sequence[Space]
) -> tuple[dict[str, Array], dict[str, object]]:
    """The arrays of a segment, and its facts."""
    ordered = sorted(entries, key=lambda entry: (entry.language, entry.doc_id))
    spans: dict[str, tuple[int, int]] = {}
    for language, group in groupby(entry.language for entry in ordered):
        first = sum(last - start for start, last in spans.values())
        spans[language] = (first, first + len(list(group)))
    ids = PackedStrings.pack(entry.doc_id for entry in ordered)
    arrays: dict[str, Array] = {
        "keys": np.array([entry.key for entry in ordered], np.int64),
        "ids.offsets": ids.offsets,
        "ids.content": ids.content,
    }
    for space in spaces:
        packed = [entry.vectors.get(space.name, {}) for entry in ordered]
        built = KINDS[space.kind].build(packed, spans)
        arrays |= {f"{space.name}.{name}": array for name, array in built.items()}
    return arrays, segment_facts(spans)


def segment_facts(spans: Mapping[str, tuple[int, int]]) -> dict[str, object]:
    """The facts that a segment stores next to its arrays."""
    return {"languages": [[code, first, last] for code, (first, last) in spans.items()]}


def write_segment(path: Path, entries: Sequence[Entry], spaces: Sequence[Space]) -> int:
    """Write a segment and flush it to the disk; returns its identity."""
    arrays, facts = segment_arrays(entries, spaces)
    with write_array_file(path) as writer:
        for name, array in arrays.items():
            writer.add(name, array)
        return writer.finish(facts)
