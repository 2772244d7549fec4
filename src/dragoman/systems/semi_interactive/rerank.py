"""An interactive model as a system: every document is encoded together with the query (eq. 1, 2).

An index stores nothing for it, so it is a second stage only: ``--rerank MODEL``.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from dragoman.errors import UserError
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Space, Vector
from dragoman.systems.semi_interactive.config import RelevanceArchitecture
from dragoman.systems.semi_interactive.explanation import explain
from dragoman.systems.semi_interactive.relevance_system import RelevanceSystem
from dragoman.systems.semi_interactive.tokenized_examples import tokenize
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text


class InteractiveSystem(RelevanceSystem):
    """A model of pairs of a query and a document."""

    name = RelevanceArchitecture.INTERACTIVE.value
    reads_texts_alone: ClassVar[bool] = True

    @property
    def spaces(self) -> tuple[Space, ...]:
        """None: a document has no representation without a query."""
        return ()

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Refused: an index of this system cannot be searched."""
        del documents
        raise self._second_stage_only()

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """Refused: every document would have to be encoded again."""
        del snapshot, query, k, scope
        raise self._second_stage_only()

    def _second_stage_only(self) -> UserError:
        return UserError(
            f"The system {self.name} encodes every document together with the query and cannot"
            " search an index. Build the index with another system and name the model as its"
            " second stage: dragoman search INDEX QUERY --rerank MODEL"
        )

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """The probability of each document; NaN if it or the query has no letter."""
        del snapshot
        builder = self.model.input_builder
        (tokens,) = tokenize(builder, [query.content])
        texts = tokenize(builder, [document.content for document in documents])
        pairs = {row: builder.pair(tokens, text) for row, text in enumerate(texts) if text}
        scores = np.full(len(documents), np.nan)
        if tokens and pairs:
            scores[list(pairs)] = self.model.probabilities(list(pairs.values()))
        return scores

    def explain(self, snapshot: Snapshot | None, query: Query, document: Document) -> Explanation:
        """The nearest document word of each query word."""
        del snapshot
        builder = self.model.input_builder
        (text,) = tokenize(builder, [document.content])

        def scores(texts: Sequence[str]) -> FloatArray:
            queries = tokenize(builder, [Text(one, query.language) for one in texts])
            return self.model.probabilities([builder.pair(one, text) for one in queries])

        return explain(self.model, query, document, (), scores)
