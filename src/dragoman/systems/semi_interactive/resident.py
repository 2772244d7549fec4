"""A trained model in a store: one vector per document, compared by the cosine.

Documents are encoded when they come, with their relevant queries where the model reads them; a
search encodes the query alone.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar, Self

from dragoman.indexes.one_space import OneSpace
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.protocols import Advance
from dragoman.systems.semi_interactive.attached import NONE, Attached, attach
from dragoman.systems.semi_interactive.config import Architecture
from dragoman.systems.semi_interactive.model import RelevanceModel
from dragoman.systems.semi_interactive.system import explain_by_vectors
from dragoman.systems.semi_interactive.trained import (
    MODEL,
    SearchConfig,
    load_kind,
    query_notice,
    search_config,
)
from dragoman.types import Document, Explanation, FloatArray, Query, Text

REMEMBERED = 1024  # question vectors kept, for fusion and for people who ask again


class ResidentVectors(OneSpace):
    """Vectors of documents that come and go; nothing about all of them is counted."""

    space = "relevance"
    name: ClassVar[str]

    def __init__(self, model: RelevanceModel, attached: Attached, source: str = NONE) -> None:
        self._model, self._attached, self._source = model, attached, source
        self._question = lru_cache(REMEMBERED)(lambda text: model.encode_queries([text])[0])

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SearchConfig:
        """The configuration that plain settings name."""
        return search_config(settings, cls.name)

    @classmethod
    def prepare(cls, config: SearchConfig) -> Self:
        """The model, without relevant queries yet."""
        return cls(load_kind(config.model, cls.name), Attached(), config.relevant_queries)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One dense space."""
        return (Space(self.space, SpaceKind.DENSE, self._model.dimension),)

    @property
    def languages(self) -> Collection[str]:
        """The languages of the queries that the model was trained on."""
        return frozenset(self._model.facts.get("languages", {}).get("queries", ()))

    @cached_property
    def _signature(self) -> str:
        return self._model.signature  # of every parameter, so read once

    @property
    def settings(self) -> dict[str, object]:
        """The model that made the vectors."""
        return {"model": self._signature}

    def notices(self, languages: Iterable[str]) -> list[str]:
        """Nothing: an encoder reads every language, well or badly, and does not say which."""
        return []

    def query_notice(self, query: Query) -> str | None:
        """What a person should know of queries in this language; None if nothing."""
        return query_notice(self._model, query.language)

    def vectors(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """A vector each; none for a document without a letter."""
        relevant = [self._attached.of(document) for document in documents]
        rows = self._model.encode_documents(documents, relevant)
        return [{self.space: row} if row.any() else {} for row in rows]

    def question(self, text: Text) -> FloatArray:
        """The vector of a question; zero where it has no letter."""
        found: FloatArray = self._question(text)
        return found

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document."""
        return explain_by_vectors(self._model, query, document, self._attached.of(document))

    def save(self, folder: Path) -> None:
        """Write the model and the relevant queries, so that the index needs nothing else."""
        self._model.save(folder / MODEL)
        self._attached.save(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        return cls(load_kind(folder / MODEL, cls.name), Attached.load(folder))


class ResidentNonInteractive(ResidentVectors):
    """Documents encoded by themselves."""

    name = Architecture.NON_INTERACTIVE.value


class ResidentSemiInteractive(ResidentVectors):
    """Documents encoded with their relevant queries."""

    name = Architecture.SEMI_INTERACTIVE.value

    def survey(self, documents: Iterable[Document], advance: Advance) -> None:
        """Attach the relevant queries of documents like these."""
        stream = _counted(documents, advance)
        self._attached = attach(stream, self._source, self._model.config.relevant_queries)
        for _ in stream:  # what was not read for its title
            pass


def _counted(documents: Iterable[Document], advance: Advance) -> Iterator[Document]:
    for document in documents:
        advance()
        yield document
