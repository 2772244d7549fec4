"""The store of an index in a cluster: what ``indexes.store`` is for a folder.

One writer at a time has the lease. A batch is journalled as a whole, then its points are written,
then the delta of the statistics, then the head names the batch; only then is it acknowledged. A
writer that finds the journal of another one finishes that batch first. Every step can be repeated.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock

from qdrant_client import models

from dragoman.cluster.changes import Change
from dragoman.cluster.collections import STATE
from dragoman.cluster.connection import Connection, MissingCollection
from dragoman.cluster.points import StoredDocument, payload_of, point_id, vectors_of
from dragoman.cluster.retrieval import Retrieval
from dragoman.cluster.snapshot import MEAN, ClusterSnapshot
from dragoman.cluster.state import ORDERED, ClusterState, Head, LostLease
from dragoman.cluster.statistics import Layer, Statistics
from dragoman.errors import IndexFault
from dragoman.indexes.memtable import MEMTABLE, pack_record
from dragoman.indexes.spaces import Record, Space, SpaceKind
from dragoman.indexes.store import StoreReplaced

ROWS_AT_ONCE = 2_000  # rows written by one call
POINTS_AT_ONCE = 256
DELTAS = 32  # after which the statistics get a new base


class ClusterStore:
    """An open build of an index; several threads may search and change it."""

    def __init__(self, connection: Connection, collection: str, spaces: Sequence[Space]) -> None:
        self.connection, self.collection, self.spaces = connection, collection, tuple(spaces)
        self.state = ClusterState(connection, collection + STATE)
        self._published = ClusterState(connection, connection.address.name + STATE)  # by its alias
        self.is_current = True  # until a search or a writer finds another build published
        self.retrieval = Retrieval(connection, collection)
        self._statistics: Statistics | None = None
        self._shared: dict[str, Mapping[str, float]] = {}
        self._reading, self._writing = Lock(), Lock()

    @property
    def is_writable(self) -> bool:
        """A service only reads: its tasks are kept beside a folder, and it keeps no state here."""
        return False

    def close(self) -> None:
        """Nothing is held between calls."""

    @contextmanager
    def snapshot(self) -> Iterator[ClusterSnapshot]:
        """The current generation."""
        statistics = self.statistics(self._current_head())
        yield ClusterSnapshot(statistics, self.retrieval, self.spaces, self._shared)

    def _current_head(self) -> Head:
        """The head of the published build; refused where it is another one."""
        try:
            head = self._published.head()
        except MissingCollection as error:
            raise self._replaced() from error
        if not self.collection.endswith(f".{head.identity[:12]}"):
            raise self._replaced()
        return head

    def _replaced(self) -> StoreReplaced:
        self.is_current = False
        return StoreReplaced(f"{self.connection.address}: the index was built anew; open it again.")

    def statistics(self, head: Head) -> Statistics:
        """The statistics of a head; layers that were read before are not read again."""
        with self._reading:
            known = self._statistics
            if known is None or known.batch > head.batch or known.batch < head.base:
                known = Statistics(head.base, (self._layer(f"base:{head.base}"),))
            if known.batch < head.batch:
                new = [self._layer(f"delta:{n}") for n in range(known.batch + 1, head.batch + 1)]
                layers = (*known.layers, *new)
                if len(layers) > DELTAS:
                    layers = layers[0], Layer.sum(layers[1:])
                known = Statistics(head.batch, layers)
            if known is not self._statistics:
                self._statistics, self._shared = known, {}
            return known

    def _layer(self, name: str) -> Layer:
        data = self.state.read_blob(name)
        if data is None:
            raise IndexFault(
                f"{self.connection.address}: found no statistics {name}; expected those that the"
                " head names. Recompute them: dragoman verify ADDRESS --repair"
            )
        return Layer.from_bytes(data)

    def stored(self, doc_ids: Sequence[str]) -> list[StoredDocument]:
        """Documents with their packed vectors; those that do not exist are left out."""
        found = self.retrieval.fetch([*map(point_id, doc_ids)])
        return [found[point] for point in map(point_id, doc_ids) if point in found]

    def add(
        self, records: Sequence[Record], facts: Mapping[str, str], memtable: int = MEMTABLE
    ) -> None:
        """Add documents, or replace those with the same ids; on return they are acknowledged."""
        del memtable
        latest = {one.document.doc_id: one for one in records}
        added = [
            StoredDocument(one.document, pack_record(one, self.spaces)) for one in latest.values()
        ]
        if not added and not facts:
            return
        for start in range(0, max(len(added), 1), POINTS_AT_ONCE):
            with self._lease() as head:
                self._change(head, added[start : start + POINTS_AT_ONCE], (), facts)

    def finish_batch(self) -> None:
        """Finish the batch that a writer has begun and left."""
        with self._lease() as head:
            self.state.swap_head(head, replace(head, owner=""))

    def rewrite(self, stored: Sequence[StoredDocument]) -> None:
        """Write documents again as they are, to all replicas."""
        with self._lease() as head:
            self.write_points(stored, self.statistics(head).facts, head.fence)
            self.state.swap_head(head, replace(head, owner=""))

    def replace_statistics(self, base: Layer) -> None:
        """Begin the statistics anew with a layer that was computed from all documents."""
        with self._lease() as head:
            batch = head.batch + 1
            self.state.write_blob(f"delta:{batch}", Layer().to_bytes(), head.fence)
            self.state.write_blob(f"base:{batch}", base.to_bytes(), head.fence)
            self.state.swap_head(head, replace(head, batch=batch, base=batch, owner=""))

    def delete(self, doc_ids: Collection[str]) -> int:
        """Delete documents; returns how many of them existed."""
        listed, count = [*dict.fromkeys(doc_ids)], 0
        for start in range(0, len(listed), POINTS_AT_ONCE):
            with self._lease() as head:
                count += self._change(head, (), listed[start : start + POINTS_AT_ONCE], {})
        return count

    def merge(self, *, everything: bool = False) -> bool:
        """Nothing to merge here: the nodes do."""
        del everything
        return False

    @contextmanager
    def _lease(self) -> Iterator[Head]:
        """The head, with the lease of this process; an unfinished batch is finished first."""
        with self._writing:
            self._current_head()
            try:
                head = self.state.acquire()
            except MissingCollection as error:
                raise self._replaced() from error
            head = self._finish_journal(head)
            try:
                yield head
            except LostLease:
                raise
            except BaseException:
                self._release()
                raise

    def _release(self) -> None:
        head = self.state.head(agreed=True)
        if head.owner:
            self.state.swap_head(head, replace(head, owner=""))

    def _finish_journal(self, head: Head) -> Head:
        """Finish the batch that another writer has begun, if there is one."""
        journal = self.state.read_blob(f"journal:{head.batch + 1}", agreed=True)
        if journal is None:
            return head
        return self._write(head, Change.from_bytes(journal), release=False)

    def _change(
        self,
        head: Head,
        added: Sequence[StoredDocument],
        deleted: Sequence[str],
        facts: Mapping[str, str],
    ) -> int:
        """Write one batch; returns how many documents it removed or replaced."""
        batch = head.batch + 1
        points = [point_id(one.document.doc_id) for one in added] + [*map(point_id, deleted)]
        removed = [*self.retrieval.fetch(points, agreed=True).values()]
        if not added and not removed and not facts:
            self.state.swap_head(head, replace(head, owner=""))
            return 0
        versioned = [replace(one, version=batch) for one in added]
        known = self.statistics(head)
        means = self._first_means(known, added)
        delta = Layer.of_change(versioned, removed, self.spaces, {**facts, **means})
        change = Change(batch, versioned, deleted, delta)
        self.state.write_blob(f"journal:{batch}", change.to_bytes(), head.fence)
        if self.state.head(agreed=True) != head:
            raise LostLease(f"{self.connection.address}: another process writes now; repeat.")
        self._write(head, change, release=True)
        return len(removed)

    def _first_means(self, known: Statistics, added: Sequence[StoredDocument]) -> dict[str, str]:
        """Mean lengths of languages that come for the first time, which counts are saturated by."""
        sums = Layer.of_change(added, (), self.spaces, {}).lengths
        return {
            name: str(total / filled)
            for space, lengths in sums.items()
            for code, (total, filled) in lengths.items()
            if filled and (name := f"{MEAN}{space}:{code}") not in known.facts
        }

    def _write(self, head: Head, change: Change, *, release: bool) -> Head:
        """Write what is journalled; every step may have been done before."""
        facts = {**self.statistics(head).facts, **change.delta.facts}
        self.write_points(change.added, facts, head.fence)
        if change.deleted:
            self._delete_points([*map(point_id, change.deleted)], head.fence)
        self.state.write_blob(f"delta:{change.batch}", change.delta.to_bytes(), head.fence)
        after = replace(head, batch=change.batch, owner="" if release else head.owner)
        if change.batch - head.base >= DELTAS:
            after = self._with_new_base(after)
        head = self.state.swap_head(head, after)
        self.state.delete_blob(f"journal:{change.batch}")
        return head

    def _with_new_base(self, head: Head) -> Head:
        """Sum base and deltas into a new base; those before the last base are removed."""
        known = self.statistics(replace(head))
        base = Layer.sum(known.layers)
        self.state.write_blob(f"base:{head.batch}", base.to_bytes(), head.fence)
        for number in range(max(0, head.base - DELTAS), head.base + 1):
            for name in (f"delta:{number}", f"base:{number}" if number < head.base else ""):
                if name:
                    self.state.delete_blob(name)
        return replace(head, base=head.batch)

    def write_points(
        self, added: Sequence[StoredDocument], facts: Mapping[str, str], fence: int
    ) -> None:
        """Write the points of documents; those of a later writer are not replaced."""
        means: dict[str, dict[str, float]] = {
            space.name: {} for space in self.spaces if space.kind is SpaceKind.COUNTS
        }
        for name, value in facts.items():
            if name.startswith(MEAN):
                space, _, code = name.removeprefix(MEAN).partition(":")
                means[space][code] = float(value)
        points: list[models.PointStruct] = []
        rows = 0
        for one in added:
            vectors = vectors_of(one, self.spaces, means)
            size = sum(len(v) for v in vectors.values() if isinstance(v, list))
            if points and (rows + size > ROWS_AT_ONCE or len(points) >= POINTS_AT_ONCE):
                self._upsert(points, fence)
                points, rows = [], 0
            points.append(
                models.PointStruct(
                    id=point_id(one.document.doc_id),
                    vector=vectors,
                    payload=payload_of(one, self.spaces, fence),
                )
            )
            rows += size
        if points:
            self._upsert(points, fence)

    def _upsert(self, points: list[models.PointStruct], fence: int) -> None:
        self.connection.write(
            lambda client: client.upsert(
                self.collection, points, ordering=ORDERED, update_filter=_no_later(fence)
            )
        )

    def _delete_points(self, points: list[str], fence: int) -> None:
        mine = models.Filter(must=[models.HasIdCondition(has_id=[*points]), *_no_later_must(fence)])
        self.connection.write(lambda client: client.delete(self.collection, mine, ordering=ORDERED))


def _no_later_must(fence: int) -> list[models.Condition]:
    return [models.FieldCondition(key="fence", range=models.Range(lte=fence))]


def _no_later(fence: int) -> models.Filter:
    return models.Filter(must=_no_later_must(fence))
