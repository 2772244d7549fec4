"""Documents into a shard and out of it: a document and its passages change in one operation.

An operation is in the engine's log whole or not at all. A document that comes again with fewer
passages leaves points behind; they are emptied in the operation that brings the new ones, so that
a process killed before it removes them leaves nothing that could still be found.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import qdrant_edge as qe

from dragoman.indexes.conditions import DOCUMENTS
from dragoman.indexes.ids import point_id
from dragoman.indexes.points import payload, points_for


@dataclass(frozen=True, slots=True)
class Size:
    """How many documents and points there are, or have come and gone."""

    documents: int
    points: int

    def __add__(self, other: "Size") -> "Size":
        return Size(self.documents + other.documents, self.points + other.points)


def size_of(shard: qe.EdgeShard) -> Size:
    """All documents and points of a shard, counted."""
    documents = shard.count(qe.CountRequest(exact=True, filter=DOCUMENTS))
    return Size(int(documents), int(shard.count(qe.CountRequest(exact=True))))


def replace(shard: qe.EdgeShard, documents: Mapping[str, Sequence[qe.Point]]) -> Size:
    """Add documents as points, or replace those with the same id; how many more there are now."""
    before = points_of(shard, documents)
    new = [point for points in documents.values() for point in points]
    stale = [
        point_id(doc_id, number)
        for doc_id, count in before.items()
        for number in range(len(documents[doc_id]), count)
    ]
    emptied = [qe.Point(point, {}) for point in stale]
    if new:
        shard.update(qe.UpdateOperation.upsert_points([*new, *emptied]))
    if stale:
        shard.update(qe.UpdateOperation.delete_points([*stale]))
    return Size(len(documents) - len(before), len(new) - sum(before.values()))


def remove(shard: qe.EdgeShard, doc_ids: Collection[str]) -> Size:
    """Take documents out, those that are there; how many more there are now, a negative number."""
    before = points_of(shard, doc_ids)
    points = [point_id(doc_id, n) for doc_id, count in before.items() for n in range(count)]
    if points:
        shard.update(qe.UpdateOperation.delete_points([*points]))
    return Size(-len(before), -len(points))


def remove_emptied(shard: qe.EdgeShard) -> None:
    """Remove the emptied points that a killed process has left."""
    nothing = qe.Filter(must=[qe.IsEmptyCondition("language")])
    shard.update(qe.UpdateOperation.delete_points_by_filter(nothing))


def points_of(shard: qe.EdgeShard, doc_ids: Collection[str]) -> dict[str, int]:
    """How many points those of the documents take that are there."""
    found = shard.retrieve([*map(point_id, doc_ids)], ["id", "passages"], False)
    fields = map(payload, found)
    return {field["id"]: points_for(field["passages"]) for field in fields}
