"""Systems of bags over a store: counts follow every change, every search is exact.

The store keeps the texts and each document's bag (counts by hashed key); the arrays that are
searched stand beside it and are made again from its texts if a process was killed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import ClassVar, Generic, Self, TypeVar

import numpy as np

from dragoman.indexes.bag_system import BATCH, BagSystem
from dragoman.indexes.filters import Filter
from dragoman.indexes.scope import Scope
from dragoman.indexes.spaces import Record, Space, SpaceKind, Sparse, Vector
from dragoman.indexes.store import Store
from dragoman.types import Document, Explanation, Hit, IntArray, Query, Ranking
from dragoman.vectors.bag_config import BagConfig
from dragoman.vectors.reading import Read

Kind = TypeVar("Kind", bound=BagSystem)  # type: ignore[type-arg]  # of any configuration


class ResidentBags(Generic[Kind]):
    """Documents that come and go, ranked by the distance of bags that a room names."""

    kind: ClassVar[type[BagSystem]]  # type: ignore[type-arg]

    def __init__(self, system: Kind) -> None:
        self._system = system

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> BagConfig:
        """The configuration that plain settings name."""
        return cls.kind.configure(settings)

    @classmethod
    def prepare(cls, config: BagConfig) -> Self:
        """The word vectors."""
        return cls(cls.kind.empty(config))  # type: ignore[arg-type]

    def emptied(self) -> Self:
        """The same settings without a document."""
        return type(self)(self.kind.empty(self._system.config))  # type: ignore[arg-type]

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space of bags."""
        return (Space(self.kind.name, SpaceKind.SPARSE),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that questions may be in."""
        return self._system.bags.source.languages

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return self._system.settings

    def notices(self, languages: Iterable[str]) -> list[str]:
        """The languages whose words have no vector."""
        return self._system.notices(languages)

    def vectors(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Each document's bag; one without a known word has none."""
        reader = self._system.bags.reader
        read = [reader.read(reader.words(d.content), d.language) for d in documents]
        return [{self.kind.name: _bag(one)} if one.keys else {} for one in read]

    def observe(self, records: Iterable[Record]) -> None:
        """Count documents that are now in the store."""
        self._system.add([record.document for record in records])

    def recount(self, records: Iterable[Record]) -> None:
        """Count documents that an earlier process put into the store."""
        stream = iter(records)
        while batch := list(islice(stream, BATCH)):
            self.observe(batch)

    def forget(self, records: Iterable[Record]) -> None:
        """Count documents no longer."""
        self._system.remove(record.document.doc_id for record in records)

    def search(self, store: Store, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` nearest documents; equal scores by id."""
        hits = scope.hits(lambda n, allowed: self._nearest(store, query, n, allowed), k)
        return Ranking(query.query_id, tuple(hits))

    def _nearest(self, store: Store, query: Query, k: int, allowed: Filter) -> list[Hit]:
        return self._system.hits(query.content, k, self._rows(store, allowed))

    def _rows(self, store: Store, allowed: Filter) -> IntArray | None:
        """The rows of the documents that pass a filter; languages are known here."""
        if not allowed:
            return None
        weighed = self._system.bags.weighed
        if allowed.conditions:
            return weighed.rows(store.matching(allowed))
        return weighed.rows_in(allowed.languages)

    def scores(self, store: Store, query: Query, documents: Mapping[str, str]) -> dict[str, float]:
        """Minus the distance of each document."""
        del store
        rows = self._system.bags.weighed.rows(documents)
        found = self._system.hits(query.content, len(rows), rows)
        return {hit.doc_id: hit.score for hit in found}

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word met which word of the document."""
        return self._system.explain(query, document)

    def save(self, folder: Path) -> None:
        """Write settings, vocabulary and counts."""
        self._system.save(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        return cls(cls.kind.load(folder))  # type: ignore[arg-type]


def _bag(read: Read) -> Sparse:
    counts: dict[int, int] = {}
    for key, count in zip(read.keys, read.counts, strict=True):
        number = int.from_bytes(blake2b(key.encode(), digest_size=4).digest(), "little")
        counts[number] = counts.get(number, 0) + count
    dimensions = np.fromiter(counts, np.uint32, len(counts))
    return Sparse(dimensions, np.fromiter(counts.values(), np.float64, len(counts)))
