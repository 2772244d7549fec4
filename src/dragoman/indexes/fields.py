"""Metadata of documents as filters look it up: one row for each field, value and document.

A text that is written as a number or a flag, as all values of CSV tables are, counts as one when it
is compared with one. It stays a text: it is listed and exported as it was.
"""

import operator
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UnknownName, UserError
from dragoman.indexes import tallies
from dragoman.indexes.filters import Condition, Filter, Operator, Value, parse_number
from dragoman.storage.database import decode_text, encode_text

TEXT, NUMBER, FLAG = "text", "number", "flag"
LARGEST = 1e300  # larger numbers are stored but not indexed for filters
NUMERALS = (b"+", b":")  # texts from the first to below the second may be written as numbers
COMPARE: Mapping[Operator, Callable[[float, float], bool]] = {
    Operator.EQUAL: operator.eq,
    Operator.NOT_EQUAL: operator.eq,  # of the documents to be excluded
    Operator.ABOVE: operator.gt,
    Operator.AT_LEAST: operator.ge,
    Operator.BELOW: operator.lt,
    Operator.AT_MOST: operator.le,
}


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
    sign, field = "=" if equal else condition.operator.value, encode_text(condition.field)
    matches: set[int] = set()
    for value in condition.values:
        typed = _typed(value)
        if typed is not None or not equal:  # else a number that is not indexed
            fits = f"field = ? AND kind = ? AND value {sign} ?"
            rows = _rows(connection, fits, (field, *(typed or (NUMBER, value))))
            matches.update(key for _, key in rows)
        matches.update(_written_as(connection, field, value, COMPARE[condition.operator]))
    return np.fromiter(matches, np.int64, len(matches))


def _written_as(
    connection: sqlite3.Connection,
    field: bytes,
    value: Value,
    fits_number: Callable[[float, float], bool],
) -> list[int]:
    """The keys of documents with a text that is written as a fitting number or flag."""
    if isinstance(value, str):
        return []
    if isinstance(value, bool):
        text = encode_text(str(value).lower())
        rows = _rows(connection, "field = ? AND kind = ? AND value = ?", (field, TEXT, text))
        return [key for _, key in rows]
    in_range = "field = ? AND kind = ? AND value >= ? AND value < ?"
    numbers: dict[bytes, bool] = {}  # of texts, most of which are repeated
    keys = []
    for written, key in _rows(connection, in_range, (field, TEXT, *NUMERALS)):
        if written not in numbers:
            number = parse_number(decode_text(written))
            numbers[written] = number is not None and fits_number(number, value)
        if numbers[written]:
            keys.append(key)
    return keys


def _rows(
    connection: sqlite3.Connection, fits: str, values: tuple[Any, ...]
) -> list[tuple[Any, int]]:
    """The values and keys that fit; rows that were lost are an error."""
    rows = connection.execute(f"SELECT value, key FROM fields WHERE {fits}", values)  # noqa: S608
    read = rows.fetchall()
    tallies.check_fields(connection, fits, values, [key for _, key in read])
    return read


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
