"""Folders that take each other's place at once, and names that reach the disk."""

import ctypes
import os
from pathlib import Path

CURRENT_FOLDER, EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux


def take_place(new: Path, folder: Path) -> Path | None:
    """Put ``new`` where ``folder`` is; the path of what was there, None where there was nothing.

    On Linux both names change in one step, so that a killed process leaves either the old folder or
    the new one in its place. Elsewhere there is a moment without one. All files of ``new`` are on
    the disk before.
    """
    flush_tree(new)
    if not folder.exists():
        new.rename(folder)
        old = None
    elif _exchanged(new, folder):
        old = new
    else:
        old = folder.with_name(f".{folder.name}.old")
        folder.rename(old)
        new.rename(folder)
    flush_folder(folder.parent)
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
    """Let all that is in a folder reach the disk: contents and names."""
    for path in folder.rglob("*"):
        flush_folder(path)
    flush_folder(folder)


def flush_folder(folder: Path) -> None:
    """Let the names of its files reach the disk; of a file, its content."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
