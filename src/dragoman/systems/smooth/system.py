"""Ranks documents by the smooth cosine of a trained model.

A vector over its norm plus epsilon makes the smooth cosine an inner product.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar, Self

from dragoman.indexes.saved_system import read_facts, write_facts
from dragoman.indexes.search.vector_search import VectorSearch
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.settings import parse_settings
from dragoman.systems.smooth.explanation import explain
from dragoman.systems.smooth.model import SmoothModel
from dragoman.types import Document, Explanation, FloatArray, Query, Text

MODEL = "model"
ADVICE = "Train a model: dragoman train smooth COLLECTION -o MODEL."
REMEMBERED = 1024  # query vectors


@dataclass(frozen=True, kw_only=True, slots=True)
class SmoothSystemConfig:
    """Which model reads queries and documents."""

    model: Path


class SmoothSystem(VectorSearch):
    """A trained model; the vectors that it made of documents are in the index."""

    name: ClassVar[str] = "smooth"
    space: ClassVar[str] = "smooth"

    def __init__(self, model: SmoothModel) -> None:
        self.model = model
        self._vector = lru_cache(REMEMBERED)(lambda text: model.query_vectors([text])[0])

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SmoothSystemConfig:
        """The configuration that plain settings name."""
        return parse_settings(SmoothSystemConfig, settings, advice=ADVICE)

    @classmethod
    def create(cls, config: SmoothSystemConfig) -> Self:
        """The model."""
        return cls(SmoothModel.load(config.model))

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space with a row per document."""
        return (Space(self.space, SpaceKind.ROWS, self.model.dimension),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        return self.model.query_words.languages

    @property
    def settings(self) -> dict[str, object]:
        """The model that made the vectors."""
        return {"model": self._signature}

    @cached_property
    def _signature(self) -> str:
        return self.model.signature

    def treatment(self, language: str) -> str:
        """The model, which reads all languages."""
        del language
        return self._signature

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """The languages that the model reads neither in documents nor in queries."""
        known = self.model.document_words.languages
        return [
            f"the model was trained on documents in {', '.join(sorted(known))}; it does not know"
            f" {language or 'texts without a language'}, and these documents are not found"
            for language in languages
            if language not in known | self.model.query_words.languages
        ]

    def query_warning(self, query: Query) -> str | None:
        """What to know of queries in this language; None where the model was trained on such."""
        known = self.model.query_words.languages
        if query.language in known:
            return None
        return (
            f"the model was trained on queries in {', '.join(sorted(known))}; one in"
            f" {query.language or 'an unknown language'} finds nothing"
        )

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """A vector each; none for a document without a known word."""
        rows = self.model.document_vectors(document.content for document in documents)
        return [{self.space: row} if row.any() else {} for row in rows]

    def query_vector(self, text: Text) -> FloatArray:
        """The vector of a query; zero where it has no known word."""
        vector: FloatArray = self._vector(text)
        return vector

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document."""
        del snapshot
        return explain(self.model, query, document)

    def save(self, folder: Path) -> None:
        """Write the model: an index needs nothing else."""
        self.model.save(folder / MODEL)
        write_facts(folder, self.name)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        read_facts(folder, cls.name)
        return cls(SmoothModel.load(folder / MODEL))
