"""A Debian package -> the files in it, streamed: nothing is unpacked to disk.

A ``.deb`` is an ``ar`` archive of ``control.tar.*`` and ``data.tar.*`` (deb(5)). The standard
library reads tar but not ``ar``, whose headers of sixty bytes are parsed here.
"""

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

import zstandard

from dragoman.errors import InputError

BROKEN = (
    *(tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error),
    *(lzma.LZMAError, zstandard.ZstdError),
)
MAGIC = b"!<arch>\n"
HEADER = 60
LARGEST_FILE = 32 * 1024 * 1024  # a help page or control file is far smaller


class _Member(io.RawIOBase):
    """The next ``size`` bytes of a file, as a file."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        super().__init__()
        self._file, self._left = file, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        content = self._file.read(min(len(buffer), self._left))
        self._left -= len(content)
        buffer[: len(content)] = content
        return len(content)


def read_files(path: Path, part: str = "data.tar") -> Iterator[tuple[str, bytes]]:
    """Name and content of every regular file in one part of the package, in order.

    Links and devices are skipped; a file above 32 MB is an error.
    """
    try:
        with path.open("rb") as file, _open_tar(path, file, part) as archive:
            for member in archive:
                if not member.isreg():
                    continue
                if member.size > LARGEST_FILE:
                    raise _fault(path, f"{member.name} of {member.size:,} bytes")
                content = archive.extractfile(member)
                assert content is not None
                yield member.name.removeprefix("./"), content.read()
    except BROKEN as error:
        raise _fault(path, f"a broken archive ({error})") from error


def version(path: Path) -> str:
    """The version in the package's control file."""
    for name, content in read_files(path, "control.tar"):
        if name == "control":
            for line in content.decode("utf-8", errors="replace").splitlines():
                if line.startswith("Version:"):
                    return line.partition(":")[2].strip()
    raise _fault(path, "no version in its control file")


@contextmanager
def _open_tar(path: Path, file: IO[bytes], part: str) -> Iterator[tarfile.TarFile]:
    if file.read(len(MAGIC)) != MAGIC:
        raise _fault(path, "a file without the header of a package")
    while header := file.read(HEADER):
        name = header[:16].decode("ascii", errors="replace").strip().rstrip("/")
        digits = header[48:58].strip()
        if len(header) < HEADER or not digits.isdigit():
            raise _fault(path, "a broken ar header")
        size = int(digits)
        if name.startswith(part):
            raw = io.BufferedReader(_Member(file, size))
            with (
                _unpacked(raw, name) as stream,
                tarfile.open(fileobj=stream, mode="r|") as archive,
            ):
                yield archive
            return
        file.seek(size + size % 2, io.SEEK_CUR)
    raise _fault(path, f"no {part}")


@contextmanager
def _unpacked(raw: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """The decompressed tar; it is read to its end, so that a truncated file is noticed."""
    readers: dict[str, Callable[[IO[bytes]], Any]] = {
        ".xz": lzma.open,
        ".gz": gzip.open,
        ".bz2": bz2.open,
        ".zst": zstandard.ZstdDecompressor().stream_reader,
    }
    with readers.get(Path(name).suffix, nullcontext)(raw) as stream:
        yield stream
        while stream.read(1 << 16):
            pass


def _fault(path: Path, found: str) -> InputError:
    return InputError(
        path,
        None,
        found=found,
        expected="a whole Debian package",
        advice="Fetch it again with apt-get download.",
    )
