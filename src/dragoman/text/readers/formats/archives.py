"""ZIP, tar and single packed files -> the files inside, copied out one at a time.

Names inside an archive are labels, never paths to write to. Bytes are counted as they come out. Of
a damaged archive everything that can be read is read, then the damage is reported.
"""

import bz2
import gzip
import lzma
import tarfile
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO, Any, Self, cast

import zstandard

from dragoman.text.readers.contents import (
    Content,
    LeftOut,
    Member,
    ReaderConfig,
    UnreadableFile,
)
from dragoman.text.readers.formats.zip_recovery import entries_without_directory

CHUNK = 1 << 16
HIDDEN, NO_FILE = "hidden, by a name that begins with a dot", "a link or a device"
FEW = 1 << 10  # packed bytes, which unpack to 32 MB at most
BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError),
    *(zstandard.ZstdError, RuntimeError, NotImplementedError, ValueError, OverflowError),
)
_OPENERS: Mapping[bytes, Callable[[Path, str], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7z": lzma.open,
}


class _Copies:
    """Temporary copies of files inside one archive, together within its limit.

    ``damage`` has the names of those that are broken; what could be read of them is copied.
    ``leave_out`` notes others, which ``left_out`` yields once for each reason.
    """

    def __init__(self, config: ReaderConfig) -> None:
        self._left, self._most = config.expanded_bytes, config.expanded_bytes
        self.damage: dict[str, str] = {}
        self._left_out: dict[str, str] = {}  # reason -> the first name
        self._counts = Counter[str]()  # of those left out, by reason

    def copy(self, name: str, chunks: Iterable[bytes]) -> Iterator[Member]:
        """One copy; none where nothing could be read."""
        copied = 0
        with tempfile.NamedTemporaryFile(delete=False) as copy:
            try:
                for chunk in chunks:
                    self._left -= len(chunk)
                    if self._left < 0:
                        raise UnreadableFile(
                            f"an archive that expands beyond {self._most:,} bytes; unpack it to"
                            " have its files read"
                        )
                    copied += copy.write(chunk)
            except BROKEN as error:
                self.damage[label(name)] = str(error) or type(error).__name__
            except BaseException:
                Path(copy.name).unlink()
                raise
        if copied or label(name) not in self.damage:
            yield Member(label(name), Path(copy.name))
        else:
            Path(copy.name).unlink()

    def leave_out(self, name: str, reason: str) -> None:
        """Note a file that is not copied."""
        self._left_out.setdefault(reason, label(name))
        self._counts[reason] += 1

    def left_out(self) -> Iterator[LeftOut]:
        """What was not copied; an archive may hold very many, so that only the first is named."""
        for reason, first in self._left_out.items():
            others = self._counts[reason] - 1
            yield LeftOut(first, reason + (f", and {others:,} more" if others else ""))

    def refuse_damage(self, found: str) -> None:
        """Raise ``UnreadableFile`` that names broken files, where there were any."""
        if self.damage:
            (name, why), *others = self.damage.items()
            more = f" and {len(others):,} more" if others else ""
            raise UnreadableFile(f"{found} ({name}: {why}{more})")


def _chunks(stream: Any) -> Iterator[bytes]:  # noqa: ANN401 - streams of several libraries
    """The bytes of a stream, all of them up to where it is broken."""
    while chunk := stream.read1(CHUNK):
        yield chunk


def label(name: str) -> str:
    """A name inside an archive without what would lead out of it; never empty."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return "/".join(part for part in parts if part.strip("/.")) or "unnamed"


def _is_hidden(name: str) -> bool:
    """Whether a file in an archive, or a folder that it is in, is hidden."""
    return any(part.startswith((".", "__MACOSX")) for part in label(name).split("/"))


def read_zip(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The files of a zip archive; those at its beginning where the end is missing."""
    copies = _Copies(config)
    try:
        archive = zipfile.ZipFile(path)
    except BROKEN as error:
        yield from _zip_members(entries_without_directory(path), copies)
        raise UnreadableFile(f"a broken archive ({error})") from error
    with archive:
        entries = ((one.filename, _entry_chunks(archive, one)) for one in archive.infolist())
        yield from _zip_members(entries, copies)
    copies.refuse_damage("a broken or encrypted archive")


def _zip_members(
    entries: Iterable[tuple[str, Iterator[bytes]]], copies: _Copies
) -> Iterator[Content]:
    """Copies of the files of a zip archive, given by their names and bytes."""
    for name, chunks in entries:
        if name.endswith("/"):
            continue
        if _is_hidden(name):
            copies.leave_out(name, HIDDEN)
        else:
            yield from copies.copy(name, chunks)
    yield from copies.left_out()


def _entry_chunks(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(entry) as stream:
        yield from _chunks(stream)


def read_tar(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The plain files of a tar archive, packed or not; links and devices are left out.

    After broken bytes the next file that can be recognised is read.
    """
    copies, blocks = _Copies(config), Counter[str]()
    try:
        with _unpacked(path) as packed:
            stream = _UpToDamage(packed)
            with tarfile.open(
                fileobj=cast("IO[bytes]", stream),
                mode="r|",
                ignore_zeros=True,
                tarinfo=_headers(blocks),
            ) as archive:
                for entry in archive:
                    if not entry.isdir():
                        yield from _tar_member(archive, entry, copies)
    except BROKEN as error:
        raise UnreadableFile(f"a broken archive ({error})") from error
    yield from copies.left_out()
    if stream.damage:
        raise UnreadableFile(f"a broken archive ({stream.damage})")
    copies.refuse_damage("a broken archive")
    if blocks["broken"]:
        raise UnreadableFile(f"a broken archive ({blocks['broken']:,} blocks between its files)")
    if not blocks["end"]:
        raise UnreadableFile("an archive that is cut off (it has no end mark)")


def _tar_member(
    archive: tarfile.TarFile, entry: tarfile.TarInfo, copies: _Copies
) -> Iterator[Member]:
    """A copy of a plain file that is not hidden; others are noted."""
    if _is_hidden(entry.name):
        copies.leave_out(entry.name, HIDDEN)
    elif not entry.isfile():
        copies.leave_out(entry.name, NO_FILE)
    else:
        yield from copies.copy(entry.name, _tar_chunks(archive, entry))


def _tar_chunks(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Iterator[bytes]:
    """The bytes of a file in an archive; those of the library end before the last whole block."""
    if entry.issparse():
        yield from _chunks(archive.extractfile(entry))
        return
    stream, left = archive.fileobj, entry.size
    assert stream is not None
    stream.seek(entry.offset_data)
    while left:
        chunk = stream.read(min(left, CHUNK))
        if not chunk:
            raise EOFError("its end is missing")
        left -= len(chunk)
        yield chunk


def _headers(blocks: Counter[str]) -> type[tarfile.TarInfo]:
    """Reads the headers of a tar archive; counts broken blocks and end marks."""

    class Header(tarfile.TarInfo):
        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            try:
                return super().frombuf(buf, encoding, errors)
            except tarfile.HeaderError:
                if buf:
                    blocks["broken" if any(buf) else "end"] += 1
                raise

    return Header


class _UpToDamage:
    """A stream that ends where its bytes are broken; ``damage`` says why."""

    def __init__(self, stream: Any) -> None:  # noqa: ANN401 - streams of several libraries
        self._stream, self.damage = stream, ""

    def read(self, size: int) -> bytes:
        """So many bytes, fewer at the end."""
        pieces = list[bytes]()
        try:
            while size > 0 and (piece := self._stream.read1(size)):
                pieces.append(piece)
                size -= len(piece)
        except BROKEN as error:
            self.damage = str(error) or type(error).__name__
        return b"".join(pieces)


def read_compressed(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The one file inside a packed file; it has no name of its own."""
    copies = _Copies(config)
    try:
        with _unpacked(path) as stream:
            for member in copies.copy("", _chunks(stream)):
                yield Member("", member.path)
    except BROKEN as error:
        raise UnreadableFile(f"a broken archive ({error})") from error
    for why in copies.damage.values():
        raise UnreadableFile(f"a broken archive ({why})")


class _ZstandardStream:
    """Unpacked bytes of zstandard frames; the library's own stream ends early without an error."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._packed = stream, b""
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._begun = False
        self.close = stream.close

    def read1(self, size: int) -> bytes:
        """Some bytes; none at the end."""
        del size  # as much as a few bytes unpack to
        while packed := self._packed or self._stream.read(FEW):
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
            unpacked = self._frame.decompress(packed)
            self._packed, self._begun = self._frame.unused_data, True
            if unpacked:
                return unpacked
        if self._begun and not self._frame.eof:
            raise EOFError("its end is missing")
        return b""


def _unpacked(path: Path) -> Any:  # noqa: ANN401 - streams of several libraries
    """A file's bytes, unpacked where they are packed."""
    with path.open("rb") as stream:
        head = stream.read(4)
    if head == b"\x28\xb5\x2f\xfd":
        return closing(_ZstandardStream(path.open("rb")))
    for signature, opener in _OPENERS.items():
        if head.startswith(signature):
            return opener(path, "rb")
    return path.open("rb")
