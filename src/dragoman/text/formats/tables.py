"""TSV and CSV tables, read and written: documents and queries.

The header names the columns, in any order and case; unknown columns become metadata. TSV has no
quoting: a cell contains no tab and no line break. Queries in two columns whose first line names no
known column have no header: id, then text. CSV is quoted as in spreadsheets and separated by
commas, or by semicolons where the header has them and no comma.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeVar

from dragoman.storage.staging import write_lines
from dragoman.text.files import LONGEST_LINE, Faults, read_lines
from dragoman.text.records import (
    Location,
    check_id,
    check_language,
    check_query_text,
    filled,
    parse_rows,
)
from dragoman.types import Document, Query

T = TypeVar("T")
_Rows = Iterator[tuple[int, list[str]]]

DOCUMENT_COLUMNS = {
    "id": ("_id", "id", "doc_id", "docid", "doc-id", "document_id"),
    "text": ("text", "body", "content", "contents"),
    "title": ("title",),
    "lang": ("lang", "language"),
}
QUERY_COLUMNS = {
    "id": ("_id", "id", "query_id", "qid", "query-id"),
    "text": ("text", "query", "question"),
    "lang": ("lang", "language"),
}
REQUIRED = ("id", "text")

# The csv module's limit of 131,072 characters per cell is too low for long documents.
csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))


def read_tsv_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The documents of a table without quoting."""
    return _read(path, faults, _tsv_rows(path, faults), DOCUMENT_COLUMNS, _document, _doc_id)


def read_csv_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The documents of a quoted table; a cell may hold line breaks."""
    return _read(path, faults, _csv_rows(path, faults), DOCUMENT_COLUMNS, _document, _doc_id)


def read_tsv_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The queries of a table without quoting."""
    rows = _with_header(_tsv_rows(path, faults))
    return _read(path, faults, rows, QUERY_COLUMNS, _query, _query_id)


def read_csv_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The queries of a quoted table."""
    return _read(path, faults, _csv_rows(path, faults), QUERY_COLUMNS, _query, _query_id)


def _doc_id(document: Document) -> str:
    return document.doc_id


def _query_id(query: Query) -> str:
    return query.query_id


def _document(location: Location, cells: dict[str, str], metadata: dict[str, str]) -> Document:
    return Document(
        check_id(location, cells["id"]),
        cells["text"],
        cells.get("title", ""),
        check_language(location, cells.get("lang", "")),
        metadata,
    )


def _query(location: Location, cells: dict[str, str], metadata: dict[str, str]) -> Query:
    return Query(
        check_id(location, cells["id"]),
        check_query_text(location, cells["text"]),
        check_language(location, cells.get("lang", "")),
        metadata,
    )


def _read(
    path: Path,
    faults: Faults,
    rows: _Rows,
    columns: Mapping[str, Sequence[str]],
    make: Callable[[Location, dict[str, str], dict[str, str]], T],
    identify: Callable[[T], str],
) -> Iterator[T]:
    number, header = next(rows, (1, []))
    ours = _match_header(Location(path, number), header, columns)
    others = [(name, index) for index, name in enumerate(header) if index not in ours.values()]

    def parse(location: Location, row: list[str]) -> T:
        if len(row) != len(header):
            expected = f"{len(header)}, as in the header"
            raise location.fault(found=f"{len(row)} columns", expected=expected)
        cells = {name: row[index] for name, index in ours.items()}
        return make(location, cells, {name: row[index] for name, index in others if row[index]})

    yield from parse_rows(path, faults, rows, parse, identify=identify)


def _match_header(
    location: Location, header: list[str], columns: Mapping[str, Sequence[str]]
) -> dict[str, int]:
    names = [name.strip().lower() for name in header]
    matches = {
        column: [index for index, name in enumerate(names) if name in accepted]
        for column, accepted in columns.items()
    }
    for column, accepted in columns.items():
        if len(matches[column]) > 1 or (column in REQUIRED and not matches[column]):
            raise location.fault(
                found=f"the header {', '.join(header)[:80]!r}",
                expected=f"one column called {' or '.join(accepted)}",
                advice="The first line must name the columns.",
            )
    if len(set(names)) != len(names):
        raise location.fault(found="two columns of one name", expected="different names")
    return {column: indexes[0] for column, indexes in matches.items() if indexes}


def _tsv_rows(path: Path, faults: Faults) -> _Rows:
    for number, line in filled(read_lines(path, faults)):
        yield number, line.split("\t")


def _with_header(rows: _Rows) -> _Rows:
    """The rows of queries after a header, which is added to ids and texts that have none."""
    number, first = next(rows, (1, []))
    known = {name for accepted in QUERY_COLUMNS.values() for name in accepted}
    if len(first) == len(REQUIRED) and known.isdisjoint(name.strip().lower() for name in first):
        yield number, [*REQUIRED]
    yield number, first
    yield from rows


def _csv_rows(path: Path, faults: Faults) -> _Rows:
    """Rows with the number of their first line; broken quoting is a fault."""
    lines = read_lines(path, faults, keep_ends=True)
    first = next(lines, (1, ""))
    semicolons = ";" in first[1] and "," not in first[1]
    row_lines: list[int] = []  # the line numbers of the current row

    def feed() -> Iterator[str]:
        for number, line in chain([first], lines):
            row_lines.append(number)
            yield line

    reader = csv.reader(feed(), delimiter=";" if semicolons else ",", strict=True)
    while True:
        row_lines.clear()
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            location = Location(path, row_lines[0] if row_lines else None)
            faults.report(
                location.fault(
                    found=f"broken quoting ({error})", expected='cells quoted as "a ""b"""'
                )
            )
            continue
        if row:
            yield row_lines[0], row


def write_documents(path: Path, documents: Iterable[Document]) -> int:
    """Write id, title, text and lang as CSV or TSV, by the ending; the number of documents."""
    rows = ((d.doc_id, d.title, d.text, d.language) for d in documents)
    return _write(path, ("_id", "title", "text", "lang"), rows)


def write_queries(path: Path, queries: Iterable[Query]) -> int:
    """Write id, text and lang as CSV or TSV, by the ending; the number of queries."""
    return _write(
        path, ("_id", "text", "lang"), ((q.query_id, q.text, q.language) for q in queries)
    )


def _write(path: Path, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> int:
    quoted = ".csv" in (suffix.lower() for suffix in path.suffixes)
    count = 0
    with write_lines(path) as stream:
        writer = csv.writer(stream)  # its line breaks are those of RFC 4180
        stream.write(",".join(header) + "\r\n" if quoted else "\t".join(header) + "\n")
        for count, row in enumerate(rows, start=1):
            location = Location(path, count + 1)
            check_id(location, row[0])
            if quoted:
                writer.writerow(row)
            else:
                stream.write("\t".join(_cell(location, cell) for cell in row) + "\n")
    return count


def _cell(location: Location, text: str) -> str:
    if any(character in text for character in "\t\r\n"):
        raise location.fault(
            found="a tab or a line break in a cell",
            expected="cells without them",
            advice="Write CSV or JSONL instead.",
        )
    return text
