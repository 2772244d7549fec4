"""Click logs, read and written: how often a document was shown and clicked for a query.

TSV begins with the header ``query doc_id impressions clicks`` and may have a fifth column
``language``; JSONL has the same fields. More clicks than impressions are a fault.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from dragoman.storage.staging import write_lines
from dragoman.text.files import Faults, read_lines
from dragoman.text.records import (
    Location,
    check_id,
    check_language,
    check_query_text,
    filled,
    one_line,
    optional_text,
    parse_int,
    parse_lines,
    parse_object,
    parse_rows,
    required_count,
    required_text,
    show,
)
from dragoman.types import Click

HEADER = ("query", "doc_id", "impressions", "clicks", "language")


def read_jsonl(path: Path, faults: Faults) -> Iterator[Click]:
    """The rows of a log of JSON objects."""
    return parse_lines(path, faults, _parse_object)


def _parse_object(location: Location, line: str) -> Click:
    record = parse_object(location, line)
    return _check(
        location,
        required_text(location, record, "query"),
        required_text(location, record, "doc_id"),
        required_count(location, record, "impressions"),
        required_count(location, record, "clicks"),
        optional_text(location, record, "language"),
    )


def read_tsv(path: Path, faults: Faults) -> Iterator[Click]:
    """The rows of a tab-separated log."""
    lines = filled(read_lines(path, faults))
    number, header = next(lines, (1, ""))
    width = len(header.split("\t"))
    if width not in (4, 5) or tuple(header.split("\t")) != HEADER[:width]:
        raise Location(path, number).fault(
            found=f"the header {show(header)}",
            expected=f"the columns {', '.join(HEADER)} (the last may be missing)",
        )

    def parse(location: Location, line: str) -> Click:
        cells = line.split("\t")
        if len(cells) != width:
            raise location.fault(
                found=f"{len(cells)} columns", expected=f"{width}, as in the header"
            )
        impressions = parse_int(location, cells[2], "number of impressions")
        clicks = parse_int(location, cells[3], "number of clicks")
        return _check(
            location, cells[0], cells[1], impressions, clicks, cells[4] if width == 5 else ""
        )

    yield from parse_rows(path, faults, lines, parse)


def _check(
    location: Location, query: str, doc_id: str, impressions: int, clicks: int, language: str
) -> Click:
    if not 0 <= clicks <= impressions:
        raise location.fault(
            found=f"{clicks:,} clicks in {impressions:,} impressions",
            expected="no more clicks than impressions, and no number below 0",
        )
    return Click(
        check_query_text(location, query),
        check_id(location, doc_id),
        impressions,
        clicks,
        check_language(location, language),
    )


def write_jsonl(path: Path, clicks: Iterable[Click]) -> int:
    """Write the clicks and return their number."""
    count = 0
    with write_lines(path) as stream:
        for count, click in enumerate(clicks, start=1):
            doc_id = check_id(Location(path, count), click.doc_id)
            values = (click.query, doc_id, click.impressions, click.clicks, click.language)
            record = dict(zip(HEADER, values, strict=True))
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
    return count


def write_tsv(path: Path, clicks: Iterable[Click]) -> int:
    """Write the clicks and return their number; tabs and line breaks in a query become spaces."""
    count = 0
    with write_lines(path) as stream:
        stream.write("\t".join(HEADER) + "\n")
        for count, click in enumerate(clicks, start=1):
            doc_id = check_id(Location(path, count + 1), click.doc_id)
            numbers = (str(click.impressions), str(click.clicks))
            cells = (one_line(click.query), doc_id, *numbers, click.language)
            stream.write("\t".join(cells) + "\n")
    return count
