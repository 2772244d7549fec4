"""Files -> lines: compressed text read line by line, with faults raised or counted.

A file of any size is read in constant memory. Files are written by ``storage.staging``.
"""

import gzip
import io
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import IO, Any

import zstandard

from dragoman.errors import InputError
from dragoman.text.id_set import IdSet

# Longer lines are no text, and would fill the memory.
LONGEST_LINE = 64 * 1024 * 1024

ENDINGS = ("", ".gz", ".zst")  # of a file that may be compressed
COMPRESSED = frozenset({".gz", ".zst", ".dz"})
BROKEN_ARCHIVE = (EOFError, gzip.BadGzipFile, zlib.error, zstandard.ZstdError)


def ending(path: Path) -> str:
    """The last ending that names the content, in lower case: ``.jsonl`` of ``a.jsonl.gz``."""
    endings = [part.lower() for part in path.suffixes]
    while endings and endings[-1] in COMPRESSED:
        endings.pop()
    return endings[-1] if endings else ""


def find_file(folder: Path, name: str) -> Path | None:
    """The file ``name`` in ``folder``, compressed or not, or None; two of them are an error."""
    files = [path for ending in ENDINGS if (path := folder / f"{name}{ending}").is_file()]
    if len(files) > 1:
        names = " and ".join(path.name for path in files)
        raise InputError(folder, None, found=f"both {names}", expected="one of them")
    return files[0] if files else None


def require_file(folder: Path, name: str) -> Path:
    """The file ``name`` in ``folder``, compressed or not; a missing file is an error."""
    if not folder.is_dir():
        raise InputError(folder, None, found="no such folder", expected=f"a folder with {name}")
    path = find_file(folder, name)
    if path is None:
        expected = f"{name}, {name}.gz or {name}.zst"
        raise InputError(folder, None, found=f"no {name}", expected=expected)
    return path


class OnError(StrEnum):
    """What to do with a bad line."""

    STOP = "stop"
    SKIP = "skip"


@dataclass(slots=True)
class Faults:
    """Collects bad input: raised at once, or counted with some examples for the report."""

    on_error: OnError = OnError.STOP
    max_examples: int = 5  # messages remembered for each file
    counts: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    reported: IdSet = field(default_factory=IdSet, repr=False, compare=False)

    def report(self, error: InputError) -> None:
        """Raise ``error``, or count it where faults are skipped; a file read twice counts once."""
        if self.on_error is OnError.STOP:
            raise error
        if not self.reported.add(str(error)):
            return
        self.counts[error.path] += 1
        if self.counts[error.path] <= self.max_examples:
            self.examples.append(str(error))

    @property
    def skipped(self) -> int:
        """The number of skipped lines."""
        return self.counts.total()

    def summary(self) -> str:
        """One line per file with skipped lines; empty where nothing was skipped."""
        return "\n".join(f"{path}: skipped {n:,}" for path, n in sorted(self.counts.items()))


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """The decompressed bytes of a plain, ``.gz`` or ``.zst`` file, recognized by its first bytes.

    An archive that proves broken while the block reads it is an ``InputError`` too.
    """
    with _open_file(path) as raw:
        magic = raw.peek(4)[:4]
        try:
            if magic[:2] == b"\x1f\x8b":
                with gzip.GzipFile(fileobj=raw) as stream:
                    yield io.BufferedReader(stream, 1 << 18)
            elif magic == b"\x28\xb5\x2f\xfd":
                yield io.BufferedReader(_ZstdStream(raw), 1 << 18)
            else:
                yield raw
        except BROKEN_ARCHIVE as error:
            raise InputError(
                path, None, found=f"a broken archive ({error})", expected="a whole file"
            ) from error


def require_readable(path: Path) -> None:
    """Refuse a file or folder that is missing, may not be read or is empty, before work begins."""
    if path.is_dir():
        if not os.access(path, os.R_OK | os.X_OK):
            raise InputError(
                path, None, found="a folder that may not be read", expected="a readable folder"
            )
        return
    with _open_file(path) as stream:
        if not stream.peek(1):
            raise InputError(path, None, found="an empty file", expected="at least one line")


def _open_file(path: Path) -> io.BufferedReader:
    if path.is_dir():
        raise InputError(path, None, found="a folder", expected="a file")
    if not path.exists():
        raise InputError(path, None, found="no such file", expected="a readable file")
    if not path.is_file():
        raise InputError(
            path,
            None,
            found="a pipe or a device",
            expected="a regular file, because some files are read twice",
            advice="Save the data to a file first.",
        )
    try:
        return path.open("rb")
    except PermissionError as error:
        raise InputError(
            path, None, found="a file that may not be read", expected="a readable file"
        ) from error


class _ZstdStream(io.RawIOBase):
    """Consecutive Zstandard frames; the library's own reader accepts a truncated file."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._inside = False  # a frame has begun and not ended
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - the buffer protocol has no type yet
        while not self._ready:
            packed = self._frame.unused_data if self._frame.eof else b""
            packed = packed or self._raw.read(1 << 12)
            if not packed:
                if self._inside:
                    raise EOFError("the last frame is cut off")
                return 0
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
            self._ready = memoryview(self._frame.decompress(packed))
            self._inside = not self._frame.eof
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size


def read_lines(path: Path, faults: Faults, *, keep_ends: bool = False) -> Iterator[tuple[int, str]]:
    """Number (from 1) and text of every line, without its end; a first byte-order mark is dropped.

    A line that is not UTF-8 is a fault. A line too long, a broken archive and an empty file are
    always errors, because nothing useful can follow them.
    """
    number = 0
    with open_bytes(path) as stream:
        try:
            while raw := stream.readline(LONGEST_LINE):
                number += 1
                line = _decode(path, number, raw, faults)
                if line is not None:
                    yield number, line if keep_ends else line.rstrip("\r\n")
        except BROKEN_ARCHIVE as error:
            raise InputError(
                path, number + 1, found=f"a broken archive ({error})", expected="a whole file"
            ) from error
    if number == 0:
        raise InputError(path, None, found="an empty file", expected="at least one line")


def _decode(path: Path, number: int, raw: bytes, faults: Faults) -> str | None:
    if len(raw) >= LONGEST_LINE:
        raise InputError(
            path, number, found=f"a line above {LONGEST_LINE:,} bytes", expected="lines of text"
        )
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        faults.report(
            InputError(
                path,
                number,
                found=f"the byte 0x{raw[error.start]:02x} at column {error.start + 1}",
                expected="UTF-8 text",
                advice="Convert the file first, for example with iconv -t UTF-8.",
            )
        )
        return None
