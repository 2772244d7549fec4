"""A disk that is full or broken at any call: an ordinary error, nothing lost, work goes on.

Every write (ENOSPC, EIO), flush (EIO) and new name (ENOSPC) of a change fails in turn, once or from
then on. The change is there or not; later changes work, in the same process and in the next one,
also if the first died at the fault.

    DRAGOMAN_DISK=all pytest tests/indexes/faults/test_full_disk.py    # every call; some minutes
"""

import ctypes
import errno
import json
import os
import shutil
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from itertools import count, product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import dragoman
from dragoman.errors import DragomanError
from dragoman.indexes.merging import FAN
from dragoman.indexes.pipeline import BATCH
from dragoman.indexes.spaces import Record
from dragoman.indexes.store import Store
from dragoman.text.formats.plain import write_documents
from dragoman.types import Document
from made_records import SPACES, made_record, quick_folder
from observed import documents_of
from shim import FAIL_NAMES, FAIL_SYNCS, FAIL_WRITES, preloaded
from workload import Change, Held, is_held

EVERYWHERE = os.environ.get("DRAGOMAN_DISK") == "all"
FIRST, STEP = 7, 17  # calls that fail if not all: the first ones, then some
ONCE, EVER = 1, 0
CALLS = range(1, 320) if EVERYWHERE else (1, 2, 3, 4, 5, 7, 9, 12, 16, 25, 60, 120, 200, 300)
FAILED, MADE, PASSED = "failed", "made in spite of the fault", "passed before the fault"


class Fault(NamedTuple):
    """What fails, and how often."""

    count: int
    error: int
    kinds: int
    torn: int = 0


FAULTS = {
    "full": Fault(EVER, errno.ENOSPC, FAIL_WRITES | FAIL_NAMES),
    "full in the middle of a write": Fault(EVER, errno.ENOSPC, FAIL_WRITES, torn=1),
    "full for a moment": Fault(ONCE, errno.ENOSPC, FAIL_WRITES | FAIL_NAMES),
    "a write fails": Fault(ONCE, errno.EIO, FAIL_WRITES),
    "a flush fails": Fault(ONCE, errno.EIO, FAIL_SYNCS),
    "all flushes fail": Fault(EVER, errno.EIO, FAIL_SYNCS),
}


def records(first: int, last: int) -> tuple:
    rng = np.random.default_rng(first)
    return tuple(made_record(f"d{number}", rng) for number in range(first, last))


BASE = (
    Change("add", records(0, 12)),
    Change("add", records(8, 16)),
    Change("delete", doc_ids=("d1", "d9")),
    Change("add", records(20, 23), memtable=9),
)
CHANGES = {
    "memtable": Change("add", records(22, 26), memtable=256),
    "segment": Change("add", records(22, 26), memtable=3),
    "delete": Change("delete", doc_ids=("d2", "d20")),
    "merge": Change("merge_all"),
}


def made_base(folder: Path) -> Held:
    """A store with two segments, deletions and a memtable; what is in it."""
    held: Held = {}
    store = Store.create(folder, SPACES)
    for change in BASE:
        change.perform(store)
        held = change.applied(held)
    store.close()
    return held


def cases() -> Iterator[list[tuple[int, bool, bool]]]:
    """For every call that is to fail: its number, whether the store is opened on the bad disk, and
    whether the process dies at the fault."""
    ways = [*product([False, True], repeat=2)]
    for number in count(1):
        if EVERYWHERE:
            yield [(number, *way) for way in ways]
        elif number <= FIRST or number % STEP == 0:
            yield [(number, *ways[number % 4]), (number, *ways[(number + 1) % 4])][: 1 + number % 2]


