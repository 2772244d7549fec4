"""JSON and JSON lines with any fields -> a text for every record."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman.text.readers.contents import Content, ReaderConfig, UnreadableFile, Value
from dragoman.text.readers.encoding import encoding_of, noted
from dragoman.text.readers.formats.tables import record_texts

LARGEST = 256 << 20  # bytes of a JSON file that are parsed as one value
LONGEST_LINE = 64 << 20  # letters
LARGEST_NUMBER = 1 << 63  # a larger number becomes text
DEEPEST = 50
_BETWEEN = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder(parse_constant=str)  # NaN and infinities are no metadata


def read_json(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The records of a list, or one text for any other value.

    Of a list that breaks off the records before that are read.
    """
    if path.stat().st_size > LARGEST:
        raise UnreadableFile(f"more than {LARGEST:,} bytes of JSON; JSON lines have no such limit")
    encoding = encoding_of(path)
    yield from noted(encoding)
    text = path.read_text(encoding=encoding, errors="replace")
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        for number, record in enumerate(_first_records(text), start=1):
            yield from record_texts(_fields(record), f"record-{number}", config)
        raise UnreadableFile(f"broken JSON ({error})") from error
    if isinstance(value, list):
        for number, record in enumerate(value, start=1):
            yield from record_texts(_fields(record), f"record-{number}", config)
    else:
        yield from record_texts(_fields(value), "", config)


def _first_records(text: str) -> Iterator[Any]:
    """The objects at the beginning of a broken list."""
    end = _BETWEEN.match(text, text.find("[") + 1).end()  # type: ignore[union-attr]
    while text.startswith("{", end) and text.lstrip().startswith("["):
        try:
            record, end = _DECODER.raw_decode(text, end)
        except (ValueError, RecursionError):
            return
        yield record
        end = _BETWEEN.match(text, end).end()  # type: ignore[union-attr]


def read_jsonl(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """A record a line; broken lines are left out and reported."""
    broken, lines, why, encoding = 0, 0, "", encoding_of(path)
    yield from noted(encoding)
    for number, line in _lines(path, encoding):
        lines += 1
        try:
            if len(line) >= LONGEST_LINE:
                raise UnreadableFile(f"more than {LONGEST_LINE:,} letters in line {number:,}")
            yield from record_texts(_fields(_parse(line, number)), f"record-{number}", config)
        except UnreadableFile as error:
            broken, why = broken + 1, why or str(error)
    if broken:
        raise UnreadableFile(f"{why}; {broken:,} of {lines:,} lines are broken")


def _lines(path: Path, encoding: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers; very long ones are cut off."""
    with path.open(encoding=encoding, errors="replace") as stream:
        number = 0
        while line := stream.readline(LONGEST_LINE):
            number += 1
            rest = line
            while len(rest) == LONGEST_LINE and not rest.endswith("\n"):
                rest = stream.readline(LONGEST_LINE)
            if line.strip():
                yield number, line


def _parse(line: str, number: int) -> Any:  # noqa: ANN401 - whatever JSON holds
    try:
        return _DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"broken JSON in line {number:,} ({error})") from error


def _fields(record: Any, depth: int = 0) -> dict[str, Value]:  # noqa: ANN401
    """A record's fields, names of nested ones joined by dots."""
    if depth > DEEPEST:
        raise UnreadableFile(f"more than {DEEPEST} objects inside each other")
    if not isinstance(record, dict):
        return {"text": _plain(record)}
    fields: dict[str, Value] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            fields |= {f"{name}.{inner}": v for inner, v in _fields(value, depth + 1).items()}
        elif value is not None:
            fields[str(name)] = _plain(value)
    return fields


def _plain(value: Any) -> Value:  # noqa: ANN401
    if isinstance(value, int | float) and not abs(value) < LARGEST_NUMBER:
        return str(value)
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [
            one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in value
        ]
    return "" if value is None else json.dumps(value, ensure_ascii=False)
