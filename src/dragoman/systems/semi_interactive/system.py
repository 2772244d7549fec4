"""Trained models that encode queries and documents apart: one vector each, compared by the cosine.

Documents are encoded when they are indexed, with their relevant queries if the model uses them; a
search encodes only the query.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.indexes.saved_system import read_facts
from dragoman.indexes.search.vector_search import VectorSearch
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.protocols import Advance
from dragoman.ranking.rounding import round_scores
from dragoman.systems.semi_interactive.config import RelevanceArchitecture
from dragoman.systems.semi_interactive.document_queries import (
    NONE,
    DocumentQueries,
    collect_queries,
)
from dragoman.systems.semi_interactive.explanation import explain
from dragoman.systems.semi_interactive.model import RelevanceModel
from dragoman.systems.semi_interactive.relevance_system import (
    RelevanceSystem,
    RelevanceSystemConfig,
    is_model,
)
from dragoman.training.trained_system import MODEL
from dragoman.types import Document, Explanation, FloatArray, Query, Text

CACHED_QUERIES = 1024


class VectorSystem(RelevanceSystem, VectorSearch):
    """A model with separate encoders of queries and documents."""

    space: ClassVar[str] = "relevance"

    def __init__(self, model: RelevanceModel) -> None:
        super().__init__(model)
        self._vector = lru_cache(CACHED_QUERIES)(lambda text: model.encode_queries([text])[0])

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space with a row per document."""
        return (Space(self.space, SpaceKind.ROWS, self.model.dimension),)

    def relevant(self, document: Document) -> Sequence[Query]:
        """The queries that a document is encoded with."""
        del document
        return ()

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """One vector per document; none for a document without a letter."""
        relevant = [self.relevant(document) for document in documents]
        rows = self.model.encode_documents(documents, relevant)
        return [{self.space: row} if row.any() else {} for row in rows]

    def query_vector(self, text: Text) -> FloatArray:
        """The vector of a query; zero if it has no letter."""
        vector: FloatArray = self._vector(text)
        return vector

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The nearest document word of each query word."""
        del snapshot
        relevant = self.relevant(document)
        (vector,) = self.model.encode_documents([document], [relevant])

        def scores(texts: Sequence[str]) -> FloatArray:
            queries = [Text(text, query.language) for text in texts]
            cosines: FloatArray = (self.model.encode_queries(queries) @ vector).astype(np.float64)
            return round_scores(cosines)

        return explain(self.model, query, document, relevant, scores)


class NonInteractiveSystem(VectorSystem):
    """Documents encoded alone (equations 3 and 4)."""

    name = RelevanceArchitecture.NON_INTERACTIVE.value


class SemiInteractiveSystem(VectorSystem):
    """Documents encoded with their relevant queries (equations 4 and 6)."""

    name = RelevanceArchitecture.SEMI_INTERACTIVE.value

    def __init__(
        self, model: RelevanceModel, queries: DocumentQueries | None = None, source: str = NONE
    ) -> None:
        super().__init__(model)
        self.document_queries, self.source = queries or DocumentQueries(), source

    @classmethod
    def create(cls, config: RelevanceSystemConfig) -> Self:
        """The system with the configured model, before relevant queries are collected."""
        return cls(cls.load_model(config.model), source=config.relevant_queries)

    @property
    def options(self) -> dict[str, object]:
        """The source of relevant queries."""
        return {"relevant_queries": self.source}

    def collect(self, documents: Iterable[Document], advance: Advance) -> None:
        """Collect the relevant queries of these documents."""
        stream = _counted(documents, advance)
        count = self.model.config.relevant_queries
        self.document_queries = collect_queries(stream, self.source, count)
        for _ in stream:  # the rest, if titles were not read
            pass

    def relevant(self, document: Document) -> Sequence[Query]:
        """The document's own queries, or those collected for its id."""
        return self.document_queries.for_document(document)

    def save(self, folder: Path) -> None:
        """Write the model, the options and the relevant queries: an index needs nothing else."""
        super().save(folder)
        self.document_queries.save(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote, or the folder of a trained model, without relevant queries."""
        facts = read_facts(folder, cls.name)
        if is_model(folder):
            return cls(cls.load_model(folder))
        source = str(facts.get("relevant_queries"))
        return cls(cls.load_model(folder / MODEL), DocumentQueries.load(folder), source)


def _counted(documents: Iterable[Document], advance: Advance) -> Iterator[Document]:
    for document in documents:
        advance()
        yield document
