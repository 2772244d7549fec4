"""The values that pass between folders: small, frozen and named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]

# query id -> document id -> grade; 0 is judged and not relevant
Judgments = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its language (canonical code; empty where unknown)."""

    body: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """The unit that is indexed and retrieved."""

    doc_id: str
    text: str
    title: str = ""
    language: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def content(self) -> Text:
        """Title and text together, as systems encode them."""
        body = f"{self.title}\n{self.text}" if self.title else self.text
        return Text(body, self.language)


@dataclass(frozen=True, slots=True)
class Query:
    """One query; ``metadata`` holds further fields of the collection (split, translation)."""

    query_id: str
    text: str
    language: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def content(self) -> Text:
        """The query as systems encode it."""
        return Text(self.text, self.language)


class ScorePart(NamedTuple):
    """One system's part of a fused score: its own score, and what it adds to the hit's score.

    A tuple, because a ranking of 500 hits makes a thousand of them: a third of a dataclass's time.
    """

    system: str
    score: float
    added: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One retrieved document; a higher score is better."""

    doc_id: str
    score: float
    parts: tuple[ScorePart, ...] = ()  # where several systems are fused


@dataclass(frozen=True, slots=True)
class Ranking:
    """The hits of one query, best first, equal scores by document id.

    ``warnings`` name limits of the result, such as a re-ranking that ran out of time.
    """

    query_id: str
    hits: tuple[Hit, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentencePair:
    """One line of bitext."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Click:
    """How often a document was shown and clicked for a query."""

    query: str
    doc_id: str
    impressions: int
    clicks: int
    language: str = ""


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """A word or phrase and one of its translations."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Link:
    """A term match: a query word, a document word, their weight and their share of the score."""

    query_word: str
    document_word: str
    weight: float
    share: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The term matches behind a score, strongest first; shares sum to at most one."""

    doc_id: str
    score: float
    links: tuple[Link, ...]
    by_vectors: bool = False  # no term matches; links join the nearest word vectors


@dataclass(frozen=True, slots=True)
class Signature:
    """What must be equal for two results to be comparable."""

    collection: str
    system: str
    settings: Mapping[str, object]
    version: str

    def __str__(self) -> str:
        settings = "|".join(f"{key}:{value}" for key, value in sorted(self.settings.items()))
        return f"{self.collection}|{self.system}|{settings}|v:{self.version}"
