"""The embedded store: Qdrant's engine in the process (``qdrant-edge-py``), behind small verbs.

Points are documents; named vectors are the systems' spaces; the payload holds text, language and
metadata. Every ``add`` and ``delete`` is in the engine's write-ahead log when it returns. Scores
are inner products, higher is better; equal scores are ordered by document id, which the engine
does not do by itself.
"""

import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self
from uuid import UUID

import numpy as np
import qdrant_edge as qe

from dragoman.errors import IndexFault
from dragoman.indexes.filters import Comparison, Condition, Filter, Value
from dragoman.indexes.lock import Lock
from dragoman.indexes.spaces import Record, Space, SpaceKind, Sparse, Vector
from dragoman.types import Document, Hit

EXACT_BELOW = 20_000  # vectors; above it HNSW is built by ``optimize``
SCROLL = 1_000  # points per page when all are read
DISK_RESERVE = 128 * 2**20  # bytes: the engine's next log segment and its growing files
PATIENCE = 5.0  # seconds to wait for another process to let go


class EdgeStore:
    """Documents and vectors in a folder that this process owns until ``close``."""

    def __init__(self, folder: Path, lock: Lock, shard: qe.EdgeShard) -> None:
        self.folder, self._lock, self._shard = folder, lock, shard
        self._known_count: int | None = None  # counting takes longer than a search

    @classmethod
    def create(cls, folder: Path, spaces: Collection[Space]) -> Self:
        """An empty store; ``folder`` must hold none."""
        folder.mkdir(parents=True, exist_ok=True)
        lock = Lock(folder, PATIENCE)
        shard = qe.EdgeShard.create(str(_shard(folder)), _engine_config(spaces))
        shard.update(
            qe.UpdateOperation.create_field_index("language", qe.PayloadSchemaType.Keyword)
        )
        return cls(folder, lock, shard)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The store in ``folder``; a damaged one is refused with the remedy."""
        if not _shard(folder).is_dir():
            raise IndexFault(f"{folder}: found no store; expected the folder {_shard(folder)}.")
        lock = Lock(folder, PATIENCE)
        try:
            shard = qe.EdgeShard.load(str(_shard(folder)))
        except BaseException as error:  # the engine panics on some damage, past Exception
            lock.release()
            if isinstance(error, KeyboardInterrupt):
                raise
            raise IndexFault(
                f"{_shard(folder)}: damaged ({error}). Restore it from a copy, or build the index"
                " again from its documents."
            ) from error
        return cls(folder, lock, shard)

    def close(self) -> None:
        """Write everything out and let other processes in."""
        self._shard.close()
        self._lock.release()

    def add(self, records: Sequence[Record]) -> None:
        """Add or replace documents; on return they are logged on disk."""
        points = [_point(record) for record in records]
        self._refuse_full_disk()
        if points:
            self._shard.update(qe.UpdateOperation.upsert_points(points))
            self._known_count = None

    def delete(self, doc_ids: Collection[str]) -> None:
        """Remove documents; ids that are not there are ignored."""
        self._refuse_full_disk()
        if doc_ids:
            self._shard.update(qe.UpdateOperation.delete_points(list(map(point_id, doc_ids))))
            self._known_count = None

    def _refuse_full_disk(self) -> None:
        """The engine writes through mapped memory, where a full disk kills the process."""
        free = shutil.disk_usage(self.folder).free
        if free < DISK_RESERVE:
            raise IndexFault(
                f"{self.folder}: found {free // 2**20:,} MB of free disk space; expected at least"
                f" {DISK_RESERVE // 2**20:,} MB before a change. Free some space and go on: what"
                " was added before is there."
            )

    def count(self) -> int:
        """How many documents there are."""
        if self._known_count is None:
            self._known_count = int(self._shard.count(qe.CountRequest(exact=True)))
        return self._known_count

    def languages(self) -> dict[str, int]:
        """How many documents there are in each language."""
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
        while True:
            hits = self._nearest(space, query, limit, _engine_filter(allowed), exact)
            if len(hits) < limit or hits[-1].score < hits[k - 1].score:
                return sorted(hits, key=lambda hit: (-hit.score, hit.doc_id))[:k]
            limit *= 4

    def scores(self, space: str, query: Vector, doc_ids: Collection[str]) -> dict[str, float]:
        """The scores of these documents; one that is missing here or in the space has none."""
        if not doc_ids:
            return {}
        wanted = qe.Filter(must=[qe.HasIdCondition(set(map(point_id, doc_ids)))])
        hits = self._nearest(space, query, len(doc_ids), wanted, exact=True)
        return {hit.doc_id: hit.score for hit in hits}

    def _nearest(
        self, space: str, query: Vector, limit: int, allowed: qe.Filter | None, exact: bool
    ) -> list[Hit]:
        found = self._shard.query(
            qe.QueryRequest(
                limit=limit,
                query=qe.Query.Nearest(_engine_vector(query), using=space),
                filter=allowed,
                params=qe.SearchParams(exact=exact, hnsw_ef=max(128, limit)),
                with_payload=["id"],
            )
        )
        return [Hit(_payload(point)["id"], float(point.score)) for point in found]

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of their ids; ``None`` where one is not there."""
        records = self._shard.retrieve(list(map(point_id, doc_ids)), True, False)
        found = {_payload(record)["id"]: _document(_payload(record)) for record in records}
        return [found.get(doc_id) for doc_id in doc_ids]

    def languages_of(self, doc_ids: Sequence[str]) -> dict[str, str]:
        """The language of each of these documents."""
        points = self._shard.retrieve(list(map(point_id, doc_ids)), ["id", "language"], False)
        return {_payload(point)["id"]: _payload(point)["language"] for point in points}

    def find(self, doc_ids: Sequence[str], spaces: Collection[str]) -> list[Record]:
        """Those of the documents that are there, with their vectors of ``spaces``."""
        points = self._shard.retrieve(
            list(map(point_id, doc_ids)), with_payload=True, with_vector=list(spaces)
        )
        return [_record(point, spaces) for point in points]

    def records(self, spaces: Collection[str]) -> Iterator[Record]:
        """Every document with its vectors of ``spaces``, a page at a time, in no order."""
        offset: Any = None
        while True:
            page, offset = self._shard.scroll(
                qe.ScrollRequest(
                    offset=offset, limit=SCROLL, with_payload=True, with_vector=list(spaces)
                )
            )
            yield from (_record(point, spaces) for point in page)
            if offset is None:
                return

    def optimize(self) -> None:
        """Merge segments and build the HNSW graph where there are enough vectors for one."""
        self._shard.optimize()
        self._shard.flush()


