"""An immutable part of an index: some documents by language and id, and their spaces as arrays.

A language is a span of documents, and within it documents stand in the order of their ids, so that
equal scores are ordered by place. The memtable is read through the same class, from memory.

    keys (int64)         of the documents in the database
    ids.offsets/content  of the documents
    SPACE.*              the arrays of each space (``kinds``)
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Self

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
from dragoman.storage.array_file import Array, ArrayFile, Arrays, DamagedFile, MemoryArrays, writing
from dragoman.storage.strings import Strings
from dragoman.types import IntArray

ABSENT = -1


class Entry(NamedTuple):
    """A document on its way into a segment: its key, what orders it, its packed vectors."""

    key: int
    doc_id: str
    language: str
    vectors: Mapping[str, Packed]  # by space


class Segment:
    """The documents of one segment."""

    def __init__(self, arrays: Arrays, name: str = "") -> None:
        self.arrays, self.name = arrays, name
        self.keys: NDArray[np.int64] = arrays.read("keys")
        self.ids = Strings(arrays.read("ids.offsets"), arrays.read("ids.content"))
        self.languages = {code: (first, last) for code, first, last in arrays.facts["languages"]}
        self._spaces: dict[str, Postings | RowMatrix | WordIndex | BagMatrix] = {}

    @classmethod
    def open(cls, path: Path, identity: int) -> Self:
        """The segment in a file, refused if it is not the one that was committed."""
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
        """A space of counts."""
        found = self._spaces.get(space) or self._spaces.setdefault(
            space, Postings(self.arrays, space)
        )
        assert isinstance(found, Postings)
        return found

    def rows(self, space: str) -> RowMatrix:
        """A space of rows."""
        found = self._spaces.get(space) or self._spaces.setdefault(
            space, RowMatrix(self.arrays, space)
        )
        assert isinstance(found, RowMatrix)
        return found

    def words(self, space: str) -> WordIndex:
        """A space of words."""
        found = self._spaces.get(space) or self._spaces.setdefault(
            space, WordIndex(self.arrays, space)
        )
        assert isinstance(found, WordIndex)
        return found

    def bags(self, space: str) -> BagMatrix:
        """A space of bags."""
        found = self._spaces.get(space) or self._spaces.setdefault(
            space, BagMatrix(self.arrays, space)
        )
        assert isinstance(found, BagMatrix)
        return found

    @cached_property
    def _by_key(self) -> NDArray[np.int64]:
        return np.argsort(self.keys)

    def places_of(self, keys: IntArray) -> NDArray[np.int64]:
        """The place of each key's document; ``ABSENT`` where it is not here."""
        if not len(self.keys) or not len(keys):
            return np.full(len(keys), ABSENT, np.int64)
        found = np.searchsorted(self.keys, keys, sorter=self._by_key)
        places = self._by_key[np.minimum(found, len(self.keys) - 1)]
        return np.where(self.keys[places] == keys, places, ABSENT)


def segment_arrays(
    entries: Sequence[Entry], spaces: Sequence[Space]
) -> tuple[dict[str, Array], dict[str, object]]:
    """The arrays of a segment, and its facts."""
    ordered = sorted(entries, key=lambda entry: (entry.language, entry.doc_id))
    spans: dict[str, tuple[int, int]] = {}
    for language, group in groupby(entry.language for entry in ordered):
        first = sum(last - start for start, last in spans.values())
        spans[language] = (first, first + len(list(group)))
    ids = Strings.pack(entry.doc_id for entry in ordered)
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
    """What a segment says of itself beside its arrays."""
    return {"languages": [[code, first, last] for code, (first, last) in spans.items()]}


def write_segment(path: Path, entries: Sequence[Entry], spaces: Sequence[Space]) -> int:
    """Write a segment and flush it to the disk; its identity."""
    arrays, facts = segment_arrays(entries, spaces)
    with writing(path) as writer:
        for name, array in arrays.items():
            writer.add(name, array)
        return writer.finish(facts)
