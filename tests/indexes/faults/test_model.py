"""Random operations against a plain dict: what is there, and what it scores, is what was put there.

Every seed makes some hundred operations (add, replace, delete, search, merge, merge all, a snapshot
kept open while others write, close and open again, two open stores on one folder). Rankings, with
filters too, equal those of a fresh store of the same documents to the last bit, and those of plain
loops up to rounding. A failure names its seed.

    DRAGOMAN_SEEDS=500 pytest tests/indexes/faults/test_model.py
"""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import dragoman
from dragoman.indexes.index import Index
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Record
from dragoman.indexes.store import Store
from dragoman.indexes.tallies import miscounted, miscounted_fields
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Hit, Query
from made_records import SPACES, made_record, quick_folder, seeds
from observed import Answers, answers, check_against, documents_of

OPERATIONS = 250
IDS = [*(f"d{number}" for number in range(40)), "é/\udc80", " x", "D1"]
CHANCES = {
    "add": 0.36,
    "delete": 0.2,
    "search": 0.08,
    "merge": 0.14,
    "merge_all": 0.02,
    "hold_snapshot": 0.06,
    "let_go": 0.06,
    "reopen": 0.04,
    "compare": 0.04,
}


class Model:
    """A folder with two open stores, and a dict that must say the same."""

    def __init__(self, folder: Path, rng: np.random.Generator) -> None:
        self.folder, self.rng = folder, rng
        self.records: dict[str, Record] = {}
        self.stores = [Store.create(folder / "store", SPACES), Store(folder / "store", SPACES)]
        self.open: list[tuple[ExitStack, Snapshot, Answers]] = []

    def step(self) -> str:
        """Do something; its name."""
        name = str(self.rng.choice([*CHANCES], p=[*CHANCES.values()]))
        getattr(self, name)()
        return name

    @property
    def store(self) -> Store:
        return self.stores[int(self.rng.integers(len(self.stores)))]

    def ids(self, most: int) -> list[str]:
        return self.rng.choice(IDS, int(self.rng.integers(1, most))).tolist()

    def add(self) -> None:
        new = [made_record(doc_id, self.rng) for doc_id in self.ids(9)]
        self.store.add(new, {}, memtable=int(self.rng.choice([0, 2, 5, 256])))
        self.records |= {one.document.doc_id: one for one in new}

    def delete(self) -> None:
        ids = self.ids(6)
        there = {*ids} & self.records.keys()
        assert self.store.delete(ids) == len(there)
        for doc_id in there:
            del self.records[doc_id]

    def search(self) -> None:
        with self.store.snapshot() as snapshot:
            check_against(self.records, answers(snapshot))

    def merge(self) -> None:
        self.store.merge()

    def merge_all(self) -> None:
        store = self.store
        store.merge(everything=True)
        with store.snapshot() as snapshot:
            named = [reader for reader in snapshot.readers if reader.segment.name]
            assert len(named) <= 1
            assert not any(reader.deleted.any() for reader in named)

    def hold_snapshot(self) -> None:
        with ExitStack() as stack:
            snapshot = stack.enter_context(self.store.snapshot())
            self.open.append((stack.pop_all(), snapshot, answers(snapshot)))

    def let_go(self) -> None:
        if self.open:
            stack, snapshot, before = self.open.pop(int(self.rng.integers(len(self.open))))
            with stack:
                assert answers(snapshot) == before

    def reopen(self) -> None:
        place = int(self.rng.integers(len(self.stores)))
        self.stores[place].close()
        self.stores[place] = Store(self.folder / "store", SPACES)

    def compare(self) -> None:
        with self.store.snapshot() as snapshot:
            found = answers(snapshot)
        with quick_folder() as elsewhere:
            fresh = Store.create(elsewhere / "store", SPACES)
            if self.records:
                fresh.add([*self.records.values()], {}, memtable=0)
            with fresh.snapshot() as snapshot:
                expected = answers(snapshot)
            for kind, mine in found.items():
                assert (kind, mine) == (kind, expected[kind])
            fresh.close()

    def finish(self) -> None:
        while self.open:
            self.let_go()
        for store in self.stores:
            store.close()
        store = Store(self.folder / "store", SPACES)
        with store.snapshot() as snapshot:
            assert documents_of(snapshot).keys() == self.records.keys()
            assert miscounted(snapshot.connection) == []
            assert not miscounted_fields(snapshot.connection)
        listed = {reader.segment.name for reader in snapshot.readers}
        store.close()
        files = {path.name for path in (self.folder / "store" / "segments").iterdir()}
        assert files == listed - {""}


