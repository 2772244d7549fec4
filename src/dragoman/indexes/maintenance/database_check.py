"""The database of an index -> findings: its structure, then every row by its checksum.

Rows are hashed as they are read, so that memory holds a few numbers per document.
"""

import json
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import documents as table
from dragoman.indexes.fields import field_values
from dragoman.indexes.maintenance.findings import CARRY_OVER, REPAIR, Component, Finding
from dragoman.indexes.memtable import checksum
from dragoman.indexes.tallies import miscounted, miscounted_fields
from dragoman.protocols import Advance
from dragoman.storage.database import Database
from dragoman.types import IntArray

DATABASE = "store/documents.sqlite"
MOST_PROBLEMS = 10
HEADER_VERSIONS = 18  # offset of the versions to write and to read in the header of SQLite files
REINDEX = "Rebuild the index of the table: dragoman verify INDEX --repair"
AGAIN = "Add them again from their sources: dragoman index SOURCE -o INDEX --append"


class DatabaseRows(NamedTuple):
    """The contents of the tables, as keys of documents."""

    keys: NDArray[np.int64]  # rising
    id_hashes: NDArray[np.int64]  # hashes of id and language, by document
    damaged: NDArray[np.int64]  # documents whose row is damaged
    wrong_fields: NDArray[np.int64]
    memtable: NDArray[np.int64]  # undamaged rows
    bad_memtable: NDArray[np.int64]  # rows that are damaged or belong to no document
    deleted: NDArray[np.int64]


@contextmanager
def tolerant_transaction(database: Database) -> Iterator[sqlite3.Connection]:
    """A read transaction that accepts any bytes as text, so that damage can be reported."""
    with database.read_transaction() as connection:
        before = connection.text_factory
        connection.text_factory = _text
        try:
            yield connection
        finally:
            connection.text_factory = before


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def check_structure(connection: sqlite3.Connection) -> list[Finding]:
    """The results of SQLite's integrity check, and tables that are not those of an index."""
    rows = connection.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})").fetchall()
    problems = [str(problem) for (problem,) in rows if problem != "ok"]
    faults = []
    if problems:
        faults.append(f"a damaged database ({' '.join('; '.join(problems).split())})")
    elif _tables(connection) != _expected_tables():
        faults.append("tables that are not those of an index")
    elif not _asks_for_log(connection):
        faults.append("a header that does not ask for a write-ahead log")
    remedy = REINDEX if problems and all(" index " in one for one in problems) else CARRY_OVER
    return [_damage(Component.DATABASE, one, remedy) for one in faults]


def _asks_for_log(connection: sqlite3.Connection) -> bool:
    """Whether the header asks for a write-ahead log: two bytes, also of a read-only file.

    SQLite's own answer, ``PRAGMA journal_mode``, is "delete" for a file opened as immutable.
    """
    (path,) = connection.execute("SELECT file FROM pragma_database_list").fetchone()
    with Path(path).open("rb") as stream:
        stream.seek(HEADER_VERSIONS)
        return stream.read(2) == b"\x02\x02"


def _tables(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return {(kind, name, " ".join(sql.split())) for kind, name, sql in rows}


def _expected_tables() -> set[tuple[str, str, str]]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(table.SCHEMA)
        return _tables(connection)
    finally:
        connection.close()


def check_rows(
    connection: sqlite3.Connection, advance: Advance
) -> tuple[DatabaseRows, list[Finding]]:
    """The keys of all tables, and the findings about their rows."""
    keys, id_hashes, damaged, expected = _read_documents(connection, advance)
    actual = _read_fields(connection)
    unreadable = set(damaged.tolist())
    wrong = _keys(
        key
        for key in sorted(expected.keys() | actual.keys())
        if expected.get(key, 0) != actual.get(key, 0) and key not in unreadable
    )
    memtable, bad = _read_memtable(connection, keys)
    rows = DatabaseRows(
        keys, id_hashes, damaged, wrong, memtable, bad, table.deleted_keys(connection)
    )
    return rows, _row_findings(connection, rows)


def _row_findings(connection: sqlite3.Connection, rows: DatabaseRows) -> list[Finding]:
    damage = {
        Component.DOCUMENTS: (
            rows.damaged,
            "documents whose texts differ from their checksums",
            AGAIN,
        ),
        Component.FIELDS: (
            rows.wrong_fields,
            "metadata that filters look up and that differs from the documents'",
            "Write it again: dragoman verify INDEX --repair",
        ),
        Component.MEMTABLE: (
            rows.bad_memtable,
            "vectors in the memtable that are damaged or belong to no document",
            REPAIR,
        ),
    }
    return [
        _damage(component, what, remedy, doc_ids(connection, keys))
        for component, (keys, what, remedy) in damage.items()
        if len(keys)
    ]


def _read_documents(
    connection: sqlite3.Connection, advance: Advance
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], dict[int, int]]:
    keys, id_hashes, damaged, fields = array("q"), array("q"), array("q"), dict[int, int]()
    for row in connection.execute(
        "SELECT key, id, language, title, text, metadata, checksum FROM documents ORDER BY key"
    ):
        key, doc_id, language, metadata = row[0], row[1], row[2], row[5]
        keys.append(key)
        id_hashes.append(id_hash(doc_id, language))
        if table.is_whole(row):
            if mine := field_values(json.loads(metadata)):
                fields[key] = _hashed(mine)
        else:
            damaged.append(key)
        advance()
    return _keys(keys), _keys(id_hashes), _keys(damaged), fields


