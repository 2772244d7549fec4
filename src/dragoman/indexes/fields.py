"""Metadata of documents as filters look it up: one row for each field, value and document."""

import sqlite3
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UnknownName, UserError
from dragoman.indexes import tallies
from dragoman.indexes.filters import Condition, Filter, Operator
from dragoman.storage.database import decode_text, encode_text

TEXT, NUMBER, FLAG = "text", "number", "flag"
LARGEST = 1e300  # larger numbers are stored but not indexed for filters


def field_values(metadata: Mapping[str, Any], prefix: str = "") -> list[tuple[bytes, str, Any]]:
    """Metadata as (field, kind, value): names of nested fields joined by dots, lists by element."""
    fields: list[tuple[bytes, str, Any]] = []
    for name, value in metadata.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if isinstance(one, Mapping):
                fields += field_values(one, f"{prefix}{name}.")
            elif (typed := _typed(one)) is not None:
                fields.append((encode_text(f"{prefix}{name}"), *typed))
    return fields


def _typed(value: object) -> tuple[str, bytes | float | int] | None:
    """The kind of a value, and the value as the database compares it."""
    if isinstance(value, bool):
        return FLAG, int(value)
    if isinstance(value, int | float) and abs(value) < LARGEST:
        return NUMBER, float(value)
    return (TEXT, encode_text(value)) if isinstance(value, str) else None


def field_names(connection: sqlite3.Connection) -> list[str]:
    """The names of all metadata fields."""
    names: list[str] = []
    name: bytes | None = b""
    while True:  # each step is one look into the table's index
        (name,) = connection.execute(
            "SELECT MIN(field) FROM fields WHERE field > ?", (name,)
        ).fetchone()
        if name is None:
            return names
        names.append(decode_text(name))


def matching(connection: sqlite3.Connection, condition: Condition) -> NDArray[np.int64]:
    """The keys of documents with a value that fits; for ``!=``, of those to be excluded."""
    equal = condition.operator in (Operator.EQUAL, Operator.NOT_EQUAL)
    operator = "=" if equal else condition.operator.value
    matches: set[int] = set()
    for value in condition.values:
        if (typed := _typed(value)) is None and equal:
            continue  # a number that is not indexed
        fits = f"field = ? AND kind = ? AND value {operator} ?"
        values = (encode_text(condition.field), *(typed or (NUMBER, value)))
        rows = connection.execute(f"SELECT key FROM fields WHERE {fits}", values)  # noqa: S608
        keys = [key for (key,) in rows]
        tallies.check_fields(connection, fits, values, keys)
        matches.update(keys)
    return np.fromiter(matches, np.int64, len(matches))


def refuse_unknown_fields(connection: sqlite3.Connection, chosen: Filter) -> None:
    """Refuse a filter on a field that no document has, and name those that exist."""
    known = "SELECT 1 FROM fields WHERE field = ? LIMIT 1"
    for field in (condition.field for condition in chosen.conditions):
        if connection.execute(known, (encode_text(field),)).fetchone() is None:
            if tallies.miscounted_fields(connection):
                return  # damaged rows are refused, with the remedy, where they are read
            if names := field_names(connection):
                raise UnknownName(field, names, "metadata field")
            raise UserError(f"Found a filter on {field!r}, but the documents have no metadata.")
