"""A writer killed at any moment: nothing acknowledged is lost, every search works, no repair."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import dragoman
from dragoman.errors import IndexFault
from dragoman.indexes import reading
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.engine import Index
from dragoman.indexes.filters import Filter
from dragoman.indexes.reading import ALL, ShardReader
from dragoman.indexes.shards import current
from dragoman.indexes.spaces import Record
from dragoman.types import Document, Query
from stored import SPACES

KILLS = 200


def document(number: int) -> Document:
    return Document(f"d{number}", f"tide number{number} moon{number % 7}", language="en")


def say(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def in_child(work: Callable[[], None]) -> tuple[int, int]:
    """A forked process and the pipe it speaks on; this process never opens the engine itself."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        sys.stdout = os.fdopen(writer, "w")
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - the parent has to hear of it
            say(f"failed: {error!r}")
        os._exit(0)
    os.close(writer)
    return child, reader


def is_mirror_true(index: Index) -> bool:
    """Whether the arrays beside the store hold what the engine holds."""
    asked = index.system.query_vector(Query("q", "tide moon3", "en"), Filter())
    everything = index.count()
    ways = (index.store.nearest, partial(ShardReader.nearest, index.store))
    mine, engines = (
        {(hit.doc_id, round(hit.score, 4)) for hit in nearest("psq", asked, everything)}
        for nearest in ways
    )
    there = index.store.reflection(["psq"], Filter())
    return there is not None and mine == engines and len(mine) == len(there.mirror) == everything


def write_until_killed(folder: Path, acknowledged: int) -> None:
    """Check what is there, then add, replace and delete; even numbers stay."""
    index = dragoman.open(folder)
    even = range(0, acknowledged + 1, 2)
    there = index.store.documents([f"d{n}" for n in even])
    lost = [n for n, found in zip(even, there, strict=True) if found is None]
    hits = index.search("tide", k=3, language="en").ranking.hits
    counted = index.system._postings.documents["en"]
    say(
        f"opened, lost {lost[:5]}, hits {len(hits)}, uncounted {index.count() - counted},"
        f" mirror {'true' if is_mirror_true(index) else 'false'}"
    )
    number = acknowledged + 2
    while True:
        index.add([document(number), document(number + 1)])
        say(number)
        index.delete([f"d{number + 1}"])
        index.add([document(2)])
        if number % 40 == 0:
            index.optimize()
        number += 2


def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(tmp_path):
    folder = tmp_path / "index"
    child, reader = in_child(
        lambda: dragoman.index([document(n) for n in range(40)], folder, system="psq").close()
    )
    os.waitpid(child, 0)
    os.close(reader)
    rng = np.random.default_rng(7)
    acknowledged = opened = 38
    for kill in range(KILLS):
        last = acknowledged
        child, reader = in_child(lambda last=last: write_until_killed(folder, last))
        with os.fdopen(reader) as stream:
            first = stream.readline() if kill % 2 else ""  # half of them die while opening
            time.sleep(rng.uniform(0.0, 0.08))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            lines = (first + stream.read()).split("\n")[:-1]
        for line in lines:
            if line.isdigit():
                acknowledged = max(acknowledged, int(line))
            else:
                assert line == "opened, lost [], hits 3, uncounted 0, mirror true"
                opened += 1
    assert opened >= KILLS // 2
    assert acknowledged > 38 + KILLS


def optimise_until_killed(folder: Path, acknowledged: int) -> None:
    """As above, but the store counts as a large one, which another process optimises."""
    reading.EXACT_BELOW = 0
    index = dragoman.open(folder)
    there = index.store.documents([f"d{n}" for n in range(acknowledged + 1)])
    hits = index.search("tide", k=3, language="en").ranking.hits
    lost = [n for n, found in enumerate(there) if found is None]
    say(f"opened, lost {lost[:5]}, hits {len(hits)}")
    number = acknowledged + 1
    while True:
        optimizer = threading.Thread(target=index.optimize)
        optimizer.start()
        while optimizer.is_alive():
            index.add([document(number)])
            say(number)
            number += 1
            time.sleep(0.01)


