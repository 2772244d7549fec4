"""Named arrays in one immutable file: written in one pass, mapped when opened, with checksums.

    magic, arrays (each aligned), block checksums, footer (JSON), tail

The footer is at the end, so that arrays can be streamed before their sizes are known. A block is
checked against its checksum before this process first reads it: a flipped byte is an error that
names the file, never a wrong result. ``safetensors`` is not used because its header comes first and
it has no checksums.
"""

import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import IndexFault
from dragoman.types import IntArray

MAGIC, END = b"DRGMARR1", b"1RRAMGRD"
TAIL = struct.Struct("<QQI8s")  # offset of the footer, its length, its checksum, END
BLOCK = 1 << 14  # bytes per checksum; reading one row checks one or two blocks
ALIGNMENT = 64
SPOOLED = 1 << 20  # bytes that are read of a spool at a time

Array = NDArray[Any]


class DamagedFile(IndexFault):
    """A file whose bytes are not those that were written."""

    def __init__(self, path: Path, found: str) -> None:
        self.path, self.found = path, found
        super().__init__(
            f"{path}: found {found}; expected the bytes that were written. The file is damaged:"
            " `dragoman verify INDEX` lists what is affected, `--repair` rebuilds what it can."
        )


class ArrayFileWriter:
    """Writes arrays to a new file, one after the other; ``finish`` flushes it to the disk."""

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        self._file: IO[bytes] = path.open("wb", buffering=0)
        self._size, self._checksums, self._block = 0, list[int](), bytearray()
        self._arrays: dict[str, tuple[str, list[int], int]] = {}
        self._write(MAGIC)

    def _write(self, data: bytes | memoryview) -> None:
        view = memoryview(data).cast("B")
        written = 0
        while written < len(view):  # a raw file may write less than it is given
            written += self._file.write(view[written:])
        self._size += len(view)
        self._add_checksums(view)

    def _add_checksums(self, view: memoryview) -> None:
        """Checksum every full block; the bytes of the last, partial block wait for more."""
        start = 0
        if self._block:
            start = min(len(view), BLOCK - len(self._block))
            self._block += view[:start]
            if len(self._block) < BLOCK:
                return
            self._checksums.append(zlib.crc32(self._block))
            self._block.clear()
        whole = start + (len(view) - start) // BLOCK * BLOCK
        self._checksums += [
            zlib.crc32(view[offset : offset + BLOCK]) for offset in range(start, whole, BLOCK)
        ]
        self._block += view[whole:]

    def add(self, name: str, array: Array) -> None:
        """Write one array."""
        self.stream(name, array.dtype, array.shape[1:], [array])

    def stream(
        self, name: str, kind: np.dtype[Any], shape: tuple[int, ...], chunks: Iterable[Array]
    ) -> None:
        """Write an array given in chunks of its first axis; ``shape`` is the shape of one row."""
        self._write(bytes(-self._size % ALIGNMENT))
        offset, length = self._size, 0
        for chunk in chunks:
            length += len(chunk)
            if chunk.size:
                self._write(np.ascontiguousarray(chunk, dtype=kind).data)
        self._arrays[name] = (kind.str, [length, *shape], offset)

    def spool(self) -> IO[bytes]:
        """A nameless file on the same disk, for bytes that are written before their turn."""
        return TemporaryFile(prefix="dragoman-", dir=self._folder)

    def finish(self, facts: Mapping[str, object]) -> int:
        """Write checksums and footer and flush the file; the footer's checksum, its identity."""
        self._write(bytes(-self._size % ALIGNMENT))
        if self._block:
            self._checksums.append(zlib.crc32(self._block))
        table = np.array(self._checksums, dtype="<u4").tobytes()
        footer = {
            "facts": facts,
            "arrays": self._arrays,
            "block": BLOCK,
            "covered": self._size,
            "checksums": zlib.crc32(table),
        }
        text = json.dumps(footer, ensure_ascii=False).encode()
        identity = zlib.crc32(text)
        self._write(table + text + TAIL.pack(self._size + len(table), len(text), identity, END))
        os.fsync(self._file.fileno())
        self._file.close()
        return identity

    def close(self) -> None:
        """Close the file without a footer: it is incomplete and cannot be opened."""
        self._file.close()


def spooled(spool: IO[bytes], kind: type[np.generic]) -> Iterator[Array]:
    """The array whose bytes were written to a spool, in chunks."""
    spool.seek(0)
    for block in iter(lambda: spool.read(SPOOLED), b""):
        yield np.frombuffer(block, kind)


