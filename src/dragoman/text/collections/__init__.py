"""Named collections, built on the user's machine from public sources, in the plain format."""

import errno
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dragoman.errors import ConfigError, DragomanError, OutputError
from dragoman.protocols import Stage
from dragoman.registry import COLLECTIONS, collection
from dragoman.storage.staging import staged_folder
from dragoman.text.collections.catalogue import BuildRequest, NamedCollection
from dragoman.text.collections.output import write_manifest

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)


class NoRoom(DragomanError):
    """The disk is full or read-only."""

    def __init__(self, path: Path | str, reason: str | None) -> None:
        super().__init__(
            f"{path}: {reason}. Nothing was left behind; make room or choose another"
            " -o (or another TMPDIR, where apt works), and try again."
        )


def catalogue() -> list[NamedCollection]:
    """All named collections."""
    return [collection(name) for name in COLLECTIONS]


def build(name: str, request: BuildRequest, target: Path, stage: Stage) -> Mapping[str, Any]:
    """Build the collection ``name`` at ``target`` and return its manifest.

    The folder appears when all is written. An earlier collection at ``target`` is replaced; any
    other folder with files in it is an error.
    """
    named: NamedCollection = collection(name)
    named.check(request)
    if target.exists() and not _is_replaceable(target):
        raise ConfigError(
            f"Found {target}, which is not a collection; expected a new or empty folder, or an"
            " earlier collection (a folder with a manifest.json). Choose another -o."
        )
    try:
        with staged_folder(target) as folder:
            about = named.build(request, folder, stage)
            facts = {"collection": named.name, "licence": named.licence, **about}
            return write_manifest(folder, request, facts)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
            raise
        raise NoRoom(target, "No space left on device") from error
    except (OSError, OutputError) as error:
        cause = error.__cause__ if isinstance(error, OutputError) else error
        if not isinstance(cause, OSError) or cause.errno not in NO_ROOM:
            raise
        raise NoRoom(cause.filename or target, cause.strerror) from error


def _is_replaceable(target: Path) -> bool:
    if not target.is_dir():
        return False
    return (target / "manifest.json").is_file() or not any(target.iterdir())
