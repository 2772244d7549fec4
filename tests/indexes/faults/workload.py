"""Changes to a store, each made of its number alone, so that any process can tell what was done."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Record
from dragoman.indexes.store import Store
from made_records import made_record
from observed import answers, check_against

IDS = [f"d{number}" for number in range(30)]
CHANCES = {"add": 0.55, "delete": 0.25, "merge": 0.17, "merge_all": 0.03}

Held = Mapping[str, Record]  # what a store must hold, by id


@dataclass(frozen=True)
class Change:
    """Something that is done to a store at once."""

    kind: str
    records: tuple[Record, ...] = ()
    doc_ids: tuple[str, ...] = ()
    memtable: int = 0

    def perform(self, store: Store) -> None:
        if self.kind == "add":
            store.add(self.records, {}, memtable=self.memtable)
        elif self.kind == "delete":
            store.delete(self.doc_ids)
        else:
            store.merge(everything=self.kind == "merge_all")

    def applied(self, held: Held) -> Held:
        """What is there after the change."""
        left = {name: one for name, one in held.items() if name not in self.doc_ids}
        return left | {one.document.doc_id: one for one in self.records}


def change(number: int) -> Change:
    """The change with this number."""
    rng = np.random.default_rng(number)
    kind = str(rng.choice([*CHANCES], p=[*CHANCES.values()]))
    doc_ids = rng.choice(IDS, int(rng.integers(1, 5))).tolist()
    if kind == "add":
        records = tuple(made_record(doc_id, rng) for doc_id in doc_ids)
        return Change(kind, records, memtable=int(rng.choice([0, 3, 256], p=[0.3, 0.5, 0.2])))
    return Change(kind, doc_ids=tuple(doc_ids) if kind == "delete" else ())


def is_held(held: Held, snapshot: Snapshot) -> bool:
    """Whether a snapshot has exactly these documents; if it has, all its answers are checked."""
    found = answers(snapshot)
    if found["documents"] != {name: one.document for name, one in held.items()}:
        return False
    check_against(dict(held), found)
    return True