def point_id(doc_id: str) -> str:
    """The engine's id of a document: 128 bits of its id, the same on every machine."""
    return str(UUID(bytes=blake2b(doc_id.encode(), digest_size=16).digest()))


def _shard(folder: Path) -> Path:
    return folder / "shard"


def _engine_config(spaces: Collection[Space]) -> qe.EdgeConfig:
    dense = {
        space.name: qe.EdgeVectorParams(
            size=space.size,
            distance=qe.Distance.Dot,
            datatype=qe.VectorStorageDatatype.Float16,
            multivector_config=qe.MultiVectorConfig(qe.MultiVectorComparator.MaxSim)
            if space.kind is SpaceKind.PASSAGES
            else None,
        )
        for space in spaces
        if space.kind is not SpaceKind.SPARSE
    }
    sparse = {
        space.name: qe.EdgeSparseVectorParams()
        for space in spaces
        if space.kind is SpaceKind.SPARSE
    }
    widest = max((space.size for space in spaces), default=0)
    return qe.EdgeConfig(
        vectors=dense or None,
        sparse_vectors=sparse or None,
        hnsw_config=qe.HnswIndexConfig(m=16, ef_construct=128, full_scan_threshold=10_000),
        optimizers=qe.EdgeOptimizersConfig(
            default_segment_number=1,
            indexing_threshold=max(1, EXACT_BELOW * widest * 2 // 1024),
        ),
    )


def _point(record: Record) -> qe.Point:
    document = record.document
    vectors = {name: _engine_vector(vector) for name, vector in record.vectors.items()}
    payload = {
        "id": document.doc_id,
        "language": document.language,
        "title": document.title,
        "text": document.text,
        "metadata": dict(document.metadata),
        "flags": {name: _flag(v) for name, v in document.metadata.items() if isinstance(v, bool)},
    }
    return qe.Point(point_id(document.doc_id), vectors, payload)


def _record(point: qe.Record, spaces: Collection[str]) -> Record:
    vectors = point.vector if isinstance(point.vector, Mapping) else {}
    ours = {name: _our_vector(vectors[name]) for name in spaces if name in vectors}
    return Record(_document(_payload(point)), ours)


def _flag(value: bool) -> str:
    """A truth value as a word: the engine's Python side takes ``True`` in a filter for 1."""
    return "true" if value else "false"


def _payload(point: qe.Record | qe.ScoredPoint) -> dict[str, Any]:
    assert point.payload is not None, "every point is written with one"
    return point.payload


def _document(payload: Mapping[str, Any]) -> Document:
    return Document(
        payload["id"],
        payload["text"],
        payload["title"],
        payload["language"],
        payload.get("metadata") or {},
    )


def _engine_vector(vector: Vector) -> Any:  # noqa: ANN401 - the engine's union
    if isinstance(vector, Sparse):
        return qe.SparseVector(vector.dimensions.tolist(), vector.weights.tolist())
    return vector.tolist()


def _our_vector(vector: Any) -> Vector:  # noqa: ANN401
    if isinstance(vector, qe.SparseVector):
        return Sparse(np.array(vector.indices, dtype=np.uint32), np.array(vector.values))
    return np.array(vector, dtype=np.float32)


def _engine_filter(allowed: Filter | None) -> qe.Filter | None:
    if not allowed:
        return None
    must: list[Any] = []
    if allowed.languages:
        must.append(qe.FieldCondition("language", match=qe.MatchAny(list(allowed.languages))))
    excluded = [c for c in allowed.conditions if c.comparison is Comparison.NOT_EQUAL]
    must += [_engine_condition(c) for c in allowed.conditions if c not in excluded]
    return qe.Filter(must=must, must_not=[_engine_condition(c) for c in excluded])


def _engine_condition(condition: Condition) -> Any:  # noqa: ANN401
    if condition.comparison in (Comparison.EQUAL, Comparison.NOT_EQUAL):
        return qe.Filter(should=[_engine_match(condition.field, v) for v in condition.values])
    key = f"metadata.{condition.field}"
    bound = float(condition.values[0])
    name = {
        Comparison.ABOVE: "gt",
        Comparison.AT_LEAST: "gte",
        Comparison.BELOW: "lt",
        Comparison.AT_MOST: "lte",
    }[condition.comparison]
    return qe.FieldCondition(key, range=qe.RangeFloat(**{name: bound}))


def _engine_match(field: str, value: Value) -> qe.FieldCondition:
    if isinstance(value, bool):
        return qe.FieldCondition(f"flags.{field}", match=qe.MatchValue(_flag(value)))
    if isinstance(value, float):
        return qe.FieldCondition(f"metadata.{field}", range=qe.RangeFloat(gte=value, lte=value))
    return qe.FieldCondition(f"metadata.{field}", match=qe.MatchValue(value))
