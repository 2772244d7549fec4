"""A folder -> its files, in the order of their paths, and what is passed over, with the reason.

Names that begin with a dot are passed over, folders among them as a whole, and so are indexes;
links to folders are not followed. An id is the folder's label and the path inside it, composed
(NFC), with bytes that are no UTF-8 written as ``%FF``: the same file has the same id everywhere.
"""

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import InputError, UserError
from dragoman.text.readers.file_types import FileType, type_of

INDEX_FILES = ("manifest.json", "store/documents.sqlite")  # of every index of this package
_ENCODED = re.compile(r"[#\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})  # errors of what is not there


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
    is_closed: bool = False  # it is there, but it, or what is below it, could not be looked at

    @property
    def is_readable(self) -> bool:
        """Whether a reader takes the file."""
        return not self.reason


def portable(name: str) -> str:
    """A name composed (NFC), with what an id cannot hold or a terminal not show percent-encoded.

    That are bytes that are no UTF-8, ``#`` and control characters.
    """
    raw = os.fsencode(name).decode("utf-8", "surrogateescape")
    escaped = "".join(
        f"%{ord(letter) - 0xDC00:02X}" if "\udc80" <= letter <= "\udcff" else letter
        for letter in raw
    )
    return _ENCODED.sub(_percent_encoded, unicodedata.normalize("NFC", escaped))


def _percent_encoded(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def scan(root: Root) -> Iterator[ScannedFile]:
    """Every file below a root; two names that give one id are an error that names both."""
    if _is_index(root.path):
        raise UserError(
            f"{root.path}: found an index; expected a folder of documents. dragoman export writes"
            " the documents of an index to a file."
        )
    seen: dict[str, Path] = {}
    for path, error in _paths(root.path):
        inside = () if path == root.path else path.relative_to(root.path).parts
        doc_id = "/".join((root.label, *map(portable, inside)))
        if doc_id in seen:
            raise UserError(
                f"{seen[doc_id]} and {path} have the same id {doc_id!r}: their names differ only in"
                " how letters are composed. Rename one of them."
            )
        seen[doc_id] = path
        yield _scanned(root, path, doc_id, error)


def _paths(root: Path) -> Iterator[tuple[Path, OSError | None]]:
    """The paths below a root, a folder that cannot be looked at with its error."""
    if not root.is_dir():
        yield root, None
        return
    closed: list[OSError] = []
    for parent, folders, names in os.walk(root, onerror=closed.append):
        entered = sorted(name for name in folders if _is_entered(Path(parent, name)))
        yield from (
            (Path(parent, name), None) for name in sorted([*names, *({*folders} - {*entered})])
        )
        folders[:] = entered
    for error in closed:
        if Path(error.filename) == root:
            found, expected = str(error.strerror), "a readable folder"
            raise InputError(root, None, found=found, expected=expected)
        yield Path(error.filename), error


def _is_entered(folder: Path) -> bool:
    return not (_is_hidden(folder.name) or folder.is_symlink() or _is_index(folder))


def _is_index(folder: Path) -> bool:
    try:
        return all((folder / name).is_file() for name in INDEX_FILES)
    except OSError:  # of a folder that may not be entered
        return False


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _scanned(root: Root, path: Path, doc_id: str, error: OSError | None) -> ScannedFile:
    def passed_over(reason: str, *, is_closed: bool = False) -> ScannedFile:
        return ScannedFile(path, doc_id, 0, 0, None, reason, is_closed)

    if _is_hidden(path.name) and path != root.path:
        return passed_over("hidden, by a name that begins with a dot")
    try:
        if error is not None:
            raise error
        status = path.stat()
        if reason := _why_no_file(root, path, status.st_mode):
            return passed_over(reason)
        kind = type_of(path)
    except OSError as met:
        return passed_over(f"cannot be read ({met.strerror})", is_closed=met.errno not in GONE)
    reason = kind.value if kind.is_passed_over else ""
    return ScannedFile(path, doc_id, status.st_size, status.st_mtime_ns, kind, reason)


def _why_no_file(root: Root, path: Path, mode: int) -> str:
    """Why a path is no file of the root; "" where it is one."""
    if path.is_symlink() and stat.S_ISDIR(mode):
        return "a link to a folder"
    if path.is_symlink() and not path.resolve().is_relative_to(root.path):
        return "a link that leads out of the folder"
    if stat.S_ISDIR(mode):
        return "an index"
    return "" if stat.S_ISREG(mode) else "no regular file"
