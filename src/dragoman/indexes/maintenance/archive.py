"""An index <-> one archive file: a snapshot taken while the index is in use, and its restoration.

    manifest.json, checksums.json, system/..., store/documents.sqlite, store/segments/...

Both directions stage a complete index in a folder of its own and verify every checksum: damage is
never copied. The same state gives the same members in the same order.
"""

import os
import shutil
import sqlite3
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

import zstandard

from dragoman.errors import IndexFault, InputError
from dragoman.indexes import documents as table
from dragoman.indexes.maintenance.checksums import CHECKSUMS
from dragoman.indexes.maintenance.database_check import DATABASE
from dragoman.indexes.maintenance.findings import VerificationReport
from dragoman.indexes.maintenance.segment_check import SEGMENTS
from dragoman.indexes.maintenance.verification import check_files
from dragoman.indexes.manifest import MANIFEST, SYSTEM, Manifest
from dragoman.indexes.store import TRIES
from dragoman.protocols import Advance, no_progress
from dragoman.storage.database import Database, StorageError, guarded
from dragoman.storage.folders import flush, flush_tree
from dragoman.storage.staging import staged_folder
from dragoman.text.files import open_bytes

NEEDED = (MANIFEST, CHECKSUMS, DATABASE)
PAUSE = 0.05  # seconds to wait for a merge or a build that is replacing files
CHUNK = 1 << 20


