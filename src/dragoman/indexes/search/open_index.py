"""What every index can do, whether a folder or a service is behind it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, Self

from dragoman.indexes.search.answer import Answer
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.protocols import Advance
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Explanation, Query, Ranking


class OpenIndex(Protocol):
    """An index as ``dragoman.open`` and ``dragoman.connect`` give it."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    def close(self) -> None:
        """Give back files or connections."""
        ...

    @property
    def languages(self) -> Mapping[str, int]:
        """The number of documents by language."""
        ...

    def count(self) -> int:
        """The number of documents."""
        ...

    def search(
        self,
        text: str,
        k: int = 10,
        *,
        language: str = "",
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = ...,
        rerank: Rerank | str | None = None,
        group: bool = True,
        snippet_length: int = ...,
    ) -> Answer:
        """The ``k`` best documents for ``text``."""
        ...

    def scope(
        self,
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = ...,
    ) -> Scope:
        """The scope of ``rank_all``."""
        ...

    def rank_all(
        self,
        queries: Iterable[Query],
        k: int,
        scope: Scope | None = None,
        advance: Advance = ...,
        rerank: Rerank | str | None = None,
    ) -> Iterator[Ranking]:
        """A ranking for each query."""
        ...

    def explain(self, text: str, doc_id: str, *, language: str = "") -> Explanation:
        """The term matches of a query and a document."""
        ...

    def get(self, doc_id: str) -> Document:
        """The document with an id; an unknown id is an error."""
        ...

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of ``doc_ids``; None where one does not exist."""
        ...

    def add(self, documents: Iterable[Document], advance: Advance = ...) -> int:
        """Add documents, or replace those with the same id; returns how many were added."""
        ...

    def delete(self, doc_ids: Collection[str]) -> int:
        """Delete documents; returns how many of them existed."""
        ...
