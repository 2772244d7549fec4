"""Hits -> results: their documents, the words that matched, and the passage worth showing."""

from collections.abc import Sequence

from dragoman.indexes.search.answer import Result
from dragoman.indexes.search.snippets import snippet
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.system import System
from dragoman.types import Document, Hit, Query


def results_of(
    system: System, snapshot: Snapshot, query: Query, hits: Sequence[Hit], snippet_length: int
) -> list[Result]:
    """The hits with their documents and snippets; a length of 0 leaves the matched words out."""
    numbers = snapshot.numbers_of([hit.doc_id for hit in hits])
    documents = snapshot.documents(numbers)
    matched = [
        matched_words(system, snapshot, query, document) if snippet_length else ()
        for document in documents
    ]
    return [
        Result(hit, document, words, snippet(document.text, words, snippet_length))
        for hit, document, words in zip(hits, documents, matched, strict=True)
    ]


def matched_words(
    system: System, snapshot: Snapshot, query: Query, document: Document
) -> tuple[str, ...]:
    """The document's words that match the query, the strongest first."""
    links = system.explain(snapshot, query, document).links
    return tuple(dict.fromkeys(link.document_word for link in links))
