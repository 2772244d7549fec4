"""A mirror on disk: which arrays are true to the store, told by one small file.

    STORE/mirror            names the folders below; there only while they are true to the store
    STORE/mirror-*/         arrays of all documents at some moment
    STORE/changes-*/        what has changed since: ``gone.npy``, and arrays of the recent documents

The small file goes before the first change of a process and comes back when it closes the store.
After a crash there is none: the engine is asked until the mirror is made again.
"""

import json
import os
import shutil
from pathlib import Path
from uuid import uuid4

import numpy as np

from dragoman.indexes.arrays import Arrays, Damaged
from dragoman.indexes.gathering import Gathering, write_arrays
from dragoman.indexes.mirror import Mirror
from dragoman.text.files import staged_folder, write_lines

POINTER, BASE, CHANGES, GONE = "mirror", "mirror-", "changes-", "gone.npy"


def load(store: Path) -> tuple[Path, Mirror]:
    """Where a store's arrays are, and the mirror; ``Damaged`` if there is none that is true."""
    path = store / POINTER
    if not path.is_file():
        raise Damaged("none is there, or the store has changed since it was made")
    try:
        named = json.loads(path.read_text(encoding="utf-8"))
        folder = store / Path(named["base"]).name
        base = Arrays.load(folder)
        if named["changes"] is None:
            return folder, Mirror.of(base)
        changes = store / Path(named["changes"]).name
        gone = np.load(changes / GONE, allow_pickle=False)
        recent = {record.document.doc_id: record for record in Arrays.load(changes).records()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Damaged(str(error)) from error
    if gone.shape != (len(base),) or gone.dtype != np.bool_:
        raise Damaged("changes of other documents than there are")
    return folder, Mirror(base, gone, recent)


def make(store: Path, gathering: Gathering) -> Path:
    """Write the arrays of all that was gathered; the folder they are in now."""
    folder = store / f"{BASE}{uuid4().hex[:8]}"
    write_arrays(gathering, folder)
    return folder


def save(store: Path, base: Path, mirror: Mirror) -> None:
    """Say that the mirror, whose arrays are in ``base``, is true to the store."""
    changes: Path | None = None
    if mirror.is_changed:
        changes = store / f"{CHANGES}{uuid4().hex[:8]}"
        with staged_folder(changes) as staged:
            np.save(staged / GONE, mirror.gone)
            mirror.tail.save(staged)
    named = {"base": base.name, "changes": changes.name if changes else None}
    with write_lines(store / POINTER) as stream:
        stream.write(json.dumps(named))
    remove_others(store)


def names(store: Path, base: Path) -> bool:
    """Whether the mirror on disk is true to the store and has its arrays in ``base``."""
    return f'"{base.name}"' in _pointer(store)


def _pointer(store: Path) -> str:
    path = store / POINTER
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def disown(store: Path) -> None:
    """From now on the mirror on disk is not true to the store, also if the power fails."""
    if not (store / POINTER).exists():
        return
    (store / POINTER).unlink()
    folder = os.open(store, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def remove_others(store: Path) -> None:
    """Remove the folders that the small file does not name; all where there is none."""
    named = _pointer(store)
    for kind in (BASE, CHANGES):
        for folder in [*store.glob(f"{kind}*"), *store.glob(f".{kind}*")]:
            if f'"{folder.name}"' not in named:
                shutil.rmtree(folder, ignore_errors=True)
