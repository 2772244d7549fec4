"""Tallies: row counts and sums over rows of each table, which reveal lost and changed rows.

SQLite has no checksums: a flipped byte may hide rows of a table or change a key without an error.
Triggers count every inserted and deleted row, so that readers of a table can compare. Documents
need no tally: segments list them, and their rows have checksums.

    tallies        name, entries, total: of the tables in ``SUMMED``
    field_tallies  field, kind, value, entries, total: of the documents with a value in ``fields``
"""

import sqlite3
from collections.abc import Sequence

import numpy as np

from dragoman.storage.database import DamagedRows

MIXING, BITS = 2654435761, 0x7FFFFFFF  # injective for keys below 2**31
MIXED_KEY = f"(({{row}}.key * {MIXING}) & {BITS})"
SUMMED = {  # table -> what is summed over its rows
    "facts": "length({row}.name)",
    "segments": "({row}.identity + {row}.bytes + {row}.documents + CAST({row}.name AS INTEGER))",
    "memtable": MIXED_KEY,
    "deleted": MIXED_KEY,
}
SAME_VALUE = "field = {row}.field AND kind = {row}.kind AND value = {row}.value"


def _triggers(name: str) -> str:
    def counted(event: str, row: str, sign: str) -> str:
        return (
            f"CREATE TRIGGER {name}_{event} AFTER {event} ON {name} BEGIN"  # noqa: S608
            f" UPDATE tallies SET entries = entries {sign} 1,"
            f" total = total {sign} {SUMMED[name].format(row=row)} WHERE name = '{name}'; END;\n"
        )

    return counted("insert", "new", "+") + counted("delete", "old", "-")


def _field_triggers() -> str:
    def counted(sign: str, row: str) -> str:
        return (
            f" UPDATE field_tallies SET entries = entries {sign} 1,"  # noqa: S608
            f" total = total {sign} {MIXED_KEY.format(row=row)}"
            f" WHERE {SAME_VALUE.format(row=row)};"
        )

    return (
        "CREATE TRIGGER fields_insert AFTER INSERT ON fields BEGIN"  # noqa: S608
        " INSERT OR IGNORE INTO field_tallies VALUES (new.field, new.kind, new.value, 0, 0);"
        f"{counted('+', 'new')} END;\n"
        f"CREATE TRIGGER fields_delete AFTER DELETE ON fields BEGIN{counted('-', 'old')}"
        f" DELETE FROM field_tallies WHERE {SAME_VALUE.format(row='old')} AND entries = 0; END;\n"
    )


SCHEMA = f"""
CREATE TABLE tallies(name TEXT PRIMARY KEY, entries INTEGER NOT NULL, total INTEGER NOT NULL)
    WITHOUT ROWID;
CREATE TABLE field_tallies(
    field BLOB NOT NULL, kind TEXT NOT NULL, value NOT NULL, entries INTEGER NOT NULL,
    total INTEGER NOT NULL, PRIMARY KEY(field, kind, value)) WITHOUT ROWID;
INSERT INTO tallies VALUES {", ".join(f"('{name}', 0, 0)" for name in SUMMED)};
{"".join(map(_triggers, SUMMED))}{_field_triggers()}"""  # noqa: S608 - texts of ours


def miscounted(connection: sqlite3.Connection) -> list[str]:
    """The tables whose rows differ from their tallies; ``fields`` is not checked."""
    rows = connection.execute("SELECT name, entries, total FROM tallies")
    written = {name: numbers for name, *numbers in rows}
    return [name for name in SUMMED if written.get(name) != [*_counted(connection, name)]]


def _counted(connection: sqlite3.Connection, name: str) -> tuple[int, int]:
    summed = SUMMED[name].format(row=name)
    row: tuple[int, int] = connection.execute(
        f"SELECT COUNT(*), COALESCE(SUM({summed}), 0) FROM {name}"  # noqa: S608 - names of ours
    ).fetchone()
    return row


def check_fields(
    connection: sqlite3.Connection, condition: str, values: Sequence[object], keys: Sequence[int]
) -> None:
    """Refuse ``keys``, the documents whose fields fit a condition, if their tallies differ."""
    entries, total = connection.execute(
        f"SELECT COALESCE(SUM(entries), 0), COALESCE(SUM(total), 0) FROM field_tallies"  # noqa: S608
        f" WHERE {condition}",
        values,
    ).fetchone()
    try:
        numbers = np.array(keys, np.int64)
    except (TypeError, ValueError, OverflowError):  # a value of another type
        numbers = np.zeros(0, np.int64)
    if (entries, total) != (len(numbers), int((numbers * MIXING & BITS).sum())):
        raise DamagedRows(
            "found other metadata than was written. Write it again: dragoman verify INDEX --repair"
        )


def miscounted_fields(connection: sqlite3.Connection) -> bool:
    """Whether the rows of ``fields`` differ from their tallies."""
    counted = "SELECT field, kind, value, entries, total FROM field_tallies"
    (differing,) = connection.execute(
        f"SELECT EXISTS ({FIELDS_COUNTED} EXCEPT {counted})"
        f" OR EXISTS ({counted} EXCEPT {FIELDS_COUNTED})"
    ).fetchone()
    return bool(differing)


FIELDS_COUNTED = (
    "SELECT field, kind, value, COUNT(*), SUM("  # noqa: S608 - texts of ours
    f"{MIXED_KEY.format(row='fields')}) FROM fields GROUP BY field, kind, value"
)


def recount(connection: sqlite3.Connection) -> None:
    """Set all tallies to the rows that are there."""
    connection.execute("DELETE FROM tallies")
    for name in SUMMED:
        connection.execute(
            "INSERT INTO tallies VALUES (?, ?, ?)", (name, *_counted(connection, name))
        )
    connection.execute("DELETE FROM field_tallies")
    connection.execute(f"INSERT INTO field_tallies {FIELDS_COUNTED}")
