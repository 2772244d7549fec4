"""What residents of a single space share whose documents say nothing about each other."""

from collections.abc import Iterable, Mapping
from typing import Protocol, Self

from dragoman.indexes.filters import Filter
from dragoman.indexes.scope import Scope
from dragoman.indexes.spaces import Record
from dragoman.indexes.store import Store
from dragoman.types import FloatArray, Hit, Query, Ranking, Text


class OneSpace(Protocol):
    """A resident that asks one vector of one space; nothing is counted."""

    space: str

    def question(self, text: Text) -> FloatArray:
        """The vector of a question; zero where it says nothing."""
        ...

    def emptied(self) -> Self:
        """Itself: there is nothing to count."""
        return self

    def observe(self, records: Iterable[Record]) -> None:
        """Nothing depends on other documents."""

    def recount(self, records: Iterable[Record]) -> None:
        """Nothing depends on other documents."""

    def forget(self, records: Iterable[Record]) -> None:
        """Nothing depends on other documents."""

    def search(self, store: Store, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` documents with the highest scores; equal scores by id."""
        hits = scope.hits(lambda n, allowed: self.nearest(store, query, n, allowed), k)
        return Ranking(query.query_id, tuple(hits))

    def nearest(self, store: Store, query: Query, k: int, allowed: Filter) -> list[Hit]:
        """The ``k`` best of the allowed documents."""
        vector = self.question(query.content)
        return store.nearest(self.space, vector, k, allowed) if vector.any() else []

    def scores(self, store: Store, query: Query, documents: Mapping[str, str]) -> dict[str, float]:
        """The score of each document; none where it has no vector."""
        vector = self.question(query.content)
        return store.scores(self.space, vector, documents) if vector.any() else {}
