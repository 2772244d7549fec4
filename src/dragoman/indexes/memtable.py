"""The memtable: encoded documents that are not in a segment yet, as rows of the database.

A document's vectors are packed in the precision of segments, so that its scores are the same in
both.
"""

import zlib
from collections.abc import Mapping, Sequence

from safetensors.numpy import load, save

from dragoman.errors import UserError
from dragoman.indexes.kinds import KINDS
from dragoman.indexes.kinds.layout import Packed
from dragoman.indexes.spaces import Record, Space

MEMTABLE = 256  # documents in it before they become a segment


def pack_record(record: Record, spaces: Sequence[Space]) -> dict[str, Packed]:
    """A document's vectors as arrays, by space; a number that is not finite is refused."""
    vectors: dict[str, Packed] = {}
    for space in spaces:
        vector = record.vectors.get(space.name)
        if vector is None:
            continue
        try:
            vectors[space.name] = KINDS[space.kind].pack(vector)
        except UserError as error:
            raise UserError(
                f"document {record.document.doc_id!r}, {space.name}: {error}"
            ) from error
    return vectors


def checksum(key: int, data: object) -> int | None:
    """The checksum of a row's key and vectors; None where ``data`` is not bytes."""
    if not isinstance(data, bytes):
        return None
    return zlib.crc32(data, zlib.crc32(str(key).encode()))


def to_bytes(vectors: Mapping[str, Packed]) -> bytes:
    """Packed vectors as bytes for the database."""
    named = {
        f"{space}/{name}": array for space, one in vectors.items() for name, array in one.items()
    }
    return save(named)


def from_bytes(data: bytes) -> dict[str, Packed]:
    """The packed vectors that ``to_bytes`` wrote."""
    vectors: dict[str, dict[str, object]] = {}
    for named, array in load(data).items():
        space, _, name = named.partition("/")
        vectors.setdefault(space, {})[name] = array
    return vectors  # type: ignore[return-value]
