"""Base of systems that score a document by the best inner product with one of its rows."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

import numpy as np

from dragoman.indexes.search.nearest import nearest
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import DocumentSet, ScoredDocuments, Snapshot
from dragoman.indexes.spaces import Bag, Counts, Vector
from dragoman.types import Document, FloatArray, Query, Ranking, Text


class VectorSearch(Protocol):
    """A system with one space of rows; what it makes of a text depends on no other document."""

    space: ClassVar[str]
    reads_texts_alone: ClassVar[bool] = True

    @abstractmethod
    def query_vector(self, text: Text) -> FloatArray:
        """The vector of a query; zero where it has no known word."""
        ...

    @abstractmethod
    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Each document's rows; none where it has no known word."""
        ...

    def offset(self, vector: FloatArray) -> float:
        """What is added to every product with a query's vector."""
        del vector
        return 0.0

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` documents with the highest products; equal scores by id."""
        vector = self.query_vector(query.content)
        if not vector.any():
            return Ranking(query.query_id, ())
        added = self.offset(vector)

        def best(most: int, selection: DocumentSet) -> ScoredDocuments:
            scored = nearest(snapshot, self.space, vector, most, selection)
            return ScoredDocuments(scored.numbers, scored.scores + np.float32(added))

        return Ranking(query.query_id, scope.rank(snapshot, best, k))

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """The score of each document, encoded now; NaN where it has no row."""
        del snapshot
        vector = self.query_vector(query.content)
        scores = np.full(len(documents), np.nan)
        for row, vectors in enumerate(self.encode(documents) if vector.any() else ()):
            rows = vectors.get(self.space)
            if rows is not None and not isinstance(rows, Counts | Bag):
                halves = np.atleast_2d(np.asarray(rows)).astype(np.float16).astype(np.float32)
                scores[row] = float((halves @ vector).max()) + self.offset(vector)
        return scores