def test_nothing_is_lost_when_an_optimisation_is_killed(tmp_path):
    folder = tmp_path / "index"
    child, reader = in_child(
        lambda: dragoman.index([document(n) for n in range(40)], folder, system="psq").close()
    )
    os.waitpid(child, 0)
    os.close(reader)
    rng = np.random.default_rng(8)
    acknowledged = 39
    for kill in range(8):
        last, before = acknowledged, current(folder / "store")
        child, reader = in_child(lambda last=last: optimise_until_killed(folder, last))
        with os.fdopen(reader) as stream:
            assert stream.readline() == "opened, lost [], hits 3\n"
            if kill % 2:  # half of them die after an optimisation has come to its end
                wait_for(lambda before=before: current(folder / "store") != before)
            time.sleep(rng.uniform(0.0, 0.5))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            lines = stream.read().split("\n")[:-1]
        acknowledged = max([acknowledged, *map(int, lines)])


def of_version(name: int, version: int) -> Record:
    """A document whose text tells how many passages it has and what each of them scores."""
    rows = np.full((1 + version % 5, 4), version, dtype=np.float32)
    return Record(Document(f"d{name}", str(version)), {"passages": rows})


def replace_until_killed(folder: Path) -> None:
    """Check that every point is of its document's version, then replace documents by others."""
    store = EdgeStore.open(folder)
    versions = {mine.document.doc_id: int(mine.document.text) for mine in store.records([])}
    wrong = [
        mine.document.doc_id
        for mine in store.records(["passages"])
        if not np.array_equal(
            mine.vectors["passages"],
            of_version(0, versions[mine.document.doc_id]).vectors["passages"],
        )
    ]
    one = np.array([1, 0, 0, 0], np.float32)
    points = store._found("passages", one, 10_000, None, ALL)
    names = store._names([point for point, _ in points])
    stale = [
        name for name, (_, score) in zip(names, points, strict=True) if score != versions[name]
    ]
    say(f"opened, {store.count()}, wrong {wrong}, stale {stale}")
    version = max(versions.values()) % 1_000
    gone = [name for name in range(100, 111) if f"d{name}" not in versions]
    store.add([of_version(name, version) for name in gone])
    while True:
        version += 1
        store.add([of_version(version % 7, version), of_version(version % 3, version)])
        store.delete([f"d{version % 11 + 100}"])
        store.add([of_version(version % 11 + 100, version)])


def test_no_passage_answers_for_another_version_when_the_writer_is_killed(tmp_path):
    folder = tmp_path / "store"

    def create() -> None:
        store = EdgeStore.create(folder, SPACES)
        store.add([of_version(n, 1) for n in (*range(7), *range(100, 111))])
        store.close()

    child, reader = in_child(create)
    os.waitpid(child, 0)
    os.close(reader)
    rng = np.random.default_rng(9)
    for _ in range(40):
        child, reader = in_child(lambda: replace_until_killed(folder))
        with os.fdopen(reader) as stream:
            said = stream.readline()
            time.sleep(rng.uniform(0.0, 0.05))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        assert said in {f"opened, {count}, wrong [], stale []\n" for count in (17, 18)}


def wait_for(event: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not event():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_full_disk_is_an_error_and_loses_nothing(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small file system needs the right to mount one")
    try:
        child, reader = in_child(lambda: fill_the_disk(disk / "index"))
        with os.fdopen(reader) as stream:
            said = stream.read()
        os.waitpid(child, 0)
        assert said == "full\nall there\n"
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def fill_the_disk(folder: Path) -> None:
    dragoman.index([document(n) for n in range(10)], folder, system="psq").close()
    added, heavy = 10, {"scan": "x" * 1_000_000}
    with dragoman.open(folder) as index:
        try:
            while added < 10_000:
                index.add([Document(f"d{added}", "tide", language="en", metadata=heavy)])
                added += 1
        except IndexFault as error:
            say("full" if "free disk space" in str(error) else error)
    with dragoman.open(folder) as again:
        there = again.store.documents([f"d{n}" for n in range(added)])
        hits = again.search("tide", k=5, language="en").ranking.hits
        say("all there" if all(there) and len(hits) == 5 and added > 20 else "lost")
