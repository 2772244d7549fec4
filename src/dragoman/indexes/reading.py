"""What can be asked of an open shard: documents, vectors, the nearest, how many there are.

Scores are inner products, higher is better. A document is as near as its best passage; equal scores
are ordered by document id, which the engine does not do by itself.
"""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import qdrant_edge as qe

from dragoman.indexes.conditions import COUNTED, DOCUMENTS, documents_filter, engine_filter
from dragoman.indexes.filters import Filter
from dragoman.indexes.ids import KnownIds, point_id
from dragoman.indexes.points import (
    EXACT_BELOW,
    engine_vector,
    named_vectors,
    payload,
    points_for,
    to_document,
    to_record,
)
from dragoman.indexes.spaces import Record, Sparse, Vector
from dragoman.indexes.writing import Size, points_of, size_of
from dragoman.types import Document, FloatArray, Hit

T = TypeVar("T")
SCROLL = 1_000  # points per page when all are read
SEARCH_WIDTH = 512  # candidates that a walk through the graph keeps (ef)
ROUGH_WIDTH = 0  # no more than points are asked for
ALL = -1  # a width: every vector is compared


class ShardReader:
    """An open shard and the ids of its documents; the shard may be changed for another."""

    def __init__(self, shard: qe.EdgeShard, ids: KnownIds) -> None:
        self._shard, self._ids = shard, ids
        self._engine = threading.RLock()  # held around every call
        # counting takes longer than a search; both are forgotten with a change, under the lock
        self._known_size: Size | None = None
        self._known_languages: Mapping[str, int] | None = None

    def _size(self) -> Size:
        known = self._known_size
        if known is not None:
            return known
        with self._engine:
            if self._known_size is None:
                self._known_size = size_of(self._shard)
            return self._known_size

    def _is_small(self) -> bool:
        """Whether comparing with every vector is quick, so that no graph is needed."""
        return self._size().points < EXACT_BELOW

    def count(self) -> int:
        """How many documents there are."""
        return self._size().documents

    def languages(self) -> Mapping[str, int]:
        """How many documents there are in each language."""
        known = self._known_languages
        if known is not None:
            return known
        with self._engine:
            if self._known_languages is None:
                self._known_languages = self._count_languages()
            return self._known_languages

    def _count_languages(self) -> dict[str, int]:
        counts = self._shard.facet(qe.FacetRequest(COUNTED, limit=10_000, exact=True))
        here = (hit for hit in counts.hits if hit.count)  # the engine tells of those that are gone
        return dict(sorted((str(hit.value), int(hit.count)) for hit in here))

    def nearest(
        self,
        space: str,
        query: Vector,
        k: int,
        allowed: Filter | None = None,
        *,
        roughly: bool = False,
    ) -> list[Hit]:
        """The ``k`` documents with the highest scores, best first, equal scores by id.

        More points are asked for until ``k`` documents are above the last of them, so that neither
        many passages of one document nor the engine's order of equal scores decides who is in.
        """
        width = self._width(ROUGH_WIDTH if roughly else SEARCH_WIDTH)
        limit = k + 8 if isinstance(query, Sparse) else k + k // 4 + 8
        with self._engine:
            while True:
                found = self._found(space, query, limit, engine_filter(allowed), width)
                best = self._best(found)
                if len(found) < limit or _are_certain(best, k, found[-1][1]):
                    break
                limit *= 4
        ordered = sorted((-score, doc_id) for doc_id, score in best.items())
        return [Hit(doc_id, -negated) for negated, doc_id in ordered[:k]]

    def _width(self, width: int) -> int:
        return ALL if self._is_small() else width

    def scores(self, space: str, query: Vector, doc_ids: Collection[str]) -> dict[str, float]:
        """The scores of these documents; one that is missing here or in the space has none."""
        if not doc_ids:
            return {}
        with self._engine:
            if isinstance(query, Sparse):  # only a document's first point has such a vector
                points = [*map(point_id, doc_ids)]
            else:
                points = self._points(doc_ids)
            theirs = qe.Filter(must=[qe.HasIdCondition({*points})])
            return self._best(self._found(space, query, len(points) or 1, theirs, ALL))

    def _points(self, doc_ids: Collection[str]) -> list[int]:
        """All points of these documents."""
        points, unknown = self._ids.points(doc_ids)
        if unknown:
            self._ids.remember(points_of(self._shard, unknown))
            points, _ = self._ids.points(doc_ids)
        return points

    def _found(
        self, space: str, query: Vector, limit: int, allowed: qe.Filter | None, width: int
    ) -> list[tuple[Any, float]]:
        """Points and their scores, best first; a walk keeps ``width`` candidates at least."""
        with self._engine:
            found = self._shard.query(self._request(space, query, limit, allowed, width))
        return [(point.id, point.score) for point in found]

    def _request(
        self, space: str, query: Vector, limit: int, allowed: qe.Filter | None, width: int
    ) -> qe.QueryRequest:
        return qe.QueryRequest(
            limit=limit,
            query=qe.Query.Nearest(engine_vector(query), using=space),
            filter=allowed,
            params=qe.SearchParams(
                exact=width == ALL,
                hnsw_ef=max(width, limit),
                quantization=qe.QuantizationSearchParams(ignore=width == ALL, rescore=True),
            ),
            with_payload=False,
        )

    def _best(self, found: Sequence[tuple[Any, float]]) -> dict[str, float]:
        """The documents of points with their best scores, best first."""
        best: dict[str, float] = {}
        names = self._names([point for point, _ in found])
        for name, (_, score) in zip(names, found, strict=True):
            best.setdefault(name, score)
        return best

    def _names(self, points: Sequence[Any]) -> list[str]:
        """The document of every point; those not known are read from the engine."""
        known = self._ids.of(points)
        if None in known:
            missing = [point for point, name in zip(points, known, strict=True) if name is None]
            records = self._shard.retrieve(missing, ["id"], False)
            read: dict[Any, str] = {record.id: payload(record)["id"] for record in records}
            self._ids.remember(points_of(self._shard, {*read.values()}))
            return [
                read[point] if name is None else name
                for point, name in zip(points, known, strict=True)
            ]
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

    def lengths(self, space: str, doc_ids: Sequence[str]) -> dict[str, int]:
        """How many vectors each of these documents has in a dense space; none has no entry."""
        points = self._retrieve(doc_ids, fields=["id", "passages"], vectors=False)
        found = [(payload(point)["id"], payload(point)["passages"]) for point in points]
        return {doc_id: rows[space] for doc_id, rows in found if space in rows}

    def find(self, doc_ids: Sequence[str], spaces: Collection[str] | None = None) -> list[Record]:
        """Those of the documents that are there, with their vectors of ``spaces``, or with all."""
        wanted = True if spaces is None else list(spaces)
        with self._engine:
            return self._records(self._retrieve(doc_ids, fields=True, vectors=wanted), spaces)

    def passages(self, space: str, doc_ids: Sequence[str]) -> dict[str, FloatArray]:
        """The vectors in a dense space of those of the documents that have any there."""
        found = {mine.document.doc_id: mine.vectors for mine in self.find(doc_ids, [space])}
        return {
            doc_id: matrix
            for doc_id, vectors in found.items()
            for matrix in [vectors.get(space)]
            if matrix is not None and not isinstance(matrix, Sparse)
        }

    def _retrieve(
        self, doc_ids: Collection[str], fields: bool | list[str], vectors: bool | list[str]
    ) -> list[qe.Record]:
        with self._engine:
            return self._shard.retrieve([*map(point_id, doc_ids)], fields, vectors)

    def records(self, spaces: Collection[str]) -> Iterator[Record]:
        """Every document with its vectors of ``spaces``, a page at a time, in no order."""
        return self._scroll(
            lambda page: self._records(page, spaces),
            filter=DOCUMENTS,
            with_payload=True,
            with_vector=list(spaces),
        )

    def matching(self, allowed: Filter) -> list[str]:
        """The ids of all documents that pass a filter, in no order."""
        ids = self._scroll(
            lambda page: [payload(point)["id"] for point in page],
            filter=documents_filter(allowed),
            with_payload=["id"],
        )
        return list(ids)

    def _scroll(
        self,
        read: Callable[[list[qe.Record]], list[T]],
        **request: Any,  # noqa: ANN401 - the engine's options
    ) -> Iterator[T]:
        """What is read of all points that a request is about, a page at a time."""
        offset: Any = None
        while True:
            wanted = qe.ScrollRequest(offset=offset, limit=SCROLL, **request)
            with self._engine:
                page, offset = self._shard.scroll(wanted)
                values = read(page)
            yield from values
            if offset is None:
                return

    def _records(
        self, documents: Sequence[qe.Record], spaces: Collection[str] | None
    ) -> list[Record]:
        """The documents of points with their vectors, the rows of their matrices put together."""
        followers = [_followers(point, spaces) for point in documents]
        points = [point for each in followers for point in each]
        wanted = True if spaces is None else list(spaces)
        read = self._shard.retrieve([*points], False, wanted) if points else []
        rows = {point.id: named_vectors(point) for point in read}
        return [
            to_record(point, spaces, [rows[follower] for follower in mine])
            for point, mine in zip(documents, followers, strict=True)
        ]


def _are_certain(best: Mapping[str, float], k: int, last: float) -> bool:
    """Whether the first ``k`` documents are above the last point, so that no other can come in."""
    return len(best) >= k and next(islice(best.values(), k - 1, None)) > last


def _followers(document: qe.Record, spaces: Collection[str] | None) -> list[int]:
    """The points with the further rows of a document's matrices in ``spaces``."""
    fields = payload(document)
    rows = fields["passages"]
    asked = {name: rows[name] for name in rows if spaces is None or name in spaces}
    return [point_id(fields["id"], number) for number in range(1, points_for(asked))]
