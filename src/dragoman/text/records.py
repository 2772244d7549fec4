"""Lines -> records: one loop that all line formats share, and the checks of a record's fields.

A format supplies a function from one line to one record that raises ``InputError``; the loop
numbers the lines, skips blank ones, reports faults and refuses duplicate ids.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from dragoman.errors import InputError, UnknownLanguage
from dragoman.text.files import Faults, read_lines
from dragoman.text.id_set import IdSet
from dragoman.text.languages import canonical

L = TypeVar("L")
T = TypeVar("T")

_SHOWN = 60  # characters of a bad value in a message
_LISTED = 8  # fields of a record in a message
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_BREAKS_LINES = re.compile(r"[\t\r\n]+")


@dataclass(frozen=True, slots=True)
class Location:
    """A line of a file, or the whole file: where an error is."""

    path: Path
    line: int | None = None

    def fault(self, *, found: str, expected: str, advice: str = "") -> InputError:
        """An ``InputError`` at this location."""
        return InputError(self.path, self.line, found=found, expected=expected, advice=advice)


def parse_lines(
    path: Path,
    faults: Faults,
    parse: Callable[[Location, str], T],
    *,
    identify: Callable[[T], str] | None = None,
) -> Iterator[T]:
    """The record of every line that is not blank; a duplicate id is a fault."""
    lines = filled(read_lines(path, faults))
    return parse_rows(path, faults, lines, parse, identify=identify)


def filled(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The numbered lines that are not blank."""
    return ((number, line) for number, line in lines if line and not line.isspace())


def parse_rows(
    path: Path,
    faults: Faults,
    rows: Iterable[tuple[int, L]],
    parse: Callable[[Location, L], T],
    *,
    identify: Callable[[T], str] | None = None,
) -> Iterator[T]:
    """As ``parse_lines``, for numbered rows whose header has been read."""
    seen, empty = IdSet(), True
    for number, row in rows:
        empty = False
        try:
            record = parse(Location(path, number), row)
            if identify is not None:
                check_unique(Location(path, number), seen, identify(record))
        except InputError as error:
            faults.report(error)
        else:
            yield record
    if empty:
        raise InputError(path, None, found="no record", expected="at least one")


def show(value: object) -> str:
    """``value`` as it appears in a message: quoted and shortened."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def one_line(text: str) -> str:
    """``text`` with a space for every run of tabs and line breaks."""
    return _BREAKS_LINES.sub(" ", text)


def parse_object(location: Location, line: str) -> dict[str, Any]:
    """The JSON object of one line."""
    try:
        record = _DECODER.decode(line)
    except json.JSONDecodeError as error:
        found = f"broken JSON ({error.msg} at column {error.colno})"
        raise location.fault(found=found, expected="one JSON object a line") from error
    except (ValueError, RecursionError) as error:
        found = f"JSON that cannot be read ({error})"
        raise location.fault(found=found, expected="one JSON object a line") from error
    if not isinstance(record, dict):
        raise location.fault(found=f"{_kind(record)}", expected="a JSON object")
    if _ESCAPED_SURROGATE.search(line) and not _is_unicode(record):
        raise location.fault(
            found="half of a surrogate pair", expected="text that can be written as UTF-8"
        )
    return record


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _is_unicode(record: dict[str, Any]) -> bool:
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def required_text(location: Location, record: Mapping[str, Any], field: str) -> str:
    """The string under ``field``; anything else is a fault."""
    if field not in record:
        fields = ", ".join(list(record)[:_LISTED]) or "none"
        raise location.fault(found=f"no field {field!r} (fields: {fields})", expected=f"{field!r}")
    value = record[field]
    if not isinstance(value, str):
        raise location.fault(found=f"{_kind(value)} in {field!r}", expected="a string")
    return value


def optional_text(location: Location, record: Mapping[str, Any], field: str) -> str:
    """The string under ``field``; empty where there is none or it is null."""
    return "" if record.get(field) is None else required_text(location, record, field)


def required_count(location: Location, record: Mapping[str, Any], field: str) -> int:
    """The whole number of 0 or more under ``field``."""
    value = record.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        found = f"{show(value)} in {field!r}" if field in record else f"no field {field!r}"
        raise location.fault(found=found, expected="a whole number of 0 or more")
    return value


def check_id(location: Location, value: str) -> str:
    """``value``, if it is an id that every format can hold."""
    if not value or value.isspace():
        raise location.fault(found="an empty id", expected="an id")
    if _BREAKS_LINES.search(value):
        raise location.fault(
            found=f"the id {show(value)}", expected="an id without tabs and line breaks"
        )
    return value


def check_unique(location: Location, seen: IdSet, value: str) -> None:
    """Add ``value`` to ``seen``; an id that is in it already is a fault."""
    if not seen.add(value):
        raise location.fault(found=f"the id {show(value)} a second time", expected="every id once")


def check_language(location: Location, code: str) -> str:
    """The canonical form of ``code``; empty, for unknown, stays empty."""
    if not code:
        return ""
    try:
        return canonical(code)
    except UnknownLanguage as error:
        raise location.fault(
            found=f"the language {show(code)}",
            expected="an ISO 639-1, ISO 639-3 or BCP-47 code, as in de, deu or de-AT",
        ) from error


def check_query_text(location: Location, text: str) -> str:
    """``text``, if it is not blank."""
    if not text or text.isspace():
        raise location.fault(found="an empty query", expected="the text of the query")
    return text


def parse_int(location: Location, text: str, what: str) -> int:
    """The whole number that ``text`` is, in ASCII digits; ``what`` names it in the error."""
    if not _INTEGER.fullmatch(text):
        raise location.fault(found=f"the {what} {show(text)}", expected="a whole number")
    return int(text)


_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if value is None:
        return "a null"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"
