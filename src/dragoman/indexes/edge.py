"""The embedded store: Qdrant's engine in the process (``qdrant-edge-py``), behind small verbs.

Every ``add`` and ``delete`` is in the engine's write-ahead log when it returns. Scores are inner
products, higher is better; equal scores are ordered by document id, which the engine does not do by
itself.

    STORE/shard-*/   documents and vectors, the engine's own files
    STORE/current    which of them is the store; the others are left-overs of a killed process
    STORE/ids/       the documents of points, to be had without reading them (``ids``)
    STORE/lock       held by the process that has the store open
"""

import shutil
import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from subprocess import Popen
from typing import Any, Self
from uuid import uuid4

import qdrant_edge as qe

from dragoman.errors import IndexFault
from dragoman.indexes import optimizing
from dragoman.indexes.filters import Filter
from dragoman.indexes.ids import KnownIds, point_id
from dragoman.indexes.lock import Lock
from dragoman.indexes.points import (
    EXACT_BELOW,
    engine_config,
    engine_filter,
    engine_vector,
    payload,
    to_document,
    to_point,
    to_record,
)
from dragoman.indexes.shards import SHARD, current, loaded, point_to, remove_others
from dragoman.indexes.spaces import Record, Space, Vector
from dragoman.types import Document, Hit

IDS = "ids"
SCROLL = 1_000  # points per page when all are read
DISK_RESERVE = 128 * 2**20  # bytes: the engine's next log segment and its growing files
SEARCH_WIDTH = 128  # candidates that a walk through the graph keeps (ef)
PATIENCE = 5.0  # seconds to wait for another process to let go


