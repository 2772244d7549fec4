"""The database of an index: documents, their metadata, the memtable, the list of live segments.

    facts      name, value, checksum: counters, how languages were treated
    documents  key, id, language, title, text, metadata, checksum; a replaced document has a new key
    fields     field, kind, value, key: metadata as filters look it up
    memtable   key, vectors, checksum: documents that are not in a segment yet
    segments   name, documents, bytes, identity: the live segments
    deleted    key: deleted documents that are still in a segment
    tallies    of all tables but documents (``tallies``)

Texts are stored as UTF-8 bytes that may hold lone surrogates: names of files may hold any byte.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dragoman.batches import batched
from dragoman.indexes import tallies
from dragoman.indexes.fields import field_values
from dragoman.storage.database import DamagedRows, decode_text, encode_text
from dragoman.types import Document, IntArray

SCHEMA = """
CREATE TABLE facts(name TEXT PRIMARY KEY, value, checksum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE documents(
    key INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, language TEXT NOT NULL,
    title BLOB NOT NULL, text BLOB NOT NULL, metadata TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE fields(
    field BLOB NOT NULL, kind TEXT NOT NULL, value NOT NULL, key INTEGER NOT NULL,
    PRIMARY KEY(field, kind, value, key)) WITHOUT ROWID;
CREATE TABLE memtable(key INTEGER PRIMARY KEY, vectors BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE segments(
    name TEXT PRIMARY KEY, documents INTEGER NOT NULL, bytes INTEGER NOT NULL,
    identity INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE deleted(key INTEGER PRIMARY KEY);
"""
SCHEMA += tallies.SCHEMA
for _name in ("generation", "segment"):
    _first = f"('{_name}', 0, {crc32(f'{_name}=0'.encode())})"
    SCHEMA += f"INSERT INTO facts VALUES {_first};\n"  # noqa: S608 - two names of ours
TREATMENT = "treatment:"  # prefix of the facts that record how a language was treated
AT_ONCE = 500  # values named in one statement
SEGMENT_NAME = re.compile(r"\d+\.segment", re.ASCII)


class StoredSegment(NamedTuple):
    """A live segment as the database lists it."""

    name: str
    documents: int
    bytes: int
    identity: int

    @property
    def is_whole(self) -> bool:
        """Whether the values have valid types: a damaged row may hold anything."""
        fits = [type(value) for value in self] == [str, int, int, int]
        return fits and SEGMENT_NAME.fullmatch(self.name) is not None


def fact(connection: sqlite3.Connection, name: str) -> Any:  # noqa: ANN401 - a number or a text
    """The value of a fact; None where there is none."""
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if row is None else row[0]


def set_fact(connection: sqlite3.Connection, name: str, value: object) -> None:
    """Write a fact."""
    connection.execute(  # not REPLACE, which fires no triggers
        "INSERT INTO facts VALUES (?1, ?2, ?3)"
        " ON CONFLICT(name) DO UPDATE SET value = ?2, checksum = ?3",
        (name, value, _fact_checksum(name, value)),
    )


def _fact_checksum(name: str, value: object) -> int:
    return crc32(f"{name}={value!r}".encode("utf-8", "surrogatepass"))


def increment(connection: sqlite3.Connection, name: str) -> int:
    """Add one to a counter and return it."""
    value = counter(connection, name) + 1
    set_fact(connection, name, value)
    return value


def counter(connection: sqlite3.Connection, name: str) -> int:
    """The value of a counter."""
    value = fact(connection, name)
    if not isinstance(value, int):
        raise DamagedRows(
            f"found the counter {name!r} as {value!r}; expected a number. Set it again: dragoman"
            " verify INDEX --repair"
        )
    return value


def treatments(connection: sqlite3.Connection) -> dict[str, str]:
    """How the documents of each language were treated; a damaged record is refused."""
    (rows,) = connection.execute("SELECT COUNT(*) FROM facts").fetchone()
    if "facts" in tallies.miscounted(connection) or len(_whole_facts(connection)) < rows:
        raise DamagedRows(
            "found another record of how documents were treated than was written. Rebuild the"
            " index from its own texts: dragoman upgrade INDEX"
        )
    return recorded_treatments(connection)


def recorded_treatments(connection: sqlite3.Connection) -> dict[str, str]:
    """The treatments whose rows are undamaged."""
    return {
        name.removeprefix(TREATMENT): value
        for name, value in _whole_facts(connection).items()
        if name.startswith(TREATMENT)
    }


def facts_named(connection: sqlite3.Connection, prefix: str) -> dict[str, str]:
    """The facts whose names begin with ``prefix``, without it."""
    return {
        name.removeprefix(prefix): str(value)
        for name, value in _whole_facts(connection).items()
        if name.startswith(prefix)
    }


def _whole_facts(connection: sqlite3.Connection) -> dict[str, Any]:
    rows = connection.execute("SELECT name, value, checksum FROM facts")
    return {name: value for name, value, written in rows if _fact_checksum(name, value) == written}


def live_segments(connection: sqlite3.Connection) -> list[StoredSegment]:
    """The live segments, by name; a damaged list is refused."""
    listed = listed_segments(connection)
    for one in listed:
        if not one.is_whole:
            raise DamagedRows(
                f"found a segment listed as {tuple(one)!r}; expected a name and three numbers."
                " Rebuild it: dragoman verify INDEX --repair"
            )
    return listed


def listed_segments(connection: sqlite3.Connection) -> list[StoredSegment]:
    """The segments that the database lists, damaged or not."""
    rows = connection.execute("SELECT name, documents, bytes, identity FROM segments ORDER BY name")
    return [StoredSegment(*row) for row in rows]


def add_segment(connection: sqlite3.Connection, segment: StoredSegment) -> None:
    """List a segment among the live ones."""
    connection.execute("INSERT INTO segments VALUES (?, ?, ?, ?)", segment)


def deleted_keys(connection: sqlite3.Connection) -> NDArray[np.int64]:
    """The keys of deleted documents that are still in a segment, rising."""
    rows = connection.execute("SELECT key FROM deleted ORDER BY key").fetchall()
    return np.array([key or 0 for (key,) in rows], np.int64)  # a damaged row may have no key


def _checksum(doc_id: bytes, language: str, title: bytes, text: bytes, metadata: str) -> int:
    sizes = f"{len(doc_id)},{len(title)},{len(text)},{language}".encode()
    return crc32(b"".join((sizes, doc_id, title, text, metadata.encode())))


def insert(connection: sqlite3.Connection, document: Document) -> int:
    """Write a document with a new id; returns its key."""
    values = (
        encode_text(document.doc_id),
        document.language,
        encode_text(document.title),
        encode_text(document.text),
        json.dumps(dict(document.metadata)),
    )
    cursor = connection.execute(
        "INSERT INTO documents(id, language, title, text, metadata, checksum)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (*values, _checksum(*values)),
    )
    key = int(cursor.lastrowid or 0)
    insert_fields(connection, key, document.metadata)
    return key


def insert_fields(connection: sqlite3.Connection, key: int, metadata: Mapping[str, Any]) -> None:
    """Write a document's metadata to the table that filters look up."""
    connection.executemany(
        "INSERT OR IGNORE INTO fields VALUES (?, ?, ?, ?)",
        [(*field, key) for field in field_values(metadata)],
    )


def delete_documents(connection: sqlite3.Connection, doc_ids: Iterable[str]) -> list[int]:
    """Delete those of the documents that exist; returns their keys."""
    deleted = []
    for doc_id in doc_ids:
        row = connection.execute(
            "DELETE FROM documents WHERE id = ? RETURNING key, id, CAST(language AS BLOB), title,"
            " text, CAST(metadata AS BLOB), checksum",
            (encode_text(doc_id),),
        ).fetchone()
        if row is None:
            continue
        key = row[0]
        _remove_fields(connection, row)
        in_memtable = connection.execute("DELETE FROM memtable WHERE key = ?", (key,)).rowcount
        if not in_memtable:
            connection.execute("INSERT INTO deleted VALUES (?)", (key,))
        deleted.append(key)
    return deleted


def _remove_fields(connection: sqlite3.Connection, row: Sequence[Any]) -> None:
    """Delete a document's rows for filters; those of a damaged document are found by its key."""
    key, doc_id, language, title, text, metadata, written = row
    read = [str(one or b"", "utf-8", "replace") for one in (language, metadata)]
    if is_whole((key, doc_id, read[0], title, text, read[1], written)):
        connection.executemany(
            "DELETE FROM fields WHERE field = ? AND kind = ? AND value = ? AND key = ?",
            [(*field, key) for field in field_values(json.loads(read[1]))],
        )
    else:
        connection.execute("DELETE FROM fields WHERE key = ?", (key,))


def delete_unknown(connection: sqlite3.Connection, keys: IntArray) -> None:
    """List as deleted those of a segment's keys that no document has."""
    for key in keys.tolist():
        connection.execute(
            "INSERT OR IGNORE INTO deleted SELECT ?1 WHERE NOT EXISTS"
            " (SELECT 1 FROM documents WHERE key = ?1)",
            (key,),
        )


def documents_of(connection: sqlite3.Connection, keys: IntArray) -> list[Document | None]:
    """The documents with these keys; None where there is none."""
    by_key = {
        row[0]: _document(row)
        for some in batched(keys.tolist(), AT_ONCE)
        for row in connection.execute(
            f"SELECT key, id, language, title, text, metadata, checksum FROM documents"  # noqa: S608 - marks only
            f" WHERE key IN ({','.join('?' * len(some))})",
            some,
        )
    }
    return [by_key.get(key) for key in keys.tolist()]


def documents_with_ids(
    connection: sqlite3.Connection, keys: IntArray, doc_ids: Sequence[str]
) -> list[Document]:
    """The documents with these keys; one that is missing or has another id is damage."""
    stored = [one for one in documents_of(connection, keys) if one is not None]
    if [one.doc_id for one in stored] != [*doc_ids]:
        raise DamagedRows(
            "found no row, or another one, of a document that a segment has. `dragoman verify"
            " INDEX` lists all that is damaged."
        )
    return stored


def metadata_below(
    connection: sqlite3.Connection, prefix: str
) -> list[tuple[str, Mapping[str, Any]]]:
    """The ids and metadata of documents whose ids are ``prefix``, or begin with it and / or #."""
    first, rows = encode_text(prefix), list[tuple[bytes, str]]()
    for start, end in ((b"", b"\x00"), (b"#", b"$"), (b"/", b"0")):
        rows += connection.execute(
            "SELECT id, metadata FROM documents WHERE id >= ? AND id < ? ORDER BY id",
            (first + start, first + end),
        )
    return [(decode_text(doc_id), json.loads(metadata)) for doc_id, metadata in rows]


def is_whole(row: Sequence[Any]) -> bool:
    """Whether a row (key, id, language, title, text, metadata, checksum) is as it was written."""
    _, *values, checksum = row
    try:
        return bool(_checksum(*values) == checksum)
    except (TypeError, ValueError, AttributeError):  # a value of another type
        return False


def _document(row: Sequence[Any]) -> Document:
    key, doc_id, language, title, text, metadata, _ = row
    if not is_whole(row):
        raise DamagedRows(
            f"found a damaged document (key {key}): its checksum differs. `dragoman verify INDEX`"
            " lists all that is damaged."
        )
    return Document(
        decode_text(doc_id), decode_text(text), decode_text(title), language, json.loads(metadata)
    )


def keys_of(connection: sqlite3.Connection, doc_ids: Sequence[str]) -> NDArray[np.int64]:
    """The key of each document; -1 where it does not exist."""
    keys: dict[bytes, int] = {}
    for some in batched(map(encode_text, doc_ids), AT_ONCE):
        marks = ",".join("?" * len(some))
        mine = dict(
            connection.execute(f"SELECT id, key FROM documents WHERE id IN ({marks})", some)  # noqa: S608
        )
        rows = connection.execute(  # the index of ids has no checksums: read the table
            f"SELECT id, key FROM documents WHERE key IN ({','.join('?' * len(mine))})",  # noqa: S608
            [*mine.values()],
        )
        if dict(rows) != mine:
            raise DamagedRows(
                "found other documents by their ids than by their keys. Rebuild the index of the"
                " table: dragoman verify INDEX --repair"
            )
        keys |= mine
    return np.array([keys.get(encode_text(doc_id), -1) for doc_id in doc_ids], np.int64)
