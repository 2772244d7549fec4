"""What a search gives back: hits with their documents and the passages that met the query."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dragoman.indexes.search.sections import FileSection, section_at
from dragoman.indexes.search.snippets import Snippet
from dragoman.text.language_detection import Detection
from dragoman.types import Document, Hit, Link, Query, Ranking


class MatchQuality(StrEnum):
    """How well a hit matches its query, judged apart from the other hits."""

    GOOD = "good"
    FAIR = "fair"
    WEAK = "weak"


def verdict_of(matches: Sequence[MatchQuality | None]) -> MatchQuality | None:
    """How well the best hit matches; good where it is weak and a later one is good."""
    best, *others = matches
    is_below = best is MatchQuality.WEAK and MatchQuality.GOOD in others
    return MatchQuality.GOOD if is_below else best


class Relation(StrEnum):
    """What a member of a group is to its first document."""

    COPY = "copy"
    TRANSLATION = "translation"


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A copy or translation of a hit, which would have been a hit itself."""

    doc_id: str
    score: float
    language: str
    title: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Group:
    """A hit, and those below it that say the same, best first."""

    hit: Hit
    members: tuple[GroupMember, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """A hit, its document, the document's words that were met, and the passage worth showing.

    ``members`` are copies and translations of the document, where hits are grouped. ``match`` is
    None for a system whose scores have not been calibrated.
    """

    hit: Hit
    document: Document
    words: tuple[str, ...]
    snippet: Snippet
    links: tuple[Link, ...] = ()  # of the query's words and ``words``, strongest first
    members: tuple[GroupMember, ...] = ()
    match: MatchQuality | None = None

    @property
    def section(self) -> FileSection:
        """The page and the heading of the first met word, where the document is from a file."""
        return section_at(self.document.metadata, self.snippet.met)


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
    def verdict(self) -> MatchQuality | None:
        """Whether anything good was found; None without hits, or where no match is known."""
        return verdict_of([result.match for result in self.results]) if self.results else None

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
