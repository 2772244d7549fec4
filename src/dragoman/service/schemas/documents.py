"""Documents, their lists and explanations as the API answers them."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from dragoman.service.config import (
    LONGEST_ID,
    LONGEST_LIST_CURSOR,
    LONGEST_PIECE,
    MOST_CONDITIONS,
    MOST_PER_PAGE,
    QUERY_LENGTH,
)
from dragoman.service.schemas.search import HitAnswer, LinkAnswer, PartAnswer, Short


class ListedDocument(BaseModel):
    """A document without its text."""

    id: str
    language: str
    language_name: str
    title: str
    letters: int
    metadata: dict[str, Any]


class DocumentList(BaseModel):
    """Some documents of an index, and the cursor of those after them."""

    documents: list[ListedDocument]
    total: int = Field(description="How many documents the filter selects.")
    next: str | None


class DocumentAnswer(BaseModel):
    """One document; ``text`` holds the letters from ``start`` to ``end``."""

    id: str
    language: str
    language_name: str
    title: str
    text: str
    letters: int = Field(description="The length of the whole text.")
    start: int
    end: int
    marks: list[tuple[int, int]] = Field(
        description="Where `text` holds words that match the query, in characters."
    )
    metadata: dict[str, Any]


class ListParameters(BaseModel):
    """Which documents are listed, and in which order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cursor: str = Field(
        "",
        max_length=LONGEST_LIST_CURSOR,
        description="`next` of the answer before, with the same filter.",
    )
    limit: int = Field(50, ge=1, le=200)
    languages: Short = Field("", description="Only documents in these languages, as in `de,fr`.")
    where: list[Short] = Field(default=[], max_length=MOST_CONDITIONS)
    sort: Short = Field("id", description="A field; `-FIELD` turns the order round.")


class DocumentParameters(BaseModel):
    """Which part of a document is wanted, and the words to mark in it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: str = Field("", max_length=QUERY_LENGTH, description="Marks the words that match it.")
    language: Short = Field("", description="The query's language; detected where not given.")
    start: int = Field(0, ge=0, le=10**12)
    length: int = Field(100_000, ge=1, le=LONGEST_PIECE)


class SimilarParameters(BaseModel):
    """How many similar documents are wanted, and in which languages."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    k: int = Field(10, ge=1, le=MOST_PER_PAGE)
    languages: Short = Field("", description="Only documents in these languages, as in `de,fr`.")


class SimilarAnswer(BaseModel):
    """The documents most like one of them, best first."""

    id: str
    hits: list[HitAnswer]
    warnings: list[str]


class ExplainParameters(BaseModel):
    """The query and the document to explain."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: str = Field(min_length=1, max_length=QUERY_LENGTH, examples=["why does bread rise"])
    id: str = Field(max_length=LONGEST_ID, description="The id of a document.")
    language: Short = Field("", description="The query's language; detected where not given.")


class ExplainedDocument(BaseModel):
    """The document of an explanation."""

    id: str
    language: str
    language_name: str
    title: str


class GlossedWord(BaseModel):
    """A piece of the passage with its translation; the surfaces together are the passage."""

    surface: str
    gloss: str | None
    kind: str
    word: str


class PassagePiece(BaseModel):
    """A piece of a text; ``word`` is the one that links name, empty between words."""

    surface: str
    word: str


class ExplanationAnswer(BaseModel):
    """Why a document matches a query: linked words, parts of the score, the passage glossed."""

    query: str
    language: str
    language_name: str
    document: ExplainedDocument
    score: float | None = Field(description="As a search gives it; null below the first hits.")
    parts: list[PartAnswer]
    by_vectors: bool = Field(description="No word of the query matches; vectors ranked it.")
    links: list[LinkAnswer]
    passage: str
    marks: list[tuple[int, int]]
    gloss: str | None
    words: list[GlossedWord]
    warning: str | None
    matches: list[dict[str, Any]]
    reason: str = Field(description="How the query's language was found; empty where declared.")
    words_score: float = Field(description="The score by words alone.")
    pieces: list[PassagePiece] = Field(description="Together they are the passage.")
    title_pieces: list[PassagePiece]
    title_words: list[GlossedWord]
