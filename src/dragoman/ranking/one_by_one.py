"""Many queries -> a ranking each, for systems that gain nothing from taking them together."""

from collections.abc import Collection, Sequence
from typing import Protocol

from dragoman.types import Query, Ranking


class OneByOne(Protocol):
    """A searcher whose queries do not share work."""

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` best documents, restricted to ``languages`` where given."""
        ...

    def search_many(
        self, queries: Sequence[Query], k: int, languages: Collection[str] | None = None
    ) -> list[Ranking]:
        """``search`` for every query."""
        return [self.search(query, k, languages) for query in queries]
