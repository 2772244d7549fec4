"""Ranks documents by the smooth cosine of a trained model.

Vectors are scaled by 1 / (norm + epsilon), so that the smooth cosine is an inner product.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Self

from dragoman.indexes.search.vector_search import VectorSearch
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.settings import parse_settings
from dragoman.systems.smooth.explanation import explain
from dragoman.systems.smooth.model import SmoothModel
from dragoman.training.trained_system import TrainedSystem
from dragoman.types import Document, Explanation, FloatArray, Query, Text

ADVICE = "Train a model: dragoman train smooth COLLECTION -o MODEL."
CACHED_QUERIES = 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class SmoothSystemConfig:
    """The trained model."""

    model: Path


class SmoothSystem(TrainedSystem[SmoothModel], VectorSearch):
    """A trained model; an index stores one vector per document."""

    name: ClassVar[str] = "smooth"
    space: ClassVar[str] = "smooth"

    def __init__(self, model: SmoothModel) -> None:
        super().__init__(model)
        self._vector = lru_cache(CACHED_QUERIES)(lambda text: model.query_vectors([text])[0])

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SmoothSystemConfig:
        """The configuration that ``settings`` describe."""
        return parse_settings(SmoothSystemConfig, settings, advice=ADVICE)

    @classmethod
    def create(cls, config: SmoothSystemConfig) -> Self:
        """The system with the configured model."""
        return cls(cls.load_model(config.model))

    @classmethod
    def load_model(cls, folder: Path) -> SmoothModel:
        """The model that was saved in ``folder``."""
        return SmoothModel.load(folder)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space with a row per document."""
        return (Space(self.space, SpaceKind.ROWS, self.model.dimension),)

    @property
    def languages(self) -> Collection[str]:
        """The languages of queries."""
        return self.model.query_words.languages

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """A warning for each language without training documents and training queries."""
        known = self.model.document_words.languages
        return [
            f"the model was trained on documents in {', '.join(sorted(known))}; it does not know"
            f" {language or 'texts without a language'}, and these documents are not found"
            for language in languages
            if language not in known | self.model.query_words.languages
        ]

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """One vector per document; none for a document without a known word."""
        rows = self.model.document_vectors(document.content for document in documents)
        return [{self.space: row} if row.any() else {} for row in rows]

    def query_vector(self, text: Text) -> FloatArray:
        """The vector of a query; zero if it has no known word."""
        vector: FloatArray = self._vector(text)
        return vector

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The nearest document word of each query word."""
        del snapshot
        return explain(self.model, query, document)
