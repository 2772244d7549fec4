"""Our values and the engine's: documents are points, spaces are named vectors, filters are theirs.

The payload of a point holds id, text, title, language and metadata.
"""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import qdrant_edge as qe

from dragoman.indexes.filters import Comparison, Condition, Filter, Value
from dragoman.indexes.ids import point_id
from dragoman.indexes.spaces import Record, Space, SpaceKind, Sparse, Vector
from dragoman.types import Document

EXACT_BELOW = 20_000  # vectors; above it HNSW is built by ``optimize``


def engine_config(spaces: Collection[Space]) -> qe.EdgeConfig:
    """The engine's settings for a store with these spaces."""
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


def to_point(record: Record) -> qe.Point:
    """A document and its vectors as the engine keeps them."""
    document = record.document
    vectors = {name: engine_vector(vector) for name, vector in record.vectors.items()}
    fields = {
        "id": document.doc_id,
        "language": document.language,
        "title": document.title,
        "text": document.text,
        "metadata": dict(document.metadata),
        "flags": {name: _flag(v) for name, v in document.metadata.items() if isinstance(v, bool)},
    }
    return qe.Point(point_id(document.doc_id), vectors, fields)


def to_record(point: qe.Record, spaces: Collection[str] | None = None) -> Record:
    """A point as a document with its vectors of ``spaces``; of all spaces where not given."""
    vectors = point.vector if isinstance(point.vector, Mapping) else {}
    chosen = vectors.keys() if spaces is None else spaces
    ours = {name: _our_vector(vectors[name]) for name in chosen if name in vectors}
    return Record(to_document(payload(point)), ours)


def _flag(value: bool) -> str:
    """A truth value as a word: the engine's Python side takes ``True`` in a filter for 1."""
    return "true" if value else "false"


def payload(point: qe.Record | qe.ScoredPoint) -> dict[str, Any]:
    """What a point holds beside its vectors."""
    assert point.payload is not None, "every point is written with one"
    return point.payload


def to_document(fields: Mapping[str, Any]) -> Document:
    """The document in a payload."""
    return Document(
        fields["id"],
        fields["text"],
        fields["title"],
        fields["language"],
        fields.get("metadata") or {},
    )


def engine_vector(vector: Vector) -> Any:  # noqa: ANN401 - the engine's union
    """A vector in the engine's form."""
    if isinstance(vector, Sparse):
        return qe.SparseVector(vector.dimensions.tolist(), vector.weights.tolist())
    return vector.tolist()


def _our_vector(vector: Any) -> Vector:  # noqa: ANN401
    if isinstance(vector, qe.SparseVector):
        return Sparse(np.array(vector.indices, dtype=np.uint32), np.array(vector.values))
    return np.array(vector, dtype=np.float32)


def engine_filter(allowed: Filter | None) -> qe.Filter | None:
    """A filter in the engine's form; ``None`` lets all pass."""
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
