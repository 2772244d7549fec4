"""Checksums of the files that a build writes once: the manifest and the saved system.

Segments and rows of the database have checksums of their own. These files are parsed by other
libraries, which may read a changed byte as another value.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import IndexFault
from dragoman.indexes.manifest import MANIFEST, SYSTEM
from dragoman.storage.database import guarded
from dragoman.storage.digests import file_sha256
from dragoman.storage.staging import write_lines

CHECKSUMS = "checksums.json"
SMALL = 1 << 16  # bytes; smaller files are checked whenever an index is opened


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that differs from the one that was written."""

    name: str  # in the index's folder
    found: str

    @property
    def is_new(self) -> bool:
        """Whether the build did not write this file."""
        return self.found == NEW


NEW = "a file that the build did not write"


def write_checksums(folder: Path) -> None:
    """Write the checksums of an index's manifest and of everything below ``system/``."""
    files = {name: _checksum(folder / name) for name in _names(folder)}
    with write_lines(folder / CHECKSUMS) as stream:
        stream.write(_text(files))


def changed_files(folder: Path) -> list[ChangedFile]:
    """The files that differ from those written; the list of checksums itself if unreadable."""
    files = _read(folder)
    if files is None:
        return [ChangedFile(CHECKSUMS, "no list of checksums, or a damaged one")]
    present = set(_names(folder))
    changed = [ChangedFile(name, NEW) for name in present - files.keys()]
    for name, checksum in files.items():
        if name not in present:
            changed.append(ChangedFile(name, "no such file"))
        elif _checksum(folder / name) != checksum:
            changed.append(ChangedFile(name, "bytes with another checksum"))
    return sorted(changed, key=lambda one: one.name)


def refuse_changed(folder: Path, *, most: int | None = None) -> None:
    """Refuse an index with a changed file; files above ``most`` bytes are not read."""
    files = _read(folder) or {}  # `verify` reports an unreadable list
    for name, checksum in files.items():
        path = folder / name
        if not path.is_file():
            raise _fault(path, "no such file")
        if (most is None or path.stat().st_size <= most) and _checksum(path) != checksum:
            raise _fault(path, "bytes with another checksum")


def _fault(path: Path, found: str) -> IndexFault:
    return IndexFault(
        f"{path}: found {found}; expected the file that the build wrote. Restore the index from a"
        " snapshot, or build it again: dragoman export still reads its documents."
    )


def _names(folder: Path) -> Iterator[str]:
    if (folder / MANIFEST).is_file():
        yield MANIFEST
    for path in sorted((folder / SYSTEM).rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix()


def _checksum(path: Path) -> str:
    with guarded(path):
        return file_sha256(path)


def _text(files: Mapping[str, str]) -> str:
    """The list with a checksum of its own, in a canonical form."""
    listed = json.dumps(files, sort_keys=True)
    own = hashlib.sha256(listed.encode()).hexdigest()
    return json.dumps({"sha256": own, "files": files}, indent=1, sort_keys=True) + "\n"


def _read(folder: Path) -> dict[str, str] | None:
    """The list; None where it is missing or damaged."""
    try:
        text = (folder / CHECKSUMS).read_text(encoding="utf-8")
        files = json.loads(text)["files"]
        return files if _text(files) == text else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
