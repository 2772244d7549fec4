"""Folders that replace each other in one step, and flushes of files and folders to the disk."""

import ctypes
import os
from pathlib import Path

CURRENT_FOLDER, EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux


def replace_folder(new: Path, folder: Path) -> Path | None:
    """Flush ``new`` to the disk and move it to ``folder``; the earlier folder's path, or None.

    A killed process leaves either the old folder or the new one, whole, under the name: see
    ``exchange``.
    """
    flush_tree(new)
    old = exchange(new, folder)
    flush(folder.parent)
    return old


def exchange(new: Path, folder: Path) -> Path | None:
    """Move ``new`` to ``folder``; the path that the earlier folder has now, None without one.

    On Linux both names change in one step. Elsewhere the old folder is renamed first, so that for
    a moment there is none.
    """
    if not folder.exists():
        new.rename(folder)
        return None
    if _exchanged(new, folder):
        return new
    old = new.with_name(f"{new.name}.old")
    folder.rename(old)
    new.rename(folder)
    return old


def _exchanged(one: Path, other: Path) -> bool:
    """Whether the system could exchange the names."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    if rename is None:
        return False
    names = os.fsencode(one), os.fsencode(other)
    done: int = rename(CURRENT_FOLDER, names[0], CURRENT_FOLDER, names[1], EXCHANGE)
    return done == 0


def flush_tree(folder: Path) -> None:
    """Write everything in a folder to the disk: contents and names."""
    for path in folder.rglob("*"):
        flush(path)
    flush(folder)


def flush(path: Path) -> None:
    """Write a file's content, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