def id_hash(doc_id: bytes, language: str) -> int:
    """A hash of a document's id and language."""
    return hash((doc_id, language))


def _hashed(fields: Iterable[tuple[bytes, str, Any]]) -> int:
    """A hash of a document's rows of ``fields``, in any order."""
    total = 0
    for row in set(fields):
        total ^= _hash(*row)
    return total


def _hash(field: bytes, kind: str, value: object) -> int:
    return hash((field, kind, type(value).__name__, value))  # hash(b"a") is hash("a")


def _read_fields(connection: sqlite3.Connection) -> dict[int, int]:
    hashes: defaultdict[int, int] = defaultdict(int)
    for field, kind, value, key in connection.execute("SELECT field, kind, value, key FROM fields"):
        hashes[key] ^= _hash(field, kind, value)
    return hashes


def _read_memtable(
    connection: sqlite3.Connection, documents: IntArray
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    keys, whole = array("q"), list[bool]()
    for key, vectors, written in connection.execute("SELECT key, vectors, checksum FROM memtable"):
        keys.append(key)
        whole.append(checksum(key, vectors) == written)
    every = _keys(keys)
    good = np.array(whole, np.bool_) & np.isin(every, documents)
    return every[good], every[~good]


def _keys(values: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(values, np.int64)


def check_counters(
    connection: sqlite3.Connection, names: Iterable[str], keys: IntArray
) -> list[Finding]:
    """Counters that are below the numbers already used, which would then be used twice."""
    last = max((segment_number(str(name)) for name in names), default=0)
    facts = {name: table.fact(connection, name) for name in ("generation", "segment")}
    used = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'documents'").fetchone()
    largest = int(keys.max()) if len(keys) else 0
    wrong = [name for name, value in facts.items() if not isinstance(value, int)]
    if not wrong and facts["segment"] < last:
        wrong.append("segment")
    if largest and (used is None or not isinstance(used[0], int) or used[0] < largest):
        wrong.append("sqlite_sequence")
    if not wrong:
        return []
    what = f"a counter below the numbers that were given ({', '.join(wrong)})"
    return [_damage(Component.COUNTERS, what, "Set it again: dragoman verify INDEX --repair")]


def check_tallies(connection: sqlite3.Connection) -> list[Finding]:
    """Tables whose rows differ from their tallies."""
    wrong = miscounted(connection)
    if miscounted_fields(connection):
        wrong.append("fields")
    if not wrong:
        return []
    what = f"tallies that differ from the rows of {', '.join(wrong)}"
    return [_damage(Component.COUNTERS, what, "Count them again: dragoman verify INDEX --repair")]


def check_treatments(connection: sqlite3.Connection) -> list[Finding]:
    """Languages without a record of how their documents were treated."""
    known = table.recorded_treatments(connection)
    rows = connection.execute(
        "SELECT DISTINCT language FROM documents ORDER BY language"
    ).fetchall()
    missing = [
        language
        for (language,) in rows
        if not isinstance(known.get(language), str) or not known[language].isprintable()
    ]
    if not missing:
        return []
    what = f"no record of how documents in {', '.join(map(str, missing))} were treated"
    return [
        _damage(Component.DATABASE, what, "Rebuild it from its own texts: dragoman upgrade INDEX")
    ]


def segment_number(name: str) -> int:
    """The number in the name of a segment's file."""
    digits = name.partition(".")[0]
    return int(digits) if digits.isdecimal() else 0


def doc_ids(connection: sqlite3.Connection, keys: IntArray) -> tuple[str, ...]:
    """The ids of the documents among ``keys``, sorted."""
    ids = []
    for key in keys.tolist():
        row = connection.execute("SELECT id FROM documents WHERE key = ?", (key,)).fetchone()
        if row is not None:
            ids.append(_printable(row[0]))
    return tuple(sorted(ids))


def _printable(doc_id: bytes | str) -> str:
    """A printable form of an id, whose bytes may be damaged."""
    data = doc_id if isinstance(doc_id, bytes) else doc_id.encode("utf-8", "surrogateescape")
    return data.decode("utf-8", "backslashreplace")


def _damage(
    component: Component, found: str, remedy: str, documents: tuple[str, ...] = ()
) -> Finding:
    return Finding(component, DATABASE, found, remedy, documents)
