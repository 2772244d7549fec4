"""A search and its answer."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from dragoman.indexes.search.snippets import SNIPPET
from dragoman.ranking.balance import Balance
from dragoman.service.config import (
    LONGEST_SNIPPET,
    LONGEST_VALUE,
    MOST_CONDITIONS,
    MOST_PER_PAGE,
    MOST_SEARCHES,
    QUERY_LENGTH,
)

Short = Annotated[str, StringConstraints(max_length=LONGEST_VALUE)]


class SearchParameters(BaseModel):
    """What is searched, and what the answer should hold."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: str = Field(
        min_length=1,
        max_length=QUERY_LENGTH,
        description="A sentence or a few words, in any language.",
        examples=["why does bread rise"],
    )
    k: int = Field(10, ge=1, le=MOST_PER_PAGE, description="Hits of this answer.")
    cursor: Short = Field("", description="`next` of the answer before, with the same search.")
    language: Short = Field("", description="The query's language; detected where not given.")
    languages: Short = Field(
        "", description="Only documents in these languages.", examples=["de,fr"]
    )
    where: list[Short] = Field(
        default=[],
        max_length=MOST_CONDITIONS,
        description="Conditions on metadata, all of which must hold, as in `year>=2019`.",
    )
    balance: Balance = Field(
        Balance.CALIBRATED, description="How scores of different languages are made comparable."
    )
    rerank: Short = Field(
        "", description="A system that re-ranks the best hits, one of those that are offered."
    )
    snippet_length: int = Field(
        SNIPPET, ge=0, le=LONGEST_SNIPPET, description="Characters of a snippet; 0 leaves them out."
    )
    group: bool = Field(True, description="Copies and translations under the best of them.")
    parts: bool = Field(False, description="With the parts of every score.")
    links: bool = Field(False, description="With the words of query and document that match.")
    gloss: bool = Field(False, description="With snippets word by word in the query's language.")
    texts: bool = Field(False, description="With the documents' texts, as far as there is room.")
    facets: Short = Field(
        "",
        description="Fields whose values are counted within the window.",
        examples=["language,format"],
    )


class BatchParameters(BaseModel):
    """Several searches of one index."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    searches: list[SearchParameters] = Field(min_length=1, max_length=MOST_SEARCHES)


class QueryLanguageAnswer(BaseModel):
    """The language of the query, and how it was found out."""

    code: str = Field(examples=["it"])
    name: str = Field(examples=["Italian"])
    detected: bool
    reason: str = Field(examples=["by its letters"])
    certain: bool = Field(description="False where the text alone does not decide.")
    probability: float = Field(description="Of this language, among those of the index.")


class SnippetAnswer(BaseModel):
    """A passage on one line; ``marks`` are spans of matched words in it, in characters."""

    text: str
    marks: list[tuple[int, int]]
    start: int = Field(description="Where the passage begins in the document's text.")
    end: int
    met: int = Field(description="Where its first matched word is in the document's text.")


class MemberAnswer(BaseModel):
    """A copy or translation of a hit, grouped under it."""

    id: str
    language: str
    title: str
    score: float
    relation: Literal["copy", "translation"]


class LinkAnswer(BaseModel):
    """A word of the query, the word of the document that it met, and their share of the score."""

    query_word: str
    document_word: str
    weight: float
    share: float


class PartAnswer(BaseModel):
    """One system's part of a score."""

    system: str
    score: float
    added: float


class HitAnswer(BaseModel):
    """One ranked document; a higher score is better."""

    rank: int
    id: str
    score: float
    match: Literal["good", "fair", "weak"] | None
    language: str
    language_name: str
    title: str
    snippet: SnippetAnswer | None
    file: str | None
    page: int | None
    heading: str | None
    modified: Any = None
    metadata: dict[str, Any]
    members: list[MemberAnswer]
    parts: list[PartAnswer] | None = None
    links: list[LinkAnswer] | None = None
    gloss: str | None = Field(None, description="Of the snippet; null where no table has it.")
    text: str | None = Field(None, description="Null where the answer has no room for it.")


class WindowAnswer(BaseModel):
    """How many hits the ranking has; pages and facets are taken from these."""

    hits: int
    limit: int


class FacetAnswer(BaseModel):
    """A value of a field, and how many hits of the window have it."""

    value: Any
    count: int


class SearchAnswer(BaseModel):
    """One page of a ranking."""

    query: str
    language: QueryLanguageAnswer
    hits: list[HitAnswer]
    window: WindowAnswer
    facets: dict[str, list[FacetAnswer]]
    next: str | None = Field(description="The cursor of the page after this one.")
    warnings: list[str]
    verdict: Literal["good", "fair", "weak", "none"] | None
    snapshot: str


class BatchAnswer(BaseModel):
    """The answers to several searches, in their order."""

    answers: list[SearchAnswer]