def snapshot(folder: Path, path: Path, advance: Advance = no_progress) -> VerificationReport:
    """Write the current committed state to ``path``; the index may be in use meanwhile.

    A file that was there is replaced when all is written, and stays as it was after an error.
    """
    Manifest.read(folder)
    if path.is_dir() or path.resolve().is_relative_to(folder.resolve()):
        found = "a folder" if path.is_dir() else "a name inside the index"
        raise InputError(path, None, found=found, expected="a file outside of the index")
    with guarded(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as aside:
            staged, packed = Path(aside) / "index", Path(aside) / "archive"
            _stage(folder, staged)
            report = check_files(staged, advance).report
            if report.damage:
                first = report.damage[0]
                raise IndexFault(
                    f"{folder}/{first.path}: found {first.found}; expected an index without"
                    f" damage. No snapshot was written; run: dragoman verify {folder}"
                )
            _pack(staged, packed)
            packed.replace(path)
            flush(path.parent)
    return report


def _stage(folder: Path, staged: Path) -> None:
    """Stage one state of the index in a folder; immutable files are linked if possible."""
    for attempt in range(TRIES):
        before = Manifest.read(folder).identity
        try:
            _copy(folder, staged)
            if Manifest.read(folder).identity == before:
                return
        except FileNotFoundError as error:
            if attempt == TRIES - 1:
                raise IndexFault(
                    f"{error.filename}: found no such file; expected a file of the index. No"
                    f" snapshot was written; run: dragoman verify {folder}"
                ) from error
        shutil.rmtree(staged)
        time.sleep(PAUSE)  # a merge has replaced a segment, or the index was rebuilt
    raise IndexFault(f"{folder}: the index is being rebuilt again and again. Try again later.")


def _copy(folder: Path, staged: Path) -> None:
    (staged / SEGMENTS).mkdir(parents=True)
    for name in (MANIFEST, CHECKSUMS):
        _link(folder / name, staged / name)
    for path in (folder / SYSTEM).rglob("*"):
        if path.is_file():
            _link(path, staged / path.relative_to(folder))
    database = Database(folder / DATABASE)
    target = sqlite3.connect(staged / DATABASE)
    try:
        with database.connection() as source:
            _back_up(source, target, staged)
        listed = table.live_segments(target)
    finally:
        target.close()
        database.close()
    for one in listed:
        name = PurePosixPath(str(one.name)).name
        _link(folder / SEGMENTS / name, staged / SEGMENTS / name)


def _back_up(source: sqlite3.Connection, target: sqlite3.Connection, staged: Path) -> None:
    try:
        source.backup(target)
    except sqlite3.OperationalError as error:
        if "full" not in str(error):
            raise
        raise StorageError(
            f"{staged.parent.parent}: found no room for a copy of the index ({error}). Make room,"
            " or write the snapshot to another disk."
        ) from error


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:  # another disk, or one without links
        shutil.copyfile(source, target)


def _pack(staged: Path, path: Path) -> None:
    with path.open("wb") as raw:
        compressor = zstandard.ZstdCompressor(write_checksum=True)
        with (
            compressor.stream_writer(raw, closefd=False) as stream,
            tarfile.open(fileobj=stream, mode="w|") as archive,
        ):
            for name in _members(staged):
                member = tarfile.TarInfo(name)  # without owner and time
                member.size = (staged / name).stat().st_size
                with (staged / name).open("rb") as content:
                    archive.addfile(member, content)
        raw.flush()
        os.fsync(raw.fileno())


def _members(staged: Path) -> Iterator[str]:
    yield from (MANIFEST, CHECKSUMS)
    for folder, ending in ((SYSTEM, "*"), ("store", DATABASE.rpartition("/")[2]), (SEGMENTS, "*")):
        paths = (path for path in (staged / folder).rglob(ending) if path.is_file())
        yield from sorted(path.relative_to(staged).as_posix() for path in paths)


def restore(path: Path, folder: Path, advance: Advance = no_progress) -> VerificationReport:
    """Unpack a snapshot to a new folder, which appears once all of it is verified."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(
            folder,
            None,
            found="a folder that is not empty" if folder.is_dir() else "a file",
            expected="a new or an empty folder; nothing is overwritten",
        )
    with guarded(folder), staged_folder(folder) as staged:
        _unpack(path, staged)
        report = check_files(staged, advance).report
        if report.damage:
            first = report.damage[0]
            raise InputError(
                path,
                None,
                found=f"{first.found} in {first.path}",
                expected="an index without damage",
                advice="Nothing was restored.",
            )
        flush_tree(staged)
    with guarded(folder):
        flush(folder.parent)
    return report


def _unpack(path: Path, staged: Path) -> None:
    unpacked = set[str]()
    with open_bytes(path) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                for member in archive:
                    if member.isdir():
                        continue
                    _refuse_unexpected(path, member, unpacked)
                    unpacked.add(member.name)
                    content = archive.extractfile(member)
                    assert content is not None
                    _write(content, member, staged)
        except tarfile.TarError as error:
            raise _no_snapshot(path, f"no archive of an index ({error})") from error
        while stream.read(CHUNK):  # up to the checksum at the end
            pass
    if missing := [name for name in NEEDED if name not in unpacked]:
        raise _no_snapshot(path, f"an archive without {missing[0]}")


def _refuse_unexpected(path: Path, member: tarfile.TarInfo, unpacked: set[str]) -> None:
    """Refuse links, devices, sparse files, names outside an index's folder, repeated names."""
    name = PurePosixPath(member.name)
    is_plain = member.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not member.issparse()
    is_inside = name.as_posix() == member.name and ".." not in name.parts and "\0" not in str(name)
    is_named = (
        member.name in NEEDED
        or (name.parts[:1] == (SYSTEM,) and len(name.parts) > 1)
        or (name.parent.as_posix() == SEGMENTS and name.suffix == ".segment")
    )
    if not (is_plain and is_inside and is_named) or member.name in unpacked:
        raise _no_snapshot(path, f"the member {member.name!r}")


def _no_snapshot(path: Path, found: str) -> InputError:
    return InputError(
        path,
        None,
        found=found,
        expected="a file that `dragoman snapshot` wrote",
        advice="Nothing was restored.",
    )


def _write(content: IO[bytes], member: tarfile.TarInfo, staged: Path) -> None:
    free = shutil.disk_usage(staged).free
    if member.size > free:
        raise StorageError(
            f"{staged.parent}: found {free:,} bytes free; the snapshot's {member.name} has"
            f" {member.size:,}. Make room, or restore to another disk."
        )
    target = staged / member.name
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as stream:
        shutil.copyfileobj(content, stream, CHUNK)
