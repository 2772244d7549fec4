"""Trained models that encode queries and documents apart: one vector each, compared by the cosine.

Documents are encoded when they are indexed, with their relevant queries where the model reads them;
a search encodes the query alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.indexes.saved_system import read_facts, write_facts
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
from dragoman.systems.semi_interactive.trained_system import (
    MODEL,
    RelevanceSystem,
    RelevanceSystemConfig,
    is_model,
)
from dragoman.types import Document, Explanation, FloatArray, Query, Text

REMEMBERED = 1024  # query vectors


class VectorSystem(RelevanceSystem, VectorSearch):
    """A model with an encoder of queries and one of documents."""

    space: ClassVar[str] = "relevance"

    def __init__(self, model: RelevanceModel) -> None:
        super().__init__(model)
        self._vector = lru_cache(REMEMBERED)(lambda text: model.encode_queries([text])[0])

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space with a row per document."""
        return (Space(self.space, SpaceKind.ROWS, self.model.dimension),)

    def relevant(self, document: Document) -> Sequence[Query]:
        """The queries that are read with a document."""
        del document
        return ()

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """A vector each; none for a document without a letter."""
        relevant = [self.relevant(document) for document in documents]
        rows = self.model.encode_documents(documents, relevant)
        return [{self.space: row} if row.any() else {} for row in rows]

    def query_vector(self, text: Text) -> FloatArray:
        """The vector of a query; zero where it has no letter."""
        vector: FloatArray = self._vector(text)
        return vector

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document."""
        del snapshot
        relevant = self.relevant(document)
        (vector,) = self.model.encode_documents([document], [relevant])

        def scores(texts: Sequence[str]) -> FloatArray:
            queries = [Text(text, query.language) for text in texts]
            cosines: FloatArray = (self.model.encode_queries(queries) @ vector).astype(np.float64)
            return round_scores(cosines)

        return explain(self.model, query, document, relevant, scores)


class NonInteractiveSystem(VectorSystem):
    """Documents encoded by themselves (equations 3 and 4)."""

    name = RelevanceArchitecture.NON_INTERACTIVE.value


class SemiInteractiveSystem(VectorSystem):
    """Documents encoded with their relevant queries (equations 4 and 6)."""

    name = RelevanceArchitecture.SEMI_INTERACTIVE.value

    def __init__(
        self, model: RelevanceModel, attached: DocumentQueries | None = None, source: str = NONE
    ) -> None:
        super().__init__(model)
        self.attached, self.source = attached or DocumentQueries(), source

    @classmethod
    def create(cls, config: RelevanceSystemConfig) -> Self:
        """The model, without relevant queries yet."""
        return cls(cls.load_model(config.model), source=config.relevant_queries)

    @property
    def settings(self) -> dict[str, object]:
        """The model, and where relevant queries come from."""
        return {**super().settings, "relevant_queries": self.source}

    def collect(self, documents: Iterable[Document], advance: Advance) -> None:
        """Attach the relevant queries of these documents."""
        stream = _counted(documents, advance)
        self.attached = collect_queries(stream, self.source, self.model.config.relevant_queries)
        for _ in stream:  # what was not read for its title
            pass

    def relevant(self, document: Document) -> Sequence[Query]:
        """The document's own queries, or those that were attached to its id."""
        return self.attached.of(document)

    def save(self, folder: Path) -> None:
        """Write the model and the relevant queries, so that the index needs nothing else."""
        super().save(folder)
        self.attached.save(folder)
        write_facts(folder, self.name, relevant_queries=self.source)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote, or a model as it was trained, without relevant queries."""
        facts = read_facts(folder, cls.name)
        if is_model(folder):
            return cls(cls.load_model(folder))
        source = str(facts.get("relevant_queries"))
        return cls(cls.load_model(folder / MODEL), DocumentQueries.load(folder), source)


def _counted(documents: Iterable[Document], advance: Advance) -> Iterator[Document]:
    for document in documents:
        advance()
        yield document
