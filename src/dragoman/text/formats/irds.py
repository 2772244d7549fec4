"""Datasets of ir_datasets (MacAvaney et al. 2021) by their ids, as ``irds:NAME``.

The library downloads missing files; it comes with the extra ``irds``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ir_datasets

from dragoman.errors import InputError, UnknownName
from dragoman.text.files import Faults
from dragoman.text.judgments import Judgment
from dragoman.text.records import Location, check_id, check_language, check_query_text
from dragoman.types import Document, Query

PREFIX = "irds:"


def read_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The documents of ``irds:NAME``; fields other than title and text become metadata."""
    dataset = _load(path, "docs")
    language = check_language(Location(path), dataset.docs_lang() or "")
    for number, item in enumerate(dataset.docs_iter(), start=1):
        location = Location(path, number)
        text = item.text if hasattr(item, "text") else item.default_text()
        title = str(getattr(item, "title", "") or "") if hasattr(item, "text") else ""
        try:
            doc_id = check_id(location, item.doc_id)
        except InputError as error:
            faults.report(error)
        else:
            yield Document(doc_id, str(text or ""), title, language, _metadata(item))


def read_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The queries of ``irds:NAME``."""
    dataset = _load(path, "queries")
    language = check_language(Location(path), dataset.queries_lang() or "")
    for number, item in enumerate(dataset.queries_iter(), start=1):
        location = Location(path, number)
        try:
            query_id = check_id(location, item.query_id)
            text = check_query_text(location, item.default_text())
        except InputError as error:
            faults.report(error)
        else:
            yield Query(query_id, text, language, _metadata(item))


def read_judgments(path: Path, faults: Faults) -> Iterator[Judgment]:
    """The judgments of ``irds:NAME``."""
    del faults  # ir_datasets parses the rows itself
    for number, row in enumerate(_load(path, "qrels").qrels_iter(), start=1):
        yield Judgment(row.query_id, row.doc_id, int(row.relevance), Location(path, number))


def _load(path: Path, part: str) -> Any:  # noqa: ANN401 - the library has no types
    name = str(path).removeprefix(PREFIX)
    try:
        dataset = ir_datasets.load(name)
    except KeyError as error:
        raise UnknownName(name, list(ir_datasets.registry), "ir_datasets id") from error
    if not dataset.has(ir_datasets.EntityType(part)):
        raise InputError(path, None, found=f"no {part}", expected=f"a dataset with {part}")
    return dataset


def _metadata(item: Any) -> dict[str, Any]:  # noqa: ANN401
    known = ("doc_id", "query_id", "text", "title")
    return {
        field: value
        for field, value in item._asdict().items()
        if field not in known and isinstance(value, str | int | float)
    }
