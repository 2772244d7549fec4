"""A document -> the documents most like it, by the index's own system."""

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from dragoman.indexes.search.answer import Answer

if TYPE_CHECKING:
    from dragoman.indexes.search.open_index import OpenIndex
    from dragoman.types import Document

LETTERS = 1000  # of the document that are the query


def similar_documents(
    index: "OpenIndex", document: "Document", k: int, within: Collection[str] | None = None
) -> Answer:
    """The ``k`` documents nearest to the beginning of a document; not itself, nor of its file."""
    text = document.content.body[:LETTERS]
    path = document.metadata.get("path")
    parts = 1 if path is None else 20  # documents of the same file that may come first
    answer = index.search(text, k + parts, language=document.language, within=within, group=False)
    others = [
        result
        for result in answer.results
        if result.hit.doc_id != document.doc_id
        and (path is None or result.document.metadata.get("path") != path)
    ]
    shown = replace(answer.query, text=document.title or document.doc_id)
    return replace(answer, query=shown, results=tuple(others[:k]))
