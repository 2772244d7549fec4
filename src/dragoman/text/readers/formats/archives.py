"""ZIP, tar and single packed files -> the files inside, copied out one at a time.

Names inside an archive are labels, never paths to write to. Bytes are counted as they come out.
"""

import bz2
import gzip
import lzma
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Any

import zstandard

from dragoman.text.readers.contents import Content, Member, ReaderConfig, UnreadableFile

CHUNK = 1 << 16
BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError),
    *(zstandard.ZstdError, RuntimeError, NotImplementedError, UnicodeDecodeError),
)
_OPENERS: Mapping[bytes, Callable[[Path, str], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7z": lzma.open,
}


class _Copies:
    """Temporary copies of files inside one archive, together within its limit."""

    def __init__(self, config: ReaderConfig) -> None:
        self._left, self._most = config.expanded_bytes, config.expanded_bytes

    def copy(self, name: str, stream: IO[bytes]) -> Member:
        with tempfile.NamedTemporaryFile(delete=False) as copy:
            try:
                while chunk := stream.read(CHUNK):
                    self._left -= len(chunk)
                    if self._left < 0:
                        raise UnreadableFile(f"an archive that expands beyond {self._most:,} bytes")
                    copy.write(chunk)
            except BaseException:
                Path(copy.name).unlink()
                raise
        return Member(label(name), Path(copy.name))


def label(name: str) -> str:
    """A name inside an archive without what would lead out of it; never empty."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return "/".join(part for part in parts if part.strip("/.")) or "unnamed"


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in label(name).split("/"))


def read_zip(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The files of a zip archive."""
    copies = _Copies(config)
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                if not entry.is_dir() and not _is_hidden(entry.filename):
                    with archive.open(entry) as stream:
                        member = copies.copy(entry.filename, stream)
                    yield member
    except BROKEN as error:
        raise UnreadableFile(f"a broken or encrypted archive ({error})") from error


def read_tar(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The plain files of a tar archive, packed or not; links and devices are left out."""
    copies = _Copies(config)
    try:
        with _unpacked(path) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
            for entry in archive:
                if entry.isfile() and not _is_hidden(entry.name):
                    content = archive.extractfile(entry)
                    assert content is not None
                    yield copies.copy(entry.name, content)
    except BROKEN as error:
        raise UnreadableFile(f"a broken archive ({error})") from error


def read_compressed(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The one file inside a packed file; it has no name of its own."""
    try:
        with _unpacked(path) as stream:
            member = _Copies(config).copy("", stream)
    except BROKEN as error:
        raise UnreadableFile(f"a broken archive ({error})") from error
    yield Member("", member.path)


def _unpacked(path: Path) -> Any:  # noqa: ANN401 - streams of several libraries
    """A file's bytes, unpacked where they are packed."""
    with path.open("rb") as stream:
        head = stream.read(4)
    if head == b"\x28\xb5\x2f\xfd":
        return zstandard.open(path, "rb")
    for signature, opener in _OPENERS.items():
        if head.startswith(signature):
            return opener(path, "rb")
    return path.open("rb")
