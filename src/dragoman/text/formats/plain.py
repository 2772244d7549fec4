"""The plain format, read and written: corpus.jsonl, queries.jsonl, qrels.tsv, also .gz or .zst.

Documents: ``{"_id", "text", "title", "lang", ...}``; queries: ``{"_id", "text", "lang", ...}``;
qrels: tab-separated with the header ``query-id corpus-id score``. Other keys of an object are its
metadata; metadata with the name of a field is nested under ``_metadata``. The fields are BEIR's
(Thakur et al. 2021), so that BEIR's files can be read too. Where an object has no ``_id`` or no
``text``, the other names that tables accept for them are read: ``id``, ``qid``, ``query`` ...
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dragoman.storage.staging import write_lines
from dragoman.text.files import Faults, read_lines
from dragoman.text.formats.tables import DOCUMENT_COLUMNS, QUERY_COLUMNS
from dragoman.text.judgments import Judgment
from dragoman.text.records import (
    Location,
    check_id,
    check_language,
    check_query_text,
    filled,
    optional_text,
    parse_int,
    parse_lines,
    parse_object,
    parse_rows,
    required_text,
    show,
)
from dragoman.types import Document, Judgments, Query

QRELS_HEADER = ("query-id", "corpus-id", "score")
_DOCUMENT_FIELDS = {"_id", "text", "title", "lang"}
_QUERY_FIELDS = {"_id", "text", "lang"}
_NESTED = "_metadata"  # the object for metadata whose names are those of fields, or this one


def read_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The documents of a corpus file, in order."""
    return parse_lines(path, faults, _parse_document, identify=lambda document: document.doc_id)


def _parse_document(location: Location, line: str) -> Document:
    record = _with_usual_names(parse_object(location, line), DOCUMENT_COLUMNS)
    return Document(
        doc_id=check_id(location, required_text(location, record, "_id")),
        text=required_text(location, record, "text"),
        title=optional_text(location, record, "title"),
        language=check_language(location, optional_text(location, record, "lang")),
        metadata=_parse_metadata(record, _DOCUMENT_FIELDS),
    )


def read_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The queries of a queries file, in order."""
    return parse_lines(path, faults, _parse_query, identify=lambda query: query.query_id)


def _parse_query(location: Location, line: str) -> Query:
    record = _with_usual_names(parse_object(location, line), QUERY_COLUMNS)
    return Query(
        query_id=check_id(location, required_text(location, record, "_id")),
        text=check_query_text(location, required_text(location, record, "text")),
        language=check_language(location, optional_text(location, record, "lang")),
        metadata=_parse_metadata(record, _QUERY_FIELDS),
    )


def _with_usual_names(
    record: dict[str, Any], columns: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """``record`` with its id as ``_id`` and its text as ``text``, if it has one of their names."""
    for field, column in (("_id", "id"), ("text", "text")):
        if field not in record:
            others = [name for name in columns[column] if name in record]
            if len(others) == 1:
                record = {field: record[others[0]], **record}
                del record[others[0]]
    return record


def _parse_metadata(record: Mapping[str, Any], fields: set[str]) -> dict[str, Any]:
    """The keys that are no fields, with nested ones; another ``_metadata`` is plain metadata."""
    metadata = {key: value for key, value in record.items() if key not in fields}
    nested = metadata.get(_NESTED)
    if isinstance(nested, dict) and nested and nested.keys() <= fields | {_NESTED}:
        del metadata[_NESTED]
        metadata |= nested
    return metadata


def read_judgments(path: Path, faults: Faults) -> Iterator[Judgment]:
    """The rows of a qrels file; the header is required."""
    lines = filled(read_lines(path, faults))
    number, header = next(lines, (1, ""))
    if tuple(header.split("\t")) != QRELS_HEADER:
        raise Location(path, number).fault(
            found=f"the header {show(header)}",
            expected=f"the columns {', '.join(QRELS_HEADER)}, separated by tabs",
            advice="Qrels without a header are read as the format trec.",
        )
    return parse_rows(path, faults, lines, _parse_judgment)


def _parse_judgment(location: Location, line: str) -> Judgment:
    columns = line.split("\t")
    if len(columns) != len(QRELS_HEADER):
        raise location.fault(
            found=f"{len(columns)} columns", expected="3: query, document and score"
        )
    query_id, doc_id, score = columns
    return Judgment(
        check_id(location, query_id),
        check_id(location, doc_id),
        parse_int(location, score.strip(), "score"),
        location,
    )


def write_documents(path: Path, documents: Iterable[Document]) -> int:
    """Write the documents and return their number."""
    return _write(path, document_lines(path, documents))


def document_lines(path: Path, documents: Iterable[Document]) -> Iterator[str]:
    """The lines of a corpus file, with line breaks; errors name ``path``."""
    return _object_lines(path, map(_document_fields, documents))


def _document_fields(document: Document) -> dict[str, Any]:
    return {
        "_id": document.doc_id,
        **_unless_empty("title", document.title),
        "text": document.text,
        **_unless_empty("lang", document.language),
        **_metadata_fields(document.metadata, _DOCUMENT_FIELDS),
    }


def write_queries(path: Path, queries: Iterable[Query]) -> int:
    """Write the queries and return their number."""
    return _write(path, _object_lines(path, map(_query_fields, queries)))


def _query_fields(query: Query) -> dict[str, Any]:
    return {
        "_id": query.query_id,
        "text": query.text,
        **_unless_empty("lang", query.language),
        **_metadata_fields(query.metadata, _QUERY_FIELDS),
    }


def write_judgments(path: Path, judgments: Judgments) -> int:
    """Write the judgments, sorted by query and document id, and return their number."""
    count = 0
    with write_lines(path) as stream:
        stream.write("\t".join(QRELS_HEADER) + "\n")
        for query_id, grades in sorted(judgments.items()):
            for doc_id, grade in sorted(grades.items()):
                count += 1
                location = Location(path, count + 1)
                columns = (check_id(location, query_id), check_id(location, doc_id), str(grade))
                stream.write("\t".join(columns) + "\n")
    return count


def _write(path: Path, lines: Iterable[str]) -> int:
    count = 0
    with write_lines(path) as stream:
        for line in lines:
            stream.write(line)
            count += 1
    return count


def _object_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for number, record in enumerate(records, start=1):
        record_id = check_id(Location(path, number), record["_id"])
        try:
            line = json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
            line.encode()
        except ValueError as error:  # half of a surrogate pair, NaN, an infinite number
            raise Location(path, number).fault(
                found=f"{show(record_id)} with a value that cannot be written ({error})",
                expected="what JSON and UTF-8 can hold",
            ) from error
        yield line


def _unless_empty(field: str, value: str) -> dict[str, str]:
    return {field: value} if value else {}


def _metadata_fields(metadata: Mapping[str, Any], fields: set[str]) -> dict[str, Any]:
    taken = fields | {_NESTED}
    nested = {key: value for key, value in metadata.items() if key in taken}
    own = {key: value for key, value in metadata.items() if key not in taken}
    return {**own, _NESTED: nested} if nested else own
