"""A folder -> its files, in the order of their paths, and what is passed over, with the reason.

Names that begin with a dot are passed over, folders among them as a whole; links to folders are not
followed. An id
is the folder's label and the path inside it, composed (NFC) and with bytes that are no UTF-8
written as ``%FF``: the same file has the same id on every system.
"""

import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import InputError, UserError
from dragoman.text.readers.file_types import FileType, type_of


@dataclass(frozen=True, slots=True)
class Root:
    """A folder, or a single file, whose files have ids that begin with ``label``."""

    label: str
    path: Path

    @classmethod
    def of(cls, path: Path, label: str = "") -> "Root":
        """The root at ``path``; refused where it is missing, unreadable or has no usable name."""
        whole = path.resolve()
        if not whole.exists():
            raise InputError(path, None, found="no such file or folder", expected="a folder")
        chosen = label or portable(whole.name)
        if not chosen or "/" in chosen or "#" in chosen:
            raise UserError(
                f"{path}: found the label {chosen!r}; expected a name without / and #."
                " Choose another: --label NAME"
            )
        return cls(chosen, whole)


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A file that can be read, or the reason why it is passed over."""

    path: Path
    doc_id: str  # of the text in it; texts inside have this and a suffix
    size: int
    modified: int  # nanoseconds since 1970
    file_type: FileType | None  # None where it could not be looked at
    reason: str = ""  # why it is passed over

    @property
    def is_readable(self) -> bool:
        """Whether a reader takes the file."""
        return not self.reason


def portable(name: str) -> str:
    """A name composed (NFC), with bytes that are no UTF-8 and ``#`` percent-encoded."""
    raw = os.fsencode(name).decode("utf-8", "surrogateescape")
    escaped = "".join(
        f"%{ord(letter) - 0xDC00:02X}" if "\udc80" <= letter <= "\udcff" else letter
        for letter in raw
    )
    return unicodedata.normalize("NFC", escaped).replace("#", "%23").replace("\n", "%0A")


def scan(root: Root) -> Iterator[ScannedFile]:
    """Every file below a root; two names that give one id are an error that names both."""
    seen: dict[str, Path] = {}
    for path in _paths(root.path):
        inside = () if path == root.path else path.relative_to(root.path).parts
        doc_id = "/".join((root.label, *map(portable, inside)))
        if doc_id in seen:
            raise UserError(
                f"{seen[doc_id]} and {path} have the same id {doc_id!r}: their names differ only in"
                " how letters are composed. Rename one of them."
            )
        seen[doc_id] = path
        yield _scanned(root, path, doc_id)


def _paths(root: Path) -> Iterator[Path]:
    if not root.is_dir():
        yield root
        return
    for parent, folders, names in os.walk(root, onerror=_refuse):
        not_entered = [
            name for name in folders if _is_hidden(name) or Path(parent, name).is_symlink()
        ]
        folders[:] = sorted({*folders} - {*not_entered})
        yield from (Path(parent, name) for name in sorted([*names, *not_entered]))


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _refuse(error: OSError) -> None:
    raise InputError(error.filename, None, found=str(error.strerror), expected="a readable folder")


def _scanned(root: Root, path: Path, doc_id: str) -> ScannedFile:
    if _is_hidden(path.name) and path != root.path:
        return ScannedFile(path, doc_id, 0, 0, None, "hidden, by a name that begins with a dot")
    try:
        status = path.stat()
        if path.is_symlink() and path.is_dir():
            return ScannedFile(path, doc_id, 0, 0, None, "a link to a folder")
        if path.is_symlink() and not path.resolve().is_relative_to(root.path):
            return ScannedFile(path, doc_id, 0, 0, None, "a link that leads out of the folder")
        if not stat.S_ISREG(status.st_mode):
            return ScannedFile(path, doc_id, 0, 0, None, "no regular file")
        kind = type_of(path)
    except OSError as error:
        return ScannedFile(path, doc_id, 0, 0, None, f"cannot be read ({error.strerror})")
    reason = kind.value if kind.is_passed_over else ""
    return ScannedFile(path, doc_id, status.st_size, status.st_mtime_ns, kind, reason)
