"""A batch of changes as it is journalled: complete, so that any writer can finish it."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from dragoman.cluster.points import StoredDocument, document_text, read_document
from dragoman.cluster.statistics import Layer
from dragoman.indexes.memtable import from_bytes, to_bytes


@dataclass(frozen=True)
class Change:
    """Documents to be written and deleted by one batch, and what they change in the statistics."""

    batch: int
    added: Sequence[StoredDocument]
    deleted: Sequence[str]  # ids
    delta: Layer

    def to_bytes(self) -> bytes:
        """The batch as bytes."""
        fields = {
            "batch": self.batch,
            "added": [
                [document_text(one.document), base64.b64encode(to_bytes(one.vectors)).decode()]
                for one in self.added
            ],
            "deleted": [*self.deleted],
            "delta": base64.b64encode(self.delta.to_bytes()).decode(),
        }
        return json.dumps(fields).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The batch that ``to_bytes`` wrote."""
        fields = json.loads(data)
        added = [
            StoredDocument(
                read_document(text), from_bytes(base64.b64decode(record)), fields["batch"]
            )
            for text, record in fields["added"]
        ]
        delta = Layer.from_bytes(base64.b64decode(fields["delta"]))
        return cls(fields["batch"], added, fields["deleted"], delta)
