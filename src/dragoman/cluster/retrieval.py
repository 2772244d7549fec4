"""Questions to a cluster: which documents are candidates, and the documents themselves."""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, Self, TypeVar

from qdrant_client import QdrantClient, models

from dragoman.cluster.connection import ClusterUnavailable, Connection, MissingCollection
from dragoman.cluster.points import StoredDocument, read_payload
from dragoman.indexes.store import StoreReplaced
from dragoman.types import FloatArray, IntArray

T = TypeVar("T")

CACHED = 20_000  # documents that a process keeps
AT_ONCE = 256  # documents fetched by one call
SHOWN = ["id", "version"]
STORED = ["document", "record", "checksum", "version"]


class Candidate(NamedTuple):
    """A point that matches, the id and version of its document, and Qdrant's score."""

    point: str
    doc_id: str
    version: int
    score: float

    @classmethod
    def of(cls, point: models.Record | models.ScoredPoint) -> Self:
        """A point that was read with the fields ``SHOWN``."""
        payload, score = point.payload or {}, getattr(point, "score", 0.0)
        return cls(str(point.id), json.loads(payload["id"]), int(payload["version"]), score)


class Retrieval:
    """Reads of one collection of documents; documents are cached by their versions."""

    def __init__(self, connection: Connection, collection: str) -> None:
        self.connection, self.collection = connection, collection
        self._cache: OrderedDict[tuple[str, int], StoredDocument] = OrderedDict()
        self._changing = Lock()

    def query(self, requests: Sequence[models.QueryRequest]) -> list[list[Candidate]]:
        """The candidates of several questions, in one call."""
        if not requests:
            return []
        answers = self._read(
            lambda client: client.query_batch_points(
                self.collection, requests, timeout=self.connection.attempt_seconds
            )
        )
        return [[*map(Candidate.of, answer.points)] for answer in answers]

    def _read(self, call: Callable[[QdrantClient], T]) -> T:
        """An answer; a search that outlasts its build is to be repeated in the one that follows."""
        try:
            return self.connection.read(call)
        except MissingCollection as error:
            raise StoreReplaced(
                f"{self.connection.address}: the index was built anew; search again."
            ) from error

    def nearest(
        self, space: str, vector: FloatArray, k: int, allowed: models.Filter
    ) -> models.QueryRequest:
        """The question for the documents with the nearest rows."""
        settings = self.connection.settings
        quantized = models.QuantizationSearchParams(rescore=True, oversampling=2.0)
        return models.QueryRequest(
            query=[vector.tolist()],
            using=space,
            filter=allowed,
            limit=k,
            params=models.SearchParams(
                exact=settings.exact, hnsw_ef=max(settings.graph_width, k), quantization=quantized
            ),
            with_payload=models.PayloadSelectorInclude(include=SHOWN),
        )

    def matches(
        self, space: str, terms: tuple[IntArray, FloatArray], k: int, allowed: models.Filter
    ) -> models.QueryRequest:
        """The question for the documents with the best sums of saturated counts."""
        dimensions, weights = terms
        wanted = models.SparseVector(indices=dimensions.tolist(), values=weights.tolist())
        return models.QueryRequest(
            query=wanted,
            using=space,
            filter=allowed,
            limit=k,
            with_payload=models.PayloadSelectorInclude(include=SHOWN),
        )

    def documents(self, candidates: Iterable[tuple[str, int]]) -> dict[str, StoredDocument]:
        """Documents by their points; of a version that is gone the present one, if there is any."""
        found: dict[str, StoredDocument] = {}
        missing: list[str] = []
        with self._changing:
            for point, version in candidates:
                cached = self._cache.get((point, version))
                if cached is None:
                    missing.append(point)
                else:
                    self._cache.move_to_end((point, version))
                    found[point] = cached
        for point, stored in self.fetch(missing).items():
            found[point] = stored
            with self._changing:
                self._cache[point, stored.version] = stored
                if len(self._cache) > CACHED:
                    self._cache.popitem(last=False)
        return found

    def fetch(self, points: Sequence[str], *, agreed: bool = False) -> dict[str, StoredDocument]:
        """Documents by their points, not from the cache; ``agreed`` asks most replicas."""
        found: dict[str, StoredDocument] = {}
        for start in range(0, len(points), AT_ONCE):
            some = [*points[start : start + AT_ONCE]]
            for record in self._fetch(some, agreed=agreed):
                found[str(record.id)] = read_payload(record.payload or {})
        return found

    def _fetch(self, points: list[str], *, agreed: bool) -> list[models.Record]:
        def call(client: QdrantClient, consistency: Any = None) -> list[models.Record]:  # noqa: ANN401
            return client.retrieve(
                self.collection,
                points,
                with_payload=STORED,
                consistency=consistency,
                timeout=self.connection.attempt_seconds,
            )

        if not agreed:
            return self._read(call)
        found = self.connection.write(call)
        try:  # replicas that disagree give nothing; of two replicas one may be gone
            quorum = partial(call, consistency=models.ReadConsistencyType.QUORUM)
            same = {record.id: record for record in self.connection.once(quorum)}
        except ClusterUnavailable:
            return found
        return [same.get(record.id, record) for record in found] + [
            record for record in same.values() if record.id not in {one.id for one in found}
        ]

    def count(self, allowed: models.Filter | None) -> int:
        """How many documents pass a filter."""
        answer = self._read(
            lambda client: client.count(
                self.collection,
                count_filter=allowed,
                exact=True,
                timeout=self.connection.attempt_seconds,
            )
        )
        return int(answer.count)

    def scroll(self, fields: Sequence[str], allowed: models.Filter | None = None) -> Iterable[Any]:
        """The points of all documents, with some fields of their payloads."""
        offset: Any = None
        while True:
            page = partial(
                QdrantClient.scroll,
                collection_name=self.collection,
                scroll_filter=allowed,
                limit=AT_ONCE,
                offset=offset,
                with_payload=[*fields],
                timeout=self.connection.attempt_seconds,
            )
            points, offset = self.connection.read(page)
            yield from points
            if offset is None:
                return
