"""Four processes read while one writes: every answer is that of one committed state, none fails.

The writer replaces a set of documents again and again; all of them carry the number of the round.
A reader must see one round in texts, counts and rows alike, no earlier one than was acknowledged
when it began. Segments are merged and removed under its eyes.

    DRAGOMAN_SECONDS=60 pytest tests/indexes/faults/test_readers.py
"""

import gc
import mmap
import os
import struct
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dragoman.indexes.filters import parse_filter
from dragoman.indexes.search.nearest import nearest
from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Bag, Counts, Record
from dragoman.indexes.store import Store
from dragoman.types import Document
from made_records import SPACES, made_record, quick_folder
from observed import documents_of, live_numbers

SECONDS = float(os.environ.get("DRAGOMAN_SECONDS", "4"))
READERS = 4
DOCUMENTS = 12
ROUNDS = 2000  # of which half precision tells one from another
MOST_MAPPED = 60  # segments that are gone and that a reader may still have mapped


def record(number: int, turn: int) -> Record:
    """A document of a round, in every space."""
    marked = turn % ROUNDS
    document = Document(f"d{number}", str(turn), language="en", metadata={"round": turn})
    vectors = {
        "counts": Counts(np.array([marked]), np.array([1.0]), 1),
        "rows": np.array([[marked, 1, 0, 0, 0, 0]], np.float32),
        "names": [f"name{turn}"],
        "bags": Bag([str(turn)], np.array([1]), np.ones((1, 3))),
    }
    return Record(document, vectors)


class Acknowledged:
    """The last round that the writer has acknowledged, in memory that forks share."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 16)

    def get(self, place: int = 0) -> int:
        return int(struct.unpack_from("<q", self._memory, 8 * place)[0])

    def set(self, value: int, place: int = 0) -> None:
        struct.pack_into("<q", self._memory, 8 * place, value)


def check_round(snapshot: Snapshot) -> int:
    """The round that a snapshot shows, the same wherever one looks."""
    by_id = documents_of(snapshot)
    others = [one for name, one in by_id.items() if name.startswith("x")]
    rounds = {int(one.text) for name, one in by_id.items() if name.startswith("d")}
    assert len(by_id) == DOCUMENTS + len(others), sorted(by_id)
    assert len(rounds) == 1, rounds
    (turn,) = rounds
    chosen = snapshot.select(parse_filter((), [f"round={turn}"]))
    assert chosen.size == DOCUMENTS
    best = nearest(snapshot, "rows", np.eye(6, dtype=np.float32)[0], 100, chosen)
    assert best.scores.tolist() == [turn % ROUNDS] * DOCUMENTS, (turn, best)
    located = SnapshotPostings(snapshot, "counts").locate(np.array([turn % ROUNDS]))
    assert located.frequencies.tolist() == [DOCUMENTS]
    assert len(snapshot) == len(live_numbers(snapshot))
    return turn


def read(folder: Path, acknowledged: Acknowledged) -> tuple[int, int]:
    """How many times, and how many rounds, a reader has seen until the writer ended."""
    store, seen, last, count = Store(folder, SPACES), set[int](), 0, 0
    while not acknowledged.get(1):
        before = acknowledged.get()
        with store.snapshot() as snapshot:
            turn = check_round(snapshot)
            if count % 5 == 0:
                time.sleep(0.02)  # the writer goes on meanwhile
                assert check_round(snapshot) == turn
        assert turn >= max(before, last), (turn, before, last)
        seen.add(turn)
        last, count = turn, count + 1
        if count % 50 == 0:
            store.close()
            store = Store(folder, SPACES)
    del snapshot
    gc.collect()
    maps = Path("/proc/self/maps")
    mapped = maps.read_text().count(".segment (deleted)") if maps.exists() else 0
    assert mapped < MOST_MAPPED, f"{mapped} segments that are gone are still mapped"
    store.close()
    return count, len(seen)


def write(folder: Path, acknowledged: Acknowledged) -> tuple[int, int]:
    """How many rounds a writer made, and how many segments went."""
    store, turn, gone = Store(folder, SPACES), acknowledged.get(), set[str]()
    end = time.monotonic() + SECONDS
    rng = np.random.default_rng(1)
    while time.monotonic() < end:
        turn += 1
        records = [record(number, turn) for number in range(DOCUMENTS)]
        store.add(records, {}, memtable=(0, 20, 256)[turn % 3])
        acknowledged.set(turn)
        extra = f"x{turn % 7}"
        store.add([made_record(extra, rng)], {}, memtable=3)
        if turn % 4 == 0:
            store.delete([extra])
        before = {path.name for path in (folder / "segments").glob("*.segment")}
        store.merge(everything=turn % 25 == 0)
        gone |= before - {path.name for path in (folder / "segments").glob("*.segment")}
    acknowledged.set(1, 1)
    store.close()
    return turn, len(gone)


def forked(work: Callable[[], tuple[int, int]]) -> tuple[int, int]:
    """A child that does the work, and the pipe that tells how it went."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        try:
            told = "{} {}".format(*work())
        except BaseException as error:  # noqa: BLE001 - the parent has to know of it
            told = f"failed: {error!r}"
        os.write(writer, told.encode())
        os._exit(0)
    os.close(writer)
    return child, reader


def test_readers_see_committed_states_while_a_writer_works():
    acknowledged = Acknowledged()
    with quick_folder() as place:
        folder = place / "store"
        store = Store.create(folder, SPACES)
        store.add([record(number, 1) for number in range(DOCUMENTS)], {})
        store.close()
        acknowledged.set(1)
        children = [forked(lambda: read(folder, acknowledged)) for _ in range(READERS)]
        children.append(forked(lambda: write(folder, acknowledged)))
        told = []
        for child, reader in reversed(children):
            with os.fdopen(reader) as stream:
                told.append(stream.read())
            acknowledged.set(1, 1)  # also where the writer has failed
            os.waitpid(child, 0)
    assert not any("failed" in one for one in told), told
    (rounds, gone), *reads = [tuple(map(int, one.split())) for one in told]
    assert rounds > 20 * min(1, SECONDS)
    assert gone > 10 * min(1, SECONDS)
    for count, seen in reads:
        assert count > 10 * min(1, SECONDS)
        assert seen > 5