@pytest.mark.parametrize("seed", seeds(few=8))
def test_a_store_holds_what_a_dict_holds(seed):
    trace: list[str] = []
    with quick_folder() as folder:
        model = Model(folder, np.random.default_rng(seed))
        try:
            for _ in range(OPERATIONS):
                trace.append(model.step())
            model.compare()
            model.finish()
        except Exception as error:
            raise AssertionError(
                f"seed {seed}, operation {len(trace)}, after {trace[-5:]}: {error!r}"
            ) from error


TEXTS = ["tide", "moon", "river", "stone", "winter", "garden", "sky", "berg", "see"]
SCOPES = (
    ((), None, Balance.OFF),
    ((), None, Balance.CALIBRATED),
    (("year>=2003",), None, Balance.CALIBRATED),
    (("author=A|C", "year!=2001"), ["de"], Balance.OFF),
)


def made_document(doc_id: str, rng: np.random.Generator) -> Document:
    text = " ".join(rng.choice(TEXTS, int(rng.integers(1, 9))).tolist())
    metadata = {"year": int(rng.integers(2000, 2006)), "author": str(rng.choice([*"ABC"]))}
    return Document(doc_id, text, language=str(rng.choice(["de", "en"])), metadata=metadata)


def rankings(index: Index) -> list[tuple[Hit, ...]]:
    """What an index answers to fixed queries; none where it has no document in a language."""
    found = []
    for text in ("tide moon stone", "garden sky", "berg"):
        for where, within, balance in SCOPES:
            if within is None or {*within} <= index.languages.keys():
                scope = index.scope(within, where, balance)
                found.append(index.rank(Query("q", text, "en"), 8, scope).hits)
    return found


def random_changes(indexes: list[Index], rng: np.random.Generator) -> Iterator[dict[str, Document]]:
    """What must be there after each of some changes through either of two open indexes."""
    held: dict[str, Document] = {"first": made_document("first", rng)}
    while True:
        index, ids = indexes[int(rng.integers(2))], rng.choice(IDS, 4).tolist()
        if rng.random() < 0.6:
            new = {doc_id: made_document(doc_id, rng) for doc_id in ids}
            records = map(Record, new.values(), index.system.encode([*new.values()]))
            index.store_records([*records], memtable=int(rng.choice([0, 6, 256])))
            held |= new
        elif rng.random() < 0.7:
            index.delete(ids)
            held = {doc_id: one for doc_id, one in held.items() if doc_id not in ids}
        else:
            index.optimize()
        yield held


@pytest.mark.parametrize("seed", seeds(few=3))
def test_an_index_ranks_as_a_fresh_one_of_the_same_documents(seed):
    settings = {"translate": False}

    def built(documents: list[Document], folder: Path) -> Index:
        return dragoman.index(documents, folder, system="bm25", settings=settings)

    with quick_folder() as folder:
        first = made_document("first", np.random.default_rng(seed))
        indexes = [built([first], folder / "index"), dragoman.open(folder / "index")]
        rng = np.random.default_rng(seed)
        for number, held in enumerate(islice(random_changes(indexes, rng), 120)):
            if number % 15 or not held:
                continue
            with built([*held.values()], folder / f"fresh{number}") as fresh:
                expected = rankings(fresh)
            for index in indexes:
                case = f"seed {seed}, change {number}"
                assert index.doc_ids() == sorted(held), case
                assert index.documents(sorted(held)) == [held[name] for name in sorted(held)], case
                assert rankings(index) == expected, case
        for index in indexes:
            index.close()
