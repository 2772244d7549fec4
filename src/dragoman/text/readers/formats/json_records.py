"""JSON and JSON lines with any fields -> a text for every record."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman.text.readers.contents import Content, ReaderConfig, UnreadableFile, Value
from dragoman.text.readers.encoding import encoding_of
from dragoman.text.readers.formats.tables import record_texts

LARGEST = 256 << 20  # bytes of a JSON file that are parsed as one value
LONGEST_LINE = 64 << 20  # letters
LARGEST_NUMBER = 1 << 63  # a larger number becomes text
DEEPEST = 50
_DECODER = json.JSONDecoder(parse_constant=str)  # NaN and infinities are no metadata


def read_json(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The records of a list, or one text for any other value."""
    if path.stat().st_size > LARGEST:
        raise UnreadableFile(f"more than {LARGEST:,} bytes of JSON; JSON lines have no such limit")
    value = _parse(path.read_text(encoding=encoding_of(path), errors="replace"), "")
    if isinstance(value, list):
        for number, record in enumerate(value, start=1):
            yield from record_texts(_fields(record), f"record-{number}", config)
    else:
        yield from record_texts(_fields(value), "", config)


def read_jsonl(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """A record a line."""
    with path.open(encoding=encoding_of(path), errors="replace") as stream:
        number = 0
        while line := stream.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise UnreadableFile(f"more than {LONGEST_LINE:,} letters in line {number}")
            if line.strip():
                record = _parse(line, f" in line {number}")
                yield from record_texts(_fields(record), f"record-{number}", config)


def _parse(text: str, where: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"broken JSON{where} ({error})") from error


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