class Runs:
    """In the child that the shim is loaded into: a run for every call that can fail."""

    def __init__(self, folder: Path, change: str) -> None:
        self.folder, self.change = folder, CHANGES[change]
        self.before = made_base(folder / "base")
        self.after = self.change.applied(self.before)
        self.shim = ctypes.CDLL(None)

    def __call__(self) -> None:
        for name, self.fault in FAULTS.items():
            ends: Counter[str] = Counter()
            for some in cases():
                for case in some:
                    end = self.forked(*case)
                    self.reopened(case, end)
                    ends[end] += 1
                if end == PASSED:
                    break
            sys.stdout.write(f"{json.dumps([name, ends])}\n")

    def fail(self, number: int) -> None:
        fault = self.fault
        self.shim.fail_from(number, fault.count, fault.error, fault.kinds, fault.torn)

    def forked(self, number: int, opening: bool, crash: bool) -> str:
        """How the change ended in a process of its own."""
        shutil.rmtree(self.folder / "store", ignore_errors=True)
        shutil.copytree(self.folder / "base", self.folder / "store")
        reader, writer = os.pipe()
        if (child := os.fork()) == 0:
            try:
                end = self.run(number, opening, crash)
            except BaseException as error:  # noqa: BLE001 - goes to the parent
                end = f"{type(error).__name__}: {error}"
            os.write(writer, end.encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as stream:
            end = stream.read()
        os.waitpid(child, 0)
        assert end in {FAILED, PASSED, MADE}, f"{self.fault}, {number, opening, crash}: {end}"
        return end

    def run(self, number: int, opening: bool, crash: bool) -> str:
        """The change with a fault, then without it."""
        store, failed = None, False
        if not opening:
            store = Store(self.folder / "store", SPACES)
        self.fail(number)
        try:
            store = store or Store(self.folder / "store", SPACES)
            self.change.perform(store)
        except DragomanError as error:
            failed = True
            assert str(self.folder / "store") in str(error)  # noqa: PT017 - it may also succeed
        seen = self.shim.calls_seen()
        end = FAILED if failed else PASSED if seen < number else MADE
        if crash:
            return end
        if store is not None and number % 2:
            read(store, [self.before, self.after] if failed else [self.after])  # on the full disk
        self.fail(0)
        store = store or Store(self.folder / "store", SPACES)
        read(store, [self.before, self.after] if failed else [self.after])
        self.change.perform(store)
        read(store, [self.after])
        store.close()
        return end

    def reopened(self, case: tuple[int, bool, bool], end: str) -> None:
        """The next process."""
        store = Store(self.folder / "store", SPACES)
        read(store, [self.before, self.after] if end == FAILED else [self.after])
        self.change.perform(store)
        store.delete(["-"])  # a second change of this process
        with store.snapshot() as snapshot:
            assert is_held(self.after, snapshot)
            listed = {reader.segment.name for reader in snapshot.readers if reader.segment.name}
        files = {path.name for path in (self.folder / "store" / "segments").iterdir()}
        assert files == listed, f"{self.fault}, {case}: {files - listed} left"
        store.close()


def read(store: Store, states: list[Held]) -> None:
    """Check that one of the states is there."""
    with store.snapshot() as snapshot:
        found = documents_of(snapshot)
    assert found in [{name: one.document for name, one in held.items()} for held in states]


@pytest.mark.parametrize("change", CHANGES)
def test_a_fault_is_an_error_and_loses_nothing(change):
    code = (
        "import sys, pathlib, test_full_disk as t; t.Runs(pathlib.Path(sys.argv[1]), sys.argv[2])()"
    )
    with quick_folder() as folder:
        done = preloaded(code, folder, folder, change)
    assert done.returncode == 0, done.stderr[-3000:]
    ends = dict(map(json.loads, done.stdout.splitlines()))
    assert ends.keys() == FAULTS.keys()
    for name, counts in ends.items():
        assert counts.get(FAILED, 0) > 0, f"{name}: no call failed"
        assert counts[PASSED] > 0


def text_document(number: int) -> Document:
    return Document(f"d{number}", f"tide number{number} moon{number % 7}", language="en")


def made_index(folder: Path) -> None:
    """An index with so many segments that the next one makes a merge due."""
    first = [*map(text_document, range(18))]
    settings = {"translate": False}
    with dragoman.index(first, folder, system="bm25", settings=settings) as index:
        for number in range(18, 18 + FAN - 2):
            (vectors,) = index.system.encode([text_document(number)])
            index.store_records([Record(text_document(number), vectors)], memtable=0)


class Commands:
    """In the child that the shim is loaded into: commands on a full disk, each in a fork."""

    def __init__(self, folder: Path) -> None:
        self.disk, self.aside = folder / "disk", folder / "aside"
        self.shim = ctypes.CDLL(None)
        for name in (self.disk, self.aside, self.disk / "tmp"):
            name.mkdir()
        made_index(self.aside / "base")
        write_documents(self.disk / "more.jsonl", map(text_document, range(10, 300)))
        os.environ["TMPDIR"] = str(self.disk / "tmp")

    def __call__(self) -> None:
        more, index = self.disk / "more.jsonl", self.disk / "index"
        commands = {
            "append": ["index", more, "-o", index, "--append"],
            "build": ["index", more, "-o", index, "--system", "bm25"],
            "optimize": ["optimize", index],
            "search": ["search", index, "tide"],
        }
        for name, command in commands.items():
            failed = 0
            for number in CALLS:
                code, said = self.run(number, [*map(str, command)])
                failed += code != 0
                case = f"{name}, call {number}, exit code {code}: {said}"
                assert "Traceback" not in said, case
                assert "Exception" not in said, case
                assert code == 0 or said.strip(), case
                with dragoman.open(index) as opened:
                    # nothing, the first batch or all of them was added; or the index built anew
                    assert opened.count() in (24, 10 + BATCH, 300, 290), case
                    assert opened.search("tide", language="en").results
            sys.stdout.write(f"{name} {failed}\n")

    def run(self, number: int, command: list[str]) -> tuple[int, str]:
        """The exit code of a command and what it wrote to stderr."""
        from dragoman.cli import main

        for old in self.disk.glob("*index*"):
            shutil.rmtree(old)
        shutil.copytree(self.aside / "base", self.disk / "index")
        errors = self.aside / "errors"
        if (child := os.fork()) == 0:
            os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.argv = ["dragoman", *command]
            self.shim.fail_from(number, EVER, errno.ENOSPC, FAIL_WRITES | FAIL_NAMES, 0)
            code = 0
            try:
                main()
            except SystemExit as end:
                code = int(end.code or 0)
            except BaseException:  # noqa: BLE001 - as the interpreter does
                traceback.print_exc()
                code = 1
            os._exit(code)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status), errors.read_text()


def test_no_command_prints_a_traceback_on_a_full_disk():
    code = "import sys, pathlib, test_full_disk as t; t.Commands(pathlib.Path(sys.argv[1]))()"
    with quick_folder() as folder:
        done = preloaded(code, folder / "disk", folder)
    assert done.returncode == 0, done.stderr[-3000:]
    failed = dict(one.split() for one in done.stdout.splitlines())
    assert all(int(count) > 0 for count in failed.values()), failed
