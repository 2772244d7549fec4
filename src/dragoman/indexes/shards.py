"""Which folder of a store holds its shard, and how another takes its place."""

import os
import shutil
from pathlib import Path

import qdrant_edge as qe

from dragoman.errors import IndexFault

CURRENT, SHARD = "current", "shard"


def current(folder: Path) -> Path:
    """The shard's folder."""
    pointer = folder / CURRENT
    name = pointer.read_text(encoding="utf-8").strip() if pointer.is_file() else SHARD
    return folder / Path(name).name  # never outside the store


def point_to(shard: Path) -> None:
    """Make ``shard`` the store, whole and on disk or not at all."""
    staged = shard.with_name(f".{CURRENT}")
    with staged.open("w", encoding="utf-8") as stream:
        stream.write(shard.name)
        stream.flush()
        os.fsync(stream.fileno())
    staged.replace(shard.with_name(CURRENT))


def remove_others(folder: Path) -> None:
    """Remove what a killed process has left."""
    now = current(folder)
    for path in folder.glob(f"{SHARD}*"):
        if path != now:
            shutil.rmtree(path, ignore_errors=True)


def loaded(shard: Path) -> qe.EdgeShard:
    """The shard, open; a damaged one is refused with the remedy."""
    try:
        return qe.EdgeShard.load(str(shard))
    except BaseException as error:  # the engine panics on some damage, past Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        raise IndexFault(
            f"{shard}: damaged ({error}). Restore it from a copy, or build the index"
            " again from its documents."
        ) from error
