"""CSV and TSV with any columns -> a text for every row.

The text is in the columns that ``text_field`` names, else in one of a usual name, else in all; the
other columns are metadata.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dragoman.text.readers.contents import (
    Content,
    FileText,
    ReaderConfig,
    Section,
    UnreadableFile,
    Value,
)
from dragoman.text.readers.formats.plain_text import encoding_of

TEXT_NAMES = ("text", "body", "content", "message", "description", "abstract", "review", "comment")
TITLE_NAMES = ("title", "subject", "name", "headline")
LANGUAGE_NAMES = ("lang", "language")
LONGEST_FIELD = 16 << 20  # letters
SAMPLE = 1 << 16


def read_csv(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The rows of a table whose separator is found by looking at it."""
    yield from _rows(path, config, None)


def read_tsv(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The rows of a table separated by tabs."""
    yield from _rows(path, config, "\t")


def _rows(path: Path, config: ReaderConfig, delimiter: str | None) -> Iterator[Content]:
    csv.field_size_limit(LONGEST_FIELD)
    with path.open(encoding=encoding_of(path), errors="replace", newline="") as stream:
        sample = stream.read(SAMPLE)
        stream.seek(0)
        rows = csv.reader(stream, delimiter=delimiter or _delimiter(sample))
        try:
            columns = next(rows, [])
            for number, row in enumerate(rows, start=1):
                fields = dict(zip(columns, row, strict=False))
                yield from record_texts(fields, f"row-{number}", config)
        except csv.Error as error:
            raise UnreadableFile(f"a broken table ({error})") from error


def _delimiter(sample: str) -> str:
    try:
        return csv.Sniffer().sniff(sample, ",;\t|").delimiter
    except csv.Error:
        return ","


def record_texts(fields: Mapping[str, Value], name: str, config: ReaderConfig) -> Iterator[Content]:
    """The text of one record with named fields; none where its fields are empty."""
    chosen = _text_fields(fields, config)
    title = config.title_field or _usual(fields, TITLE_NAMES)
    language = _usual(fields, LANGUAGE_NAMES)
    used = {*chosen, title, language}
    if not any(str(fields[field]).strip() for field in chosen):
        return
    several = len(chosen) > 1
    text = "\n".join(f"{f}: {fields[f]}" if several else str(fields[f]) for f in chosen)
    yield FileText(
        name,
        title=str(fields.get(title, "")),
        language=str(fields.get(language, "")),
        metadata={key: value for key, value in fields.items() if key not in used},
    )
    yield Section(text)


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