class EdgeStore:
    """Documents and vectors in a folder that this process owns until ``close``."""

    def __init__(self, folder: Path, lock: Lock, shard: qe.EdgeShard) -> None:
        self.folder, self._lock, self._shard = folder, lock, shard
        self._ids = KnownIds.load(folder / IDS)
        self._known_count: int | None = None  # counting takes longer than a search
        self._engine = threading.RLock()  # held around every call: ``optimize`` changes the shard
        self._writing = threading.RLock()  # taken before ``_engine``
        self._optimizing = threading.Lock()
        self._optimizer: Popen[str] | None = None
        self._changed: set[str] | None = None  # ids, while an optimised copy is being made

    @classmethod
    def create(cls, folder: Path, spaces: Collection[Space]) -> Self:
        """An empty store; ``folder`` must hold none."""
        folder.mkdir(parents=True, exist_ok=True)
        lock = Lock(folder, PATIENCE)
        shard = qe.EdgeShard.create(str(folder / SHARD), engine_config(spaces))
        shard.update(
            qe.UpdateOperation.create_field_index("language", qe.PayloadSchemaType.Keyword)
        )
        return cls(folder, lock, shard)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The store in ``folder``; a damaged one is refused with the remedy."""
        if not current(folder).is_dir():
            raise IndexFault(f"{folder}: found no store; expected the folder {current(folder)}.")
        lock = Lock(folder, PATIENCE)
        try:
            remove_others(folder)
            return cls(folder, lock, loaded(current(folder)))
        except BaseException:
            lock.release()
            raise

    def close(self) -> None:
        """Write everything out and let other processes in; an optimisation is given up."""
        if self._optimizer is not None:
            self._optimizer.kill()
        with self._optimizing, self._writing, self._engine:
            self._shard.close()
            self._ids.save(self.folder / IDS)
        self._lock.release()

    def add(self, records: Sequence[Record]) -> None:
        """Add or replace documents; on return they are logged on disk."""
        points = [to_point(record) for record in records]
        self._refuse_full_disk()
        if points:
            changed = [record.document.doc_id for record in records]
            self._update(qe.UpdateOperation.upsert_points(points), changed)
            self._ids.remember(changed)

    def delete(self, doc_ids: Collection[str]) -> None:
        """Remove documents; ids that are not there are ignored."""
        self._refuse_full_disk()
        if doc_ids:
            self._update(qe.UpdateOperation.delete_points([*map(point_id, doc_ids)]), doc_ids)

    def _update(self, operation: qe.UpdateOperation, changed: Collection[str]) -> None:
        with self._writing, self._engine:
            self._shard.update(operation)
            self._known_count = None
            if self._changed is not None:
                self._changed.update(changed)

    def _refuse_full_disk(self, needed: int = 0) -> None:
        """The engine writes through mapped memory, where a full disk kills the process."""
        free, wanted = shutil.disk_usage(self.folder).free, DISK_RESERVE + needed
        if free < wanted:
            raise IndexFault(
                f"{self.folder}: found {free // 2**20:,} MB of free disk space; expected at least"
                f" {wanted // 2**20:,} MB before a change. Free some space and go on: what"
                " was added before is there."
            )

    def count(self) -> int:
        """How many documents there are."""
        with self._engine:
            if self._known_count is None:
                self._known_count = int(self._shard.count(qe.CountRequest(exact=True)))
            return self._known_count

    def languages(self) -> dict[str, int]:
        """How many documents there are in each language."""
        with self._engine:
            counts = self._shard.facet(qe.FacetRequest("language", limit=10_000, exact=True))
        return dict(sorted((str(hit.value), int(hit.count)) for hit in counts.hits))

    def nearest(
        self, space: str, query: Vector, k: int, allowed: Filter | None = None
    ) -> list[Hit]:
        """The ``k`` documents with the highest scores, best first, equal scores by id.

        More than ``k`` are asked for until the last score differs from the k-th, so that which
        of several equal documents are in does not depend on the engine.
        """
        limit = k + 8
        exact = self.count() < EXACT_BELOW
        with self._engine:
            found = self._found(space, query, limit, engine_filter(allowed), exact)
            while len(found) == limit and found[-1][1] == found[k - 1][1]:
                limit *= 4
                found = self._found(space, query, limit, engine_filter(allowed), exact)
            names = self._names([point for point, _ in found])
        best = sorted((-score, name) for name, (_, score) in zip(names, found, strict=True))
        return [Hit(name, -negated) for negated, name in best[:k]]

    def scores(self, space: str, query: Vector, doc_ids: Collection[str]) -> dict[str, float]:
        """The scores of these documents; one that is missing here or in the space has none."""
        if not doc_ids:
            return {}
        names = {point_id(doc_id): doc_id for doc_id in doc_ids}
        wanted = qe.Filter(must=[qe.HasIdCondition({*names})])
        found = self._found(space, query, len(names), wanted, exact=True)
        return {names[place]: score for place, score in found}

    def _found(
        self, space: str, query: Vector, limit: int, allowed: qe.Filter | None, exact: bool
    ) -> list[tuple[Any, float]]:
        """Points and their scores, best first."""
        request = qe.QueryRequest(
            limit=limit,
            query=qe.Query.Nearest(engine_vector(query), using=space),
            filter=allowed,
            params=qe.SearchParams(exact=exact, hnsw_ef=max(SEARCH_WIDTH, limit)),
            with_payload=False,
        )
        with self._engine:
            return [(point.id, point.score) for point in self._shard.query(request)]

    def _names(self, points: Sequence[Any]) -> list[str]:
        """The document of every point; those not known are read from the engine."""
        known = self._ids.of(points)
        if None in known:
            missing = [point for point, name in zip(points, known, strict=True) if name is None]
            records = self._shard.retrieve(missing, ["id"], False)
            read = {record.id: payload(record)["id"] for record in records}
            self._ids.remember(read.values())
            return [name or read[point] for point, name in zip(points, known, strict=True)]
        return [name for name in known if name is not None]

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of their ids; ``None`` where one is not there."""
        points = self._retrieve(doc_ids, fields=True, vectors=False)
        found = {payload(point)["id"]: to_document(payload(point)) for point in points}
        return [found.get(doc_id) for doc_id in doc_ids]

    def languages_of(self, doc_ids: Sequence[str]) -> dict[str, str]:
        """The language of each of these documents."""
        points = self._retrieve(doc_ids, fields=["id", "language"], vectors=False)
        return {payload(point)["id"]: payload(point)["language"] for point in points}

    def find(self, doc_ids: Sequence[str], spaces: Collection[str]) -> list[Record]:
        """Those of the documents that are there, with their vectors of ``spaces``."""
        points = self._retrieve(doc_ids, fields=True, vectors=list(spaces))
        return [to_record(point, spaces) for point in points]

    def _retrieve(
        self, doc_ids: Collection[str], fields: bool | list[str], vectors: bool | list[str]
    ) -> list[qe.Record]:
        with self._engine:
            return self._shard.retrieve([*map(point_id, doc_ids)], fields, vectors)

    def records(self, spaces: Collection[str]) -> Iterator[Record]:
        """Every document with its vectors of ``spaces``, a page at a time, in no order."""
        points = self._scroll(with_payload=True, with_vector=list(spaces))
        return (to_record(point, spaces) for point in points)

    def matching(self, allowed: Filter) -> list[str]:
        """The ids of all documents that pass a filter, in no order."""
        points = self._scroll(with_payload=["id"], filter=engine_filter(allowed))
        return [payload(point)["id"] for point in points]

    def _scroll(self, **request: Any) -> Iterator[qe.Record]:  # noqa: ANN401 - the engine's options
        """All points that a request is about, a page at a time."""
        offset: Any = None
        while True:
            wanted = qe.ScrollRequest(offset=offset, limit=SCROLL, **request)
            with self._engine:
                page, offset = self._shard.scroll(wanted)
            yield from page
            if offset is None:
                return

    def optimize(self) -> None:
        """Merge segments and build the HNSW graph where there are enough vectors for one.

        Searches and changes go on meanwhile: another process optimises a copy, which gets the
        changes that came since and then takes the place of the store. Searches wait while the copy
        is opened, changes also while it is made.
        """
        with self._optimizing:
            if self.count() < EXACT_BELOW:  # nothing but small segments to merge
                with self._writing, self._engine:
                    self._shard.optimize()
                    self._shard.flush()
                return
            copy = self._copied()
            try:
                self._optimizer = optimizing.begin(copy)
                optimizing.finish(copy, self._optimizer)
                self._take(copy)
            finally:
                self._optimizer = self._changed = None
                remove_others(self.folder)

    def close_optimized(self) -> None:
        """Optimise in place and close: for a store that nobody searches yet."""
        if self.count() < EXACT_BELOW:
            self.optimize()
            self.close()
            return
        shard = current(self.folder)
        self._shard.close()
        self._ids.save(self.folder / IDS)
        try:
            optimizing.finish(shard, optimizing.begin(shard, patience=0))
        finally:
            self._lock.release()

    def _copied(self) -> Path:
        """A copy of the shard as it is now; changes are noted from here on."""
        now = current(self.folder)
        size = sum(path.stat().st_size for path in now.rglob("*") if path.is_file())
        self._refuse_full_disk(2 * size)
        copy = self.folder / f"{SHARD}-{uuid4().hex[:8]}"
        with self._writing:
            with self._engine:
                self._shard.flush()
            self._changed = set()
            shutil.copytree(now, copy)
        return copy

    def _take(self, copy: Path) -> None:
        """Let an optimised copy be the store, after it has got what changed in the meantime."""
        with self._writing:
            changed = sorted(self._changed or ())
            points = self._retrieve(changed, fields=True, vectors=True)
            records = [to_record(point) for point in points]
            with self._engine:
                shard = loaded(copy)
                _bring_up_to_date(shard, changed, records)
                point_to(copy)
                self._shard.close()
                self._shard = shard


def _bring_up_to_date(
    shard: qe.EdgeShard, changed: Collection[str], records: Collection[Record]
) -> None:
    """Give the changed documents that are still there to ``shard``, and take the others out."""
    there = {record.document.doc_id for record in records}
    gone = [doc_id for doc_id in changed if doc_id not in there]
    points = [to_point(record) for record in records]
    if points:
        shard.update(qe.UpdateOperation.upsert_points(points))
    if gone:
        shard.update(qe.UpdateOperation.delete_points([*map(point_id, gone)]))
    shard.flush()
