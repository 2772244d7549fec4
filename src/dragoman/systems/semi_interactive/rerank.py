"""An interactive model as a system: every document is read together with the query (eq. 1, 2).

It has nothing to keep of a document in an index, so it is a second stage only: ``--rerank MODEL``.
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
from dragoman.systems.semi_interactive.tokenized_examples import tokenize
from dragoman.systems.semi_interactive.trained_system import RelevanceSystem
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text


class InteractiveSystem(RelevanceSystem):
    """A model that reads pairs of a query and a document."""

    name = RelevanceArchitecture.INTERACTIVE.value
    reads_texts_alone: ClassVar[bool] = True

    @property
    def spaces(self) -> tuple[Space, ...]:
        """None: a document is not represented without a query."""
        return ()

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Refused: an index of this system could not be searched."""
        del documents
        raise self._second_only()

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """Refused: every document would have to be read anew."""
        del snapshot, query, k, scope
        raise self._second_only()

    def _second_only(self) -> UserError:
        return UserError(
            f"The system {self.name} reads every document together with the query and cannot"
            " search an index. Build the index with another system and name the model as its"
            " second stage: dragoman search INDEX QUERY --rerank MODEL"
        )

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """The probability of each document; NaN where it or the query has no letter."""
        del snapshot
        reader = self.model.reader
        (tokens,) = tokenize(reader, [query.content])
        texts = tokenize(reader, [document.content for document in documents])
        pairs = {place: reader.pair(tokens, text) for place, text in enumerate(texts) if text}
        scores = np.full(len(documents), np.nan)
        if tokens and pairs:
            scores[list(pairs)] = self.model.probabilities(list(pairs.values()))
        return scores

    def explain(self, snapshot: Snapshot | None, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document, as the model saw them."""
        del snapshot
        reader = self.model.reader
        (text,) = tokenize(reader, [document.content])

        def scores(texts: Sequence[str]) -> FloatArray:
            queries = tokenize(reader, [Text(one, query.language) for one in texts])
            return self.model.probabilities([reader.pair(one, text) for one in queries])

        return explain(self.model, query, document, (), scores)
