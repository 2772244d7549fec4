"""A trained model in a store: one vector per document, compared by the inner product."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Self

from dragoman.indexes.one_space import OneSpace
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.systems.smooth.explanation import explain
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.system import (
    MODEL,
    SearchConfig,
    document_notices,
    query_notice,
)
from dragoman.types import Document, Explanation, FloatArray, Query, Text

REMEMBERED = 1024  # question vectors kept, for fusion and for people who ask again


class ResidentSmooth(OneSpace):
    """Vectors of documents that come and go; nothing about all of them is counted."""

    space = "smooth"

    def __init__(self, model: SmoothModel) -> None:
        self._model = model
        self._question = lru_cache(REMEMBERED)(lambda text: model.query_vectors([text])[0])

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SearchConfig:
        """The configuration that plain settings name."""
        return SearchConfig.from_settings(settings)

    @classmethod
    def prepare(cls, config: SearchConfig) -> Self:
        """The model."""
        return cls(SmoothModel.load(config.model))

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One dense space."""
        return (Space(self.space, SpaceKind.DENSE, self._model.dimension),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that questions may be in."""
        return self._model.query_words.languages

    @property
    def settings(self) -> dict[str, object]:
        """The model that made the vectors."""
        return {"model": self._model.signature}

    def notices(self, languages: Iterable[str]) -> list[str]:
        """The languages that the model reads neither in documents nor in queries."""
        asked = self._model.query_words.languages
        return document_notices(self._model, [code for code in languages if code not in asked])

    def query_notice(self, query: Query) -> str | None:
        """What a person should know of queries in this language; None if nothing."""
        return query_notice(self._model, query.language)

    def vectors(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """A vector each; none for a document without a known word."""
        rows = self._model.document_vectors(document.content for document in documents)
        return [{self.space: row} if row.any() else {} for row in rows]

    def question(self, text: Text) -> FloatArray:
        """The vector of a question; zero where it has no known word."""
        found: FloatArray = self._question(text)
        return found

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document."""
        return explain(self._model, query, document)

    def save(self, folder: Path) -> None:
        """Write the model, so that the index needs nothing else."""
        self._model.save(folder / MODEL)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        return cls(SmoothModel.load(folder / MODEL))
