"""The state of an index in a cluster: points of a small collection beside that of the documents.

    head       identity, format, batch, base; the lease of the writer: its fence, owner and beat
    blobs      immutable bytes in chunks, each with a checksum: the manifest and the system, the
               base of the statistics, a delta for each batch after it, the batch being written

The head changes by comparison: Qdrant updates it only where fence and beat are as they were read.
"""

import base64
import hashlib
import json
import os
import platform
import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Self
from uuid import uuid4, uuid5

import zstandard
from qdrant_client import QdrantClient, models

from dragoman.cluster.connection import Connection, MissingCollection
from dragoman.cluster.points import NAMESPACE
from dragoman.errors import IndexFault
from dragoman.indexes.lock import IndexBusy

FORMAT = 2
CHUNK = 3 << 20  # bytes of a blob in one point
LARGEST_BLOB = 1 << 33  # bytes: a wrong size must not fill the memory
PAUSE = 0.1  # seconds between two looks at a lease that another writer has
PATIENCE = 10.0  # seconds that a writer waits for another one that is alive
HEAD = str(uuid5(NAMESPACE, "head"))
# through a leader that is chosen anew where one fails; strong ordering stops with its leader
ORDERED = models.WriteOrdering.MEDIUM
QUORUM = models.ReadConsistencyType.QUORUM


@dataclass(frozen=True, slots=True)
class Head:
    """What a search and a writer begin with."""

    identity: str  # of this build of the index
    batch: int = 0  # the last one that is complete
    base: int = 0  # the batch up to which the base of the statistics goes
    fence: int = 0  # of the last writer: rises with each
    owner: str = ""  # of the lease; empty where nobody writes
    beat: str = ""  # changes as long as the owner is alive
    format: int = FORMAT


class LostLease(IndexBusy):
    """Another writer has taken over."""


