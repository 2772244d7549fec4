"""The power fails at any call: all that was acknowledged is there, and searches work.

A child's calls to the file system are recorded; its folder is made again as the disk may hold it
after every one of them, with unflushed writes and names kept, lost, or kept in part.

    DRAGOMAN_POWER=all pytest tests/indexes/faults/test_power_loss.py    # at every call; minutes
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import dragoman
from dragoman.indexes.store import Store
from dragoman.types import Document
from made_records import SPACES, quick_folder
from observed import documents_of
from replay import Call, Disk, read_log
from shim import preloaded
from workload import Held, change, is_held

CHANGES = 60
CHECKPOINT = 12  # pages of the write-ahead log: it begins anew often
CHILD = "import sys, pathlib, test_power_loss as t; t.{}(pathlib.Path(sys.argv[1]))"
MARKERS = "markers"  # a file; every line acknowledges a change
EVERYWHERE = os.environ.get("DRAGOMAN_POWER") == "all"
AT_MOST = 60  # calls at which the power fails, if not everywhere
LOSSES = {"nothing lost": (1, 1), "all lost": (0, 0), "some lost": (0.5, 0.5), "names": (1, 0)}


def record(folder: Path) -> None:
    """In the child: change a store and acknowledge every change by a line."""
    markers = os.open(folder / MARKERS, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    store = opened(folder)
    for number in range(CHANGES):
        change(number).perform(store)
        os.write(markers, f"{number}\n".encode())
        if number % 20 == 19:
            store.close()
            store = opened(folder)
    os._exit(0)  # without a last checkpoint


def opened(folder: Path) -> Store:
    store = Store(folder / "store", SPACES)
    with store.database.connection() as connection:  # there is one, which all changes use
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT}")
    return store


@pytest.fixture(scope="module")
def recorded():
    """A folder as it was before, and the calls that changed it."""
    with quick_folder() as place:
        folder = place / "before"
        folder.mkdir()
        Store.create(folder / "store", SPACES).close()
        shutil.copytree(folder, place / "copy")
        done = preloaded(CHILD.format("record"), folder, folder, log=place / "log")
        assert done.returncode == 0, done.stderr
        calls = [*read_log(place / "log")]
        shutil.rmtree(folder)
        shutil.copytree(place / "copy", folder)
        yield folder, calls


def test_the_record_has_every_kind_of_call(recorded):
    _, calls = recorded
    assert {call.kind for call in calls} >= {*"OCWTSRU"}
    written = {call.path.rpartition("/")[2] for call in calls if call.kind in "OC"}
    assert {"documents.sqlite", "documents.sqlite-wal", "segments", "store"} <= written
    checkpoints = sum(call.kind == "S" for call in _of_file(calls, "documents.sqlite"))
    assert checkpoints > 3


def _of_file(calls: Sequence[Call], name: str) -> list[Call]:
    handles = {c.handle for c in calls if c.kind in "OCE" and c.path.endswith(f"/{name}")}
    return [call for call in calls if call.handle in handles]


def moments(calls: Sequence[Call]) -> list[int]:
    """How many calls have been made when the power fails: all, or some, most around flushes."""
    if EVERYWHERE:
        return [*range(len(calls) + 1)]
    rng = np.random.default_rng(11)
    around = {
        place + step for place, call in enumerate(calls) if call.kind in "SRU" for step in (0, 1)
    }
    chosen = rng.choice(sorted(around), AT_MOST - AT_MOST // 4, replace=False).tolist()
    return sorted({*chosen, *rng.integers(0, len(calls) + 1, AT_MOST // 4).tolist()})


def test_all_that_was_acknowledged_is_there_after_a_power_loss(recorded):
    folder, calls = recorded
    markers = {c.handle for c in calls if c.kind in "OC" and c.path.endswith(MARKERS)}
    states: list[Held] = [{}]
    for number in range(CHANGES):
        states.append(change(number).applied(states[-1]))
    disk, played, acknowledged = Disk(folder), 0, 0
    rng = np.random.default_rng(12)
    for moment in moments(calls):
        for call in calls[played:moment]:
            disk.play(call)
            acknowledged += call.kind == "W" and call.handle in markers
        played = moment
        for name, (writes, names) in LOSSES.items():
            with quick_folder() as place:
                disk.write_out(place / "after", writes, names, rng)
                try:
                    check(place / "after" / "store", states[acknowledged : acknowledged + 2])
                except Exception as error:
                    raise AssertionError(
                        f"power lost after call {moment} of {len(calls)}, {name}, {acknowledged}"
                        f" changes acknowledged: {error!r}"
                    ) from error
    assert acknowledged > CHANGES * 3 // 4


def check(folder: Path, states: Sequence[Held]) -> None:
    """Open what is left, compare it, change it."""
    store = Store(folder, SPACES)
    with store.snapshot() as snapshot:
        there = [is_held(held, snapshot) for held in states]
    assert any(there)
    after = change(CHANGES).applied(states[there.index(True)])
    change(CHANGES).perform(store)
    with store.snapshot() as snapshot:
        assert documents_of(snapshot).keys() == after.keys()
    store.close()


def documents(numbers: range) -> list[Document]:
    return [Document(f"d{n}", f"tide number{n}", language="en") for n in numbers]


def build(folder: Path, numbers: range) -> None:
    settings = {"translate": False}
    dragoman.index(documents(numbers), folder / "index", system="bm25", settings=settings).close()


def record_build(folder: Path) -> None:
    """In the child: build an index in the place of another one, and acknowledge it."""
    markers = os.open(folder / MARKERS, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    build(folder, NEW)
    os.write(markers, b"built")
    os._exit(0)


OLD, NEW = range(4), range(10, 16)


def test_an_index_is_the_old_or_the_new_one_after_a_power_loss():
    with quick_folder() as place:
        folder = place / "before"
        folder.mkdir()
        build(folder, OLD)
        shutil.copytree(folder, place / "copy")
        done = preloaded(CHILD.format("record_build"), folder, folder, log=place / "log")
        assert done.returncode == 0, done.stderr
        calls = [*read_log(place / "log")]
        shutil.rmtree(folder)
        shutil.copytree(place / "copy", folder)
        check_build(folder, calls)


def check_build(folder: Path, calls: Sequence[Call]) -> None:
    """Cut the power around flushes and renames, where all calls but those of a build are over."""
    named = [n for n, call in enumerate(calls) if call.kind in "RYUMX"]
    rng, disk, played, built = np.random.default_rng(13), Disk(folder), 0, False
    moments = {*named, *(n + 1 for n in named), *rng.integers(0, len(calls), 20).tolist()}
    chosen = range(len(calls)) if EVERYWHERE else sorted(moments)[:: max(1, len(moments) // 25)]
    for moment in [*chosen, len(calls)]:
        for call in calls[played:moment]:
            disk.play(call)
            built |= call.kind == "W" and call.data == b"built"
        played = moment
        for name, (writes, names) in LOSSES.items():
            with quick_folder() as place:
                disk.write_out(place / "after", writes, names, rng)
                case = f"after call {moment} of {len(calls)}, {name}, built {built}"
                try:
                    check_index(place / "after", [NEW] if built else [OLD, NEW])
                except Exception as error:
                    raise AssertionError(f"power lost {case}: {error!r}") from error
    assert built


def check_index(folder: Path, expected: Sequence[range]) -> None:
    """Search the index, then build one in its place."""
    ids = [{f"d{n}" for n in numbers} for numbers in expected]
    with dragoman.open(folder / "index") as index:
        hits = index.search("tide", 20, language="en").ranking.hits
        assert {hit.doc_id for hit in hits} in ids
    build(folder, range(20, 23))
    with dragoman.open(folder / "index") as index:
        assert index.doc_ids() == ["d20", "d21", "d22"]
