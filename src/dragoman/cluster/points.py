"""A document and its vectors <-> one point of a cluster.

    payload.id         the document's id, as JSON
    payload.document   the document, as JSON
    payload.record     its packed vectors (``indexes.memtable``) in base 64, which give the scores
    payload.checksum   of both
    payload.version    the batch that wrote the point
    payload.fence      the lease of the writer
    payload.language, fields   what searches are restricted by
    vectors            saturated counts as a sparse vector, rows as one multivector: shortlists

Everything of a document is in one point, so that no reader sees a half of it. Scores come from the
record, which is the same, bit for bit, as in a folder; Qdrant's own vectors only find candidates.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

import numpy as np
from qdrant_client import models

from dragoman.errors import IndexFault, UserError
from dragoman.indexes.fields import FLAG, NUMBER, field_values
from dragoman.indexes.filters import parse_number
from dragoman.indexes.kinds.layout import Packed
from dragoman.indexes.memtable import from_bytes, to_bytes
from dragoman.indexes.spaces import Space, SpaceKind
from dragoman.scores.bm25 import Bm25Config, length_norm, saturate
from dragoman.storage.database import decode_text
from dragoman.types import Document, FloatArray

NAMESPACE = UUID("7d1f0c0e-6b1b-5c56-9c62-3a1f6f6d7a11")
MOST_ROWS = 1024  # of a document in one point's multivector; more are shortlisted by these alone
LARGEST = 24 << 20  # bytes of a point
BM25 = Bm25Config()  # of stored counts: any saturation finds candidates, see ``saturated``


def point_id(doc_id: str) -> str:
    """The id of a document's point."""
    return str(uuid5(NAMESPACE, doc_id.encode("utf-8", "surrogatepass").hex()))


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document with its packed vectors, as a point holds them."""

    document: Document
    vectors: Mapping[str, Packed]
    version: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """The language and the id."""
        return self.document.language, self.document.doc_id


def payload_of(stored: StoredDocument, spaces: Sequence[Space], fence: int) -> dict[str, Any]:
    """All that a point holds besides its vectors.

    Words are not a document's own in an index: those of each language are in the statistics.
    """
    recorded = {
        space.name: stored.vectors[space.name]
        for space in spaces
        if space.kind is not SpaceKind.WORDS and space.name in stored.vectors
    }
    text, record = document_text(stored.document), base64.b64encode(to_bytes(recorded))
    if len(text) + len(record) > LARGEST:
        raise UserError(
            f"document {stored.document.doc_id!r} takes {len(text) + len(record):,} bytes; expected"
            f" at most {LARGEST:,} in a cluster. Split it into parts."
        )
    return {
        "id": json.dumps(stored.document.doc_id),
        "document": text,
        "record": record.decode(),
        "checksum": _checksum(text, record),
        "version": stored.version,
        "fence": fence,
        "language": stored.document.language,
        "fields": [*map(dict, _fields(stored.document.metadata))],
    }


def document_text(document: Document) -> str:
    """A document as JSON; in ASCII where it has lone surrogates, which UTF-8 lacks."""
    values = [document.doc_id, document.language, document.title, document.text]
    text = json.dumps([*values, dict(document.metadata)], ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps([*values, dict(document.metadata)])
    return text


def read_document(text: str) -> Document:
    """The document that ``document_text`` wrote."""
    doc_id, language, title, body, metadata = json.loads(text)
    return Document(doc_id, body, title, language, metadata)


def read_payload(payload: Mapping[str, Any]) -> StoredDocument:
    """The document of a point; refused where it is not as it was written."""
    text, record = payload["document"], payload["record"].encode()
    if _checksum(text, record) != payload["checksum"]:
        raise IndexFault(
            f"found a damaged point of the cluster ({text[:80]}...): its checksum differs. Write"
            " the document again."
        )
    vectors = from_bytes(base64.b64decode(record))
    return StoredDocument(read_document(text), vectors, payload["version"])


def _checksum(text: str, record: bytes) -> int:
    return zlib.crc32(record, zlib.crc32(text.encode("utf-8", "surrogatepass")))


def _fields(metadata: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Metadata as conditions look it up; a text that is written as a number is one, too."""
    listed: list[Mapping[str, Any]] = []
    for field, kind, value in field_values(metadata):
        name = plain(decode_text(field))
        if kind == NUMBER:
            listed.append({"name": name, "number": float(value)})
        elif kind == FLAG:
            listed.append({"name": name, "flag": bool(value)})
        else:
            text = decode_text(value)
            entry: dict[str, Any] = {"name": name, "text": plain(text)}
            if (number := parse_number(text)) is not None:
                entry["number"] = float(number)
            if text in ("true", "false"):
                entry["flag"] = text == "true"
            listed.append(entry)
    return listed


def plain(text: str) -> str:
    """A text that UTF-8 can hold."""
    return text.encode("utf-8", "backslashreplace").decode()


def vectors_of(
    stored: StoredDocument, spaces: Sequence[Space], means: Mapping[str, Mapping[str, float]]
) -> dict[str, Any]:
    """The vectors that find a document; ``means`` are lengths by space and language."""
    vectors: dict[str, Any] = {}
    for space in spaces:
        packed = stored.vectors.get(space.name)
        if not packed:
            continue
        if space.kind is SpaceKind.COUNTS and len(packed["dimensions"]):
            mean = means[space.name].get(stored.document.language, 0.0)
            vectors[space.name] = models.SparseVector(
                indices=packed["dimensions"].tolist(), values=_saturated(packed, mean).tolist()
            )
        elif space.kind is SpaceKind.ROWS and len(packed["rows"]):
            rows = packed["rows"]
            if len(rows) > MOST_ROWS:  # spread over the document
                rows = rows[np.linspace(0, len(rows) - 1, MOST_ROWS).astype(np.int64)]
            vectors[space.name] = np.round(rows.astype(np.float64), 6).tolist()
    return vectors


def _saturated(packed: Packed, mean: float) -> FloatArray:
    norm = length_norm(packed["length"].astype(np.float64), mean, BM25)
    return np.round(saturate(packed["counts"].astype(np.float64), norm), 7)