@contextmanager
def write_array_file(path: Path) -> Iterator[ArrayFileWriter]:
    """A writer whose file is removed if the block fails."""
    writer: ArrayFileWriter | None = None
    try:
        writer = ArrayFileWriter(path)
        yield writer
    except BaseException:
        if writer is not None:
            writer.close()
        path.unlink(missing_ok=True)
        raise


class ArrayFile:
    """An open file; its arrays are memory-mapped, and checked before they are read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < len(MAGIC) + TAIL.size:
                raise DamagedFile(path, "a file that is cut off")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._bytes = memoryview(self._map)
        footer = self._footer()
        self.facts: dict[str, Any] = footer["facts"]
        self._entries: dict[str, tuple[str, list[int], int]] = footer["arrays"]
        self._covered = int(footer["covered"])
        self._checked = np.zeros(len(self._checksums), np.bool_)
        self._all_checked = False
        self._lock = Lock()
        self.arrays: dict[str, Array] = {name: self._array(name) for name in self._entries}

    def _footer(self) -> dict[str, Any]:
        size = len(self._bytes)
        start, length, self.identity, end = TAIL.unpack(self._bytes[size - TAIL.size :])
        if end != END or self._bytes[: len(MAGIC)] != MAGIC or start + length + TAIL.size != size:
            raise DamagedFile(self.path, "no array file")
        text = bytes(self._bytes[start : start + length])
        if zlib.crc32(text) != self.identity:
            raise DamagedFile(self.path, "a footer with another checksum")
        footer: dict[str, Any] = json.loads(text)
        table = bytes(self._bytes[footer["covered"] : start])
        if zlib.crc32(table) != footer["checksums"]:
            raise DamagedFile(self.path, "a table of checksums with another checksum")
        self._checksums: list[int] = np.frombuffer(table, "<u4").tolist()
        return footer

    def _array(self, name: str) -> Array:
        kind, shape, offset = self._entries[name]
        count = int(np.prod(shape, dtype=np.int64))
        return np.frombuffer(self._map, np.dtype(kind), count, offset).reshape(shape)

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return len(self._bytes)

    def read(self, name: str) -> Array:
        """An array, after checking all of it."""
        array = self.arrays[name]
        offset = self._entries[name][2]
        self._check(offset // BLOCK, -(-(offset + array.nbytes) // BLOCK))
        return array

    def check_rows(self, name: str, starts: IntArray, ends: IntArray) -> None:
        """Check the unchecked blocks that hold ``array[starts[i]:ends[i]]``, for every i."""
        if self._all_checked:
            return
        array, offset = self.arrays[name], self._entries[name][2]
        width = array.strides[0]
        filled = ends > starts
        firsts = (offset + starts[filled] * width) // BLOCK
        lasts = (offset + ends[filled] * width - 1) // BLOCK
        needed = np.zeros(len(self._checked) + 1, np.int64)
        np.add.at(needed, firsts, 1)
        np.add.at(needed, lasts + 1, -1)
        for block in np.flatnonzero((needed.cumsum()[:-1] > 0) & ~self._checked).tolist():
            self._check(block, block + 1)

    def check(self) -> None:
        """Check every block."""
        self._check(0, len(self._checksums))

    def _check(self, first: int, last: int) -> None:
        if self._all_checked:
            return
        for block in range(first, last):
            if not self._checked[block]:
                stop = min((block + 1) * BLOCK, self._covered)
                if zlib.crc32(self._bytes[block * BLOCK : stop]) != self._checksums[block]:
                    raise DamagedFile(self.path, f"byte {block * BLOCK:,} to {stop:,} changed")
                self._checked[block] = True
        with self._lock:
            self._all_checked = bool(self._checked.all())


class MemoryArrays:
    """Arrays in memory, with the interface of ``ArrayFile``."""

    def __init__(self, arrays: Mapping[str, Array], facts: Mapping[str, Any]) -> None:
        self.arrays, self.facts = dict(arrays), dict(facts)
        self.size = sum(array.nbytes for array in arrays.values())

    def read(self, name: str) -> Array:
        """An array."""
        return self.arrays[name]

    def check_rows(self, name: str, starts: IntArray, ends: IntArray) -> None:
        """Does nothing: memory has no checksums."""

    def check(self) -> None:
        """Does nothing: memory has no checksums."""


Arrays = ArrayFile | MemoryArrays
