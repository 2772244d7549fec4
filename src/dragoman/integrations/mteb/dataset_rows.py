"""Rows of MTEB's datasets -> documents and queries, and back.

MTEB's datasets have the columns ``id``, ``text`` and sometimes ``title``; tasks of this package add
``language``. Where that column is missing, languages are detected.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from datasets import Dataset

from dragoman.errors import UserError
from dragoman.text.languages import canonical
from dragoman.types import Document, Query

LANGUAGE = "language"


def documents_of(rows: Iterable[Mapping[str, Any]], language: str = "") -> Iterator[Document]:
    """The documents of a corpus; ``language`` is that of rows that do not name their own."""
    for row in rows:
        text = _text(row, "document")
        yield Document(str(row["id"]), text, row.get("title") or "", _language(row, language))


def queries_of(rows: Iterable[Mapping[str, Any]], language: str = "") -> Iterator[Query]:
    """The queries; an instruction is part of the text that is searched for."""
    for row in rows:
        parts = (_text(row, "query"), row.get("instruction") or "")
        yield Query(str(row["id"]), " ".join(filter(None, parts)), _language(row, language))


def corpus_dataset(documents: Iterable[Document]) -> Dataset:
    """Documents as a corpus of MTEB."""
    columns: dict[str, list[str]] = {"id": [], "title": [], "text": [], LANGUAGE: []}
    for document in documents:
        columns["id"].append(document.doc_id)
        columns["title"].append(document.title)
        columns["text"].append(document.text)
        columns[LANGUAGE].append(document.language)
    return Dataset.from_dict(columns)


def query_dataset(queries: Iterable[Query]) -> Dataset:
    """Queries as MTEB has them."""
    listed = list(queries)
    return Dataset.from_dict(
        {
            "id": [query.query_id for query in listed],
            "text": [query.text for query in listed],
            LANGUAGE: [query.language for query in listed],
        }
    )


def _text(row: Mapping[str, Any], kind: str) -> str:
    text = row.get("text", row.get("body"))
    if not isinstance(text, str):
        raise UserError(
            f"Found the {kind} {row['id']!r} without a text; expected a task whose {kind}s are"
            " texts. Conversations, images, audio and video cannot be searched."
        )
    return text


def _language(row: Mapping[str, Any], otherwise: str) -> str:
    code = row.get(LANGUAGE)
    return canonical(code) if code else otherwise
