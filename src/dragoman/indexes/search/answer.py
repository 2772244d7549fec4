"""What a search gives back: hits with their documents and the passages that met the query."""

from dataclasses import dataclass
from typing import Any

from dragoman.indexes.search.sections import FileSection, section_at
from dragoman.indexes.search.snippets import Snippet
from dragoman.text.language_detection import Detection
from dragoman.types import Document, Hit, Link, Query, Ranking


@dataclass(frozen=True, slots=True)
class Result:
    """A hit, its document, the document's words that were met, and the passage worth showing."""

    hit: Hit
    document: Document
    words: tuple[str, ...]
    snippet: Snippet
    links: tuple[Link, ...] = ()  # of the query's words and ``words``, strongest first

    @property
    def section(self) -> FileSection:
        """The page and the heading of the snippet, where the document is from a file."""
        return section_at(self.document.metadata, self.snippet.start)


@dataclass(frozen=True, slots=True)
class Answer:
    """Results, best first.

    ``warnings`` limit the trust in them: no encoder reads the language of the query, for example.
    """

    query: Query
    results: tuple[Result, ...]
    detection: Detection | None  # None where the query's language was declared
    warnings: tuple[str, ...] = ()

    @property
    def ranking(self) -> Ranking:
        """The hits alone."""
        return Ranking(self.query.query_id, tuple(result.hit for result in self.results))

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents alone."""
        return tuple(result.document for result in self.results)


def shown_metadata(document: Document) -> dict[str, Any]:
    """The metadata of a document without what is only for the index."""
    return {key: value for key, value in document.metadata.items() if not key.startswith("_")}
