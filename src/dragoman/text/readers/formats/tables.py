"""CSV and TSV with any columns -> a text for every row.

The text is in the columns that ``text_field`` names, else in one of a usual name, else in all; the
other columns are metadata.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from itertools import chain, islice
from pathlib import Path

from dragoman.text.readers.contents import (
    Content,
    FileText,
    ReaderConfig,
    Section,
    UnreadableFile,
    Value,
)
from dragoman.text.readers.encoding import encoding_of, noted

TEXT_NAMES = ("text", "body", "content", "message", "description", "abstract", "review", "comment")
TITLE_NAMES = ("title", "subject", "name", "headline")
LANGUAGE_NAMES = ("lang", "language")
LONGEST_FIELD = 16 << 20  # letters
LONGEST_NAME = 60
SAMPLE, SAMPLE_ROWS = 1 << 16, 200  # letters, rows
DELIMITERS = ",;\t|"
_SEPARATOR_LINE = re.compile(r'"?sep=([^\s\w"]|\t)"?\r?\n', re.IGNORECASE)  # of spreadsheets


def read_csv(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The rows of a table whose separator is found by looking at it."""
    yield from _rows(path, config, None)


def read_tsv(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The rows of a table separated by tabs."""
    yield from _rows(path, config, "\t")


def _rows(path: Path, config: ReaderConfig, delimiter: str | None) -> Iterator[Content]:
    csv.field_size_limit(LONGEST_FIELD)
    encoding = encoding_of(path)
    yield from noted(encoding)
    with path.open(encoding=encoding, errors="replace", newline="") as stream:
        sample = stream.read(SAMPLE)
        stream.seek(0)
        if named := _SEPARATOR_LINE.match(sample):
            stream.readline()
            delimiter = named[1]
        rows = csv.reader(stream, delimiter=delimiter or _delimiter(sample))
        try:
            first = next(rows, [])
            columns = first if _is_header(first, config) else []
            with_first = rows if columns else chain([first], rows)
            for number, row in enumerate(with_first, start=1):
                yield from record_texts(_fields(columns, row), f"row-{number}", config)
        except csv.Error as error:
            raise UnreadableFile(f"a broken table ({error})") from error


def _is_header(row: Sequence[str], config: ReaderConfig) -> bool:
    """Whether a first row names columns: short, distinct names that are no numbers."""
    if config.text_field or config.title_field:
        return True
    names = [name.strip().lower() for name in row]
    if {*TEXT_NAMES, *TITLE_NAMES, *LANGUAGE_NAMES} & {*names}:
        return True
    return len({*names}) == len(names) and all(
        name and len(name) <= LONGEST_NAME and not name[0].isdigit() for name in names
    )


def _fields(columns: Sequence[str], row: Sequence[str]) -> dict[str, Value]:
    """The cells of a row by their columns; by number where a name is missing or repeated."""
    fields: dict[str, Value] = {}
    for number, cell in enumerate(row, start=1):
        name = columns[number - 1].strip() if number <= len(columns) else ""
        fields[name if name and name not in fields else f"column-{number}"] = cell
    for name in columns[len(row) :]:
        fields.setdefault(name.strip(), "")
    return fields


def _delimiter(sample: str) -> str:
    """The separator that cuts most rows into as many cells as the first row.

    Written by hand because the time of ``csv.Sniffer`` grows exponentially with quotes in a row.
    """

    def agreement(delimiter: str) -> tuple[float, int]:
        lines = csv.reader(StringIO(sample, newline=""), delimiter=delimiter)
        try:
            sizes = [len(row) for row in islice(lines, SAMPLE_ROWS) if row]
        except csv.Error:
            sizes = []
        if not sizes or sizes[0] == 1:
            return 0.0, 0
        whole = sizes[:-1] or sizes  # the sample may end within a row
        return whole.count(sizes[0]) / len(whole), sizes[0]

    return max(DELIMITERS, key=agreement)


def record_texts(fields: Mapping[str, Value], name: str, config: ReaderConfig) -> Iterator[Content]:
    """The text of one record with named fields; none where its fields are empty."""
    chosen = _text_fields(fields, config)
    title = config.title_field or _usual(fields, TITLE_NAMES)
    language = _usual(fields, LANGUAGE_NAMES)
    used = {*chosen, title, language}
    if not any(_shown(fields[field]).strip() for field in chosen):
        return
    several = len(chosen) > 1
    filled = [field for field in chosen if _shown(fields[field]).strip()]
    text = "\n".join(f"{f}: {_shown(fields[f])}" if several else _shown(fields[f]) for f in filled)
    yield FileText(
        name,
        title=" ".join(_shown(fields.get(title, "")).split()),
        language=_shown(fields.get(language, "")),
        metadata={key: value for key, value in fields.items() if key not in used},
    )
    yield Section(text)


def _shown(value: Value) -> str:
    return "\n".join(value) if isinstance(value, list) else str(value)


def _text_fields(fields: Mapping[str, Value], config: ReaderConfig) -> Sequence[str]:
    if config.text_field:
        wanted = [one.strip() for one in config.text_field.split(",")]
        if missing := [one for one in wanted if one not in fields]:
            raise UnreadableFile(f"no column {missing[0]!r}; it has {', '.join(map(repr, fields))}")
        return wanted
    usual = _usual(fields, TEXT_NAMES)
    return [usual] if usual else [*fields]


def _usual(fields: Mapping[str, Value], names: Sequence[str]) -> str:
    by_lower = {field.lower(): field for field in fields}
    return next((by_lower[name] for name in names if name in by_lower), "")