class ClusterState:
    """The points of one collection of state."""

    def __init__(self, connection: Connection, collection: str) -> None:
        self.connection, self.collection = connection, collection

    def head(self, *, agreed: bool = False) -> Head:
        """The head; ``agreed`` reads it from most replicas, for a writer."""
        fields = self._retrieve(HEAD, agreed=agreed)
        if fields is None:
            raise IndexFault(
                f"{self.connection.address}: found an index without a head; expected one that was"
                " written to its end. Build it again."
            )
        if fields.get("format") != FORMAT:
            raise IndexFault(
                f"{self.connection.address}: found format {fields.get('format')}; this version"
                f" reads format {FORMAT}. Copy it to a folder with the version that wrote it."
            )
        return Head(**fields)

    def is_finished(self) -> bool:
        """Whether there is a build that was written to its end."""
        try:
            return self._retrieve(HEAD) is not None
        except MissingCollection:
            return False

    def _retrieve(self, point: str, *, agreed: bool = False) -> dict[str, Any] | None:
        """The payload of a point; None where there is none.

        Replicas that disagree give nothing, as while a write is under way: they are asked again.
        """

        def call(client: QdrantClient, consistency: Any = None) -> list[models.Record]:  # noqa: ANN401
            return client.retrieve(
                self.collection,
                [point],
                with_payload=True,
                consistency=consistency,
                timeout=self.connection.attempt_seconds,
            )

        while agreed:
            if found := self.connection.write(partial(call, consistency=QUORUM)):
                return found[0].payload or {}
            if not self.connection.write(call):
                return None
            time.sleep(PAUSE)
        found = self.connection.read(call)
        return found[0].payload or {} if found else None

    def _upsert(self, point: models.PointStruct, condition: models.Filter | None = None) -> None:
        self.connection.write(
            lambda client: client.upsert(
                self.collection, [point], ordering=ORDERED, update_filter=condition
            )
        )

    def create_head(self, head: Head) -> None:
        """Write the first head."""
        self._upsert(models.PointStruct(id=HEAD, vector={}, payload=asdict(head)))

    def swap_head(self, before: Head, after: Head) -> Head:
        """Change the head if it is still ``before``; refused where another writer has it."""
        new = replace(after, beat=uuid4().hex)
        same = models.Filter(
            must=[
                models.FieldCondition(key="fence", match=models.MatchValue(value=before.fence)),
                models.FieldCondition(key="beat", match=models.MatchValue(value=before.beat)),
            ]
        )
        self._upsert(models.PointStruct(id=HEAD, vector={}, payload=asdict(new)), same)
        now = self.head(agreed=True)
        if now != new:
            raise LostLease(
                f"{self.connection.address}: {now.owner or 'another process'} has taken over"
                f" writing (fence {now.fence}, expected {new.fence}). What was not acknowledged is"
                " completed by it; repeat the command."
            )
        return now

    def acquire(self) -> Head:
        """The head with the lease of this process; waits for another writer."""
        owner = f"process {os.getpid()} on {platform.node()}"
        seen, since, began = None, time.monotonic(), time.monotonic()
        while True:
            head = self.head(agreed=True)
            now = time.monotonic()
            if (head.fence, head.beat) != seen:
                seen, since = (head.fence, head.beat), now
            silent = now - since >= self.connection.settings.lease_seconds
            if not head.owner or silent:
                try:
                    return self.swap_head(head, replace(head, fence=head.fence + 1, owner=owner))
                except LostLease:
                    continue  # another one was faster
            if now - began > PATIENCE and now - since < PATIENCE / 2:
                raise IndexBusy(
                    f"{self.connection.address}: {head.owner} is writing to it, for {PATIENCE:g}"
                    " seconds so far; expected an index that no other process writes to. Wait for"
                    " that process to end and try again."
                )
            time.sleep(PAUSE)

    def write_blob(self, name: str, data: bytes, fence: int) -> None:
        """Write bytes under a name; those of a later writer are not replaced."""
        packed = zstandard.compress(data, 3)
        chunks = [packed[i : i + CHUNK] for i in range(0, len(packed), CHUNK)] or [b""]
        no_later = models.Filter(
            must=[models.FieldCondition(key="fence", range=models.Range(lte=fence))]
        )
        for number, chunk in enumerate(chunks):
            payload: dict[str, Any] = {
                "blob": name,
                "fence": fence,
                "chunks": len(chunks),
                "sha256": hashlib.sha256(data).hexdigest(),
                "data": base64.b64encode(chunk).decode(),
            }
            self._upsert(
                models.PointStruct(id=_chunk(name, number), vector={}, payload=payload), no_later
            )

    def read_blob(self, name: str, *, agreed: bool = False) -> bytes | None:
        """The bytes under a name; None where there are none."""
        first = self._retrieve(_chunk(name, 0), agreed=agreed)
        if first is None:
            return None
        parts = [first["data"]]
        for number in range(1, first["chunks"]):
            more = self._retrieve(_chunk(name, number), agreed=agreed)
            if more is None:
                return None
            parts.append(more["data"])
        packed = b"".join(map(base64.b64decode, parts))
        data = zstandard.ZstdDecompressor().decompress(packed, max_output_size=LARGEST_BLOB)
        if hashlib.sha256(data).hexdigest() != first["sha256"]:
            raise IndexFault(
                f"{self.connection.address}: found other bytes under {name!r} than were written."
                " Recompute the statistics: dragoman verify ADDRESS --repair"
            )
        return data

    def delete_blob(self, name: str) -> None:
        """Remove the bytes under a name."""
        blob = models.FieldCondition(key="blob", match=models.MatchValue(value=name))
        self.connection.write(
            lambda client: client.delete(
                self.collection, models.Filter(must=[blob]), ordering=ORDERED
            )
        )


def _chunk(name: str, number: int) -> str:
    return str(uuid5(NAMESPACE, f"{name}:{number}"))


@dataclass(frozen=True)
class Files:
    """Small files by name, as one blob: the manifest and the system of an index."""

    contents: dict[str, bytes]

    def to_bytes(self) -> bytes:
        """All files."""
        encoded = {n: base64.b64encode(data).decode() for n, data in self.contents.items()}
        return json.dumps(encoded, sort_keys=True).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The files that ``to_bytes`` wrote."""
        return cls({n: base64.b64decode(text) for n, text in json.loads(data).items()})
