"""The large-scale CLIR dataset of Sasaki et al. 2018: .queries, .documents, .rel.

``wiki_en.queries``: id, title and first sentence (without the title's words), separated by tabs;
the sentence is the query, the title its metadata. ``wiki_XX.documents``: id, title and text.
``en2XX.rel``: query id, document id and grade (2: the same article, 1: linked both ways). Files
with two columns, id and text, as in WikiCLIR (Schamoni et al. 2014), are read too. The language is
taken from file names of these forms.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dragoman.storage.staging import write_lines
from dragoman.text.files import Faults
from dragoman.text.formats.trec import split_columns
from dragoman.text.judgments import Judgment
from dragoman.text.records import (
    Location,
    check_id,
    check_language,
    check_query_text,
    one_line,
    parse_int,
    parse_lines,
)
from dragoman.types import Document, Judgments, Query

_NAME = re.compile(r"wiki_([a-z]{2,3}|simple)\.")


def read_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The documents of a ``.documents`` file."""
    language = _language(path)

    def parse(location: Location, line: str) -> Document:
        doc_id, title, text = _three_columns(location, line)
        return Document(doc_id, text, title, language)

    return parse_lines(path, faults, parse, identify=lambda document: document.doc_id)


def read_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The queries of a ``.queries`` file; the article's title is in their metadata."""
    language = _language(path)

    def parse(location: Location, line: str) -> Query:
        query_id, title, sentence = _three_columns(location, line)
        metadata = {"title": title} if title else {}
        return Query(query_id, check_query_text(location, sentence), language, metadata)

    return parse_lines(path, faults, parse, identify=lambda query: query.query_id)


def read_judgments(path: Path, faults: Faults) -> Iterator[Judgment]:
    """The rows of a ``.rel`` file."""
    return parse_lines(path, faults, _parse_judgment)


def _parse_judgment(location: Location, line: str) -> Judgment:
    columns = split_columns(line, (3,))
    if len(columns) != 3:
        raise location.fault(
            found=f"{len(columns)} columns", expected="3: query, document and grade"
        )
    query_id, doc_id, grade = columns
    return Judgment(query_id, doc_id, parse_int(location, grade.strip(" "), "grade"), location)


def _three_columns(location: Location, line: str) -> tuple[str, str, str]:
    columns = line.split("\t")
    if len(columns) not in (2, 3):
        raise location.fault(
            found=f"{len(columns)} columns", expected="3: id, title and text; or 2: id and text"
        )
    title = columns[1].strip() if len(columns) == 3 else ""
    return check_id(location, columns[0].strip()), title, columns[-1].strip()


def _language(path: Path) -> str:
    match = _NAME.match(path.name)
    code = match.group(1) if match else ""
    return check_language(Location(path), "en" if code == "simple" else code)


def write_documents(path: Path, documents: Iterable[Document]) -> int:
    """Write the documents and return their number; tabs and line breaks become spaces."""
    return _write(
        path, ((document.doc_id, document.title, document.text) for document in documents)
    )


def write_queries(path: Path, queries: Iterable[Query]) -> int:
    """Write the queries, with the title from their metadata, and return their number."""
    rows = ((query.query_id, str(query.metadata.get("title", "")), query.text) for query in queries)
    return _write(path, rows)


def write_judgments(path: Path, judgments: Judgments) -> int:
    """Write the judgments, sorted by their ids, and return their number."""
    return _write(
        path,
        (
            (query_id, doc_id, str(grade))
            for query_id, grades in sorted(judgments.items())
            for doc_id, grade in sorted(grades.items())
        ),
    )


def _write(path: Path, rows: Iterable[tuple[str, str, str]]) -> int:
    count = 0
    with write_lines(path) as stream:
        for count, row in enumerate(rows, start=1):
            check_id(Location(path, count), row[0])
            stream.write("\t".join(map(one_line, row)) + "\n")
    return count
