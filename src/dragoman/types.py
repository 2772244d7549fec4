"""The values that travel between the rooms: small, frozen and named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]

# query id -> document id -> grade; 0 is judged and not relevant
Judgments = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Text:
    """A text and the language it is in (canonical code; empty where unknown)."""

    body: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One item that can be found."""

    doc_id: str
    text: str
    title: str = ""
    language: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def content(self) -> Text:
        """Title and text together, as the systems read them."""
        body = f"{self.title}\n{self.text}" if self.title else self.text
        return Text(body, self.language)


@dataclass(frozen=True, slots=True)
class Query:
    """One question; ``metadata`` keeps what the collection says beside it (split, translation)."""

    query_id: str
    text: str
    language: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def content(self) -> Text:
        """The question as the systems read it."""
        return Text(self.text, self.language)


@dataclass(frozen=True, slots=True)
class ScorePart:
    """What one system of several gave a hit: its own score, and what that added to the whole."""

    system: str
    score: float
    added: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One retrieved document; a higher score is better."""

    doc_id: str
    score: float
    parts: tuple[ScorePart, ...] = ()  # filled where several systems have a say


@dataclass(frozen=True, slots=True)
class Ranking:
    """The answer to one query, best hit first; equal scores stand in the order of their ids.

    ``warnings`` say what was not done as asked, that time was too short, say.
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
    """A query word that met a document word: how likely the pair is, and its part of the score."""

    query_word: str
    document_word: str
    weight: float
    share: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a document scored as it did, strongest link first; shares sum to at most one."""

    doc_id: str
    score: float
    links: tuple[Link, ...]


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
