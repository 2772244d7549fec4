"""Indexes and their documents as the API answers them."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from dragoman.service.config import LONGEST_PIECE, MOST_CONDITIONS, QUERY_LENGTH
from dragoman.service.schemas.search import Short


class IndexAnswer(BaseModel):
    """An index of the service."""

    name: str = Field(examples=["demo-index"])
    documents: int = Field(examples=[214])
    languages: dict[str, int] = Field(examples=[{"de": 12, "en": 40}])
    system: str = Field(examples=["hybrid"])
    version: str = Field(examples=["0.2.0"])


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

    cursor: Short = Field("", description="`next` of the answer before, with the same filter.")
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
