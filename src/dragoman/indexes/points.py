"""Our values and the engine's: a document is a point, each of its further passages another.

A graph over single vectors finds nearly all that an exact search finds; one over documents of
several vectors does not. So a document's point carries all its vectors, of a matrix the first row,
and row n of it is a point of its own. What is in their payloads:

    every point      id, language; metadata, flags where there are any: what filters ask for
    documents alone  title, text, passages (rows of each matrix), counted (the language once more)
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import qdrant_edge as qe

from dragoman.indexes.conditions import COUNTED, flag
from dragoman.indexes.ids import point_id
from dragoman.indexes.spaces import Record, Space, SpaceKind, Sparse, Vector
from dragoman.types import Document

# Vectors: up to so many all are compared; above, eight bits of each, or those on a walk through the
# HNSW graph that ``optimize`` makes. It takes a third of the encoder's time, for what lasting
# processes do without it (``reflection``), so a build makes it only where these need it too.
EXACT_BELOW, GRAPH_ABOVE = 20_000, 200_000
LINKS, BUILD_WIDTH = 32, 256  # of the graph: neighbours of a point (m), candidates for them

# A store has one large segment: threads for several make every search wait for them to wake.
SEARCH_THREADS = 1

# Whole numbers of eight bits are compared first, which takes half the time; what is found is scored
# by the vectors themselves.
COARSE = qe.ScalarQuantizationConfig(qe.ScalarType.Int8, memory=qe.Memory.Cached)


def engine_config(spaces: Collection[Space]) -> qe.EdgeConfig:
    """The engine's settings for a new store with these spaces, which has no graph yet."""
    dense = {
        space.name: qe.EdgeVectorParams(
            size=space.size,
            distance=qe.Distance.Dot,
            datatype=qe.VectorStorageDatatype.Float16,
            quantization_config=COARSE,
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
        hnsw_config=graph_config(links=0),
        optimizers=qe.EdgeOptimizersConfig(
            default_segment_number=1,
            indexing_threshold=max(1, EXACT_BELOW * widest * 2 // 1024),
        ),
        max_search_threads=SEARCH_THREADS,
    )


def graph_config(*, links: int) -> qe.HnswIndexConfig:
    """The engine's settings for its graph; one without links is none, and takes no time."""
    return qe.HnswIndexConfig(m=links, ef_construct=BUILD_WIDTH, full_scan_threshold=10_000)


def payload_indexes() -> list[qe.UpdateOperation]:
    """What makes fields quick to look up; only languages are worth links in the graph.

    A value for every document would take long to load, and is looked up as quickly on disk.
    """
    indexed: dict[str, qe.KeywordIndexParams] = {
        "language": qe.KeywordIndexParams(),
        COUNTED: qe.KeywordIndexParams(enable_hnsw=False),
    }
    return [qe.UpdateOperation.create_field_index(name, kind) for name, kind in indexed.items()]


def to_points(record: Record) -> list[qe.Point]:
    """A document and its vectors as the engine keeps them, the document's own point first."""
    document = record.document
    rows = {
        name: len(vector)
        for name, vector in record.vectors.items()
        if not isinstance(vector, Sparse) and vector.ndim == 2 and len(vector)
    }
    flags = {name: flag(v) for name, v in document.metadata.items() if isinstance(v, bool)}
    shared: dict[str, Any] = {"id": document.doc_id, "language": document.language}
    if document.metadata:  # the engine takes microseconds to turn an empty one into its own
        shared["metadata"] = dict(document.metadata)
    if flags:
        shared["flags"] = flags
    own = {
        "title": document.title,
        "text": document.text,
        "passages": rows,
        COUNTED: document.language,
    }
    points = [qe.Point(point_id(document.doc_id), _row(record.vectors, 0), {**shared, **own})]
    for number in range(1, points_for(rows)):
        row = _row({name: record.vectors[name] for name in rows}, number)
        points.append(qe.Point(point_id(document.doc_id, number), row, shared))
    return points


def _row(vectors: Mapping[str, Vector], number: int) -> dict[str, Any]:
    """Row ``number`` of every matrix that has so many; other vectors as they are."""
    row: dict[str, Any] = {}
    for name, vector in vectors.items():
        if isinstance(vector, Sparse) or vector.ndim == 1:
            row[name] = engine_vector(vector)
        elif number < len(vector):
            row[name] = engine_vector(vector[number])
    return row


def points_for(rows: Mapping[str, int]) -> int:
    """How many points a document takes whose matrices have so many rows."""
    return max(1, *rows.values()) if rows else 1


def to_record(
    point: qe.Record, spaces: Collection[str] | None, passages: Sequence[Mapping[str, Any]]
) -> Record:
    """A document's point as a document with its vectors of ``spaces``; of all where not given.

    ``passages`` are the vectors of the points that follow it, as many as these spaces need.
    """
    vectors, fields = named_vectors(point), payload(point)
    rows = fields["passages"]
    ours: dict[str, Vector] = {}
    for name in vectors.keys() if spaces is None else spaces:
        if name in rows:
            matrix = [vectors[name], *(each[name] for each in passages[: rows[name] - 1])]
            ours[name] = np.array(matrix, dtype=np.float32)
        elif name in vectors:
            ours[name] = _our_vector(vectors[name])
    return Record(to_document(fields), ours)


def named_vectors(point: qe.Record) -> Mapping[str, Any]:
    """The vectors of a point that was read with them."""
    return point.vector if isinstance(point.vector, Mapping) else {}


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
