"""An index behind a service, used as one in a folder is."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count, islice
from typing import Any, Self, TypeVar

import httpx

from dragoman.errors import ServiceError
from dragoman.indexes.arguments import checked_documents, one_of, text_list
from dragoman.indexes.filters import parse_filter
from dragoman.indexes.search.answer import Answer
from dragoman.indexes.search.explanation_view import ExplanationView
from dragoman.indexes.search.listing import DocumentEntry
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.search.snippets import SNIPPET
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.service.clients import operations
from dragoman.service.clients.address import parse_address
from dragoman.service.clients.calls import Call, Operation
from dragoman.service.clients.exchange import LARGEST_ANSWER, Exchange, Reply, resume
from dragoman.service.clients.retries import Retries
from dragoman.text.languages import canonical
from dragoman.types import Document, Explanation, Query, Ranking

T = TypeVar("T")

SECONDS = 60.0  # for one answer
AT_ONCE = 8  # queries of a run in one call: a worker of the service is busy with them meanwhile


class RemoteIndex:
    """An index of a service; several threads may use it.

    Whatever the service refuses is a ``ServiceError`` with its words. A busy service and broken
    connections are tried again; all calls, writes by id included, can be repeated safely.
    """

    def __init__(
        self,
        url: str,
        key: str = "",
        *,
        index: str = "",
        texts: bool = True,
        seconds: float = SECONDS,
        retries: Retries | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.address = parse_address(url, index)
        self.texts = texts  # whether results have the texts of their documents
        self._exchange = Exchange(self.address, key.strip(), seconds, retries or Retries())
        self._client = httpx.Client(transport=transport, **self._exchange.options)
        self._sleep = sleep

    def __repr__(self) -> str:
        return f"RemoteIndex({str(self.address)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def search(
        self,
        text: str,
        k: int = 10,
        *,
        language: str = "",
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = Balance.CALIBRATED,
        rerank: Rerank | str | None = None,
        group: bool = True,
        snippet_length: int = SNIPPET,
    ) -> Answer:
        """The ``k`` best documents for ``text``, as ``Index.search`` gives them."""
        return self._run(
            operations.search(
                text,
                k,
                language=language,
                scope=self.scope(within, where, balance),
                rerank=rerank,
                group=group,
                snippet_length=snippet_length,
                texts=self.texts,
            )
        )

    def scope(
        self,
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = Balance.CALIBRATED,
    ) -> Scope:
        """The scope of a search; the service checks languages and fields when it searches."""
        return remote_scope(within, where, balance)

    def rank_all(
        self,
        queries: Iterable[Query],
        k: int,
        scope: Scope | None = None,
        advance: Advance = no_progress,
        rerank: Rerank | str | None = None,
    ) -> Iterator[Ranking]:
        """A ranking for each query, several queries in one call."""
        left = iter(queries)
        while some := [*islice(left, AT_ONCE)]:
            asking = operations.rank(some, k, scope=scope or self.scope(), rerank=rerank)
            for ranking in self._run(asking):
                yield ranking
                advance()

    def explain(self, text: str, doc_id: str, *, language: str = "") -> Explanation:
        """The term matches of a query and a document."""
        return self.view_explanation(text, doc_id, language=language).explanation

    def view_explanation(self, text: str, doc_id: str, *, language: str = "") -> ExplanationView:
        """The explanation with the best passage, glossed in the query's language."""
        return self._run(operations.explain(text, doc_id, language))

    def get(self, doc_id: str) -> Document:
        """The document with an id; an unknown id is an error."""
        return self._run(operations.get(doc_id))

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of ``doc_ids``; None where one does not exist."""
        return self._run(operations.documents(text_list("doc_ids", doc_ids)))

    def entries(self, scope: Scope | None = None, sort: str = "id") -> Iterator[DocumentEntry]:
        """The documents of a scope, without their texts, by id or by a field of their metadata."""
        cursor = ""
        while True:
            asking = operations.entries(scope or self.scope(), sort, cursor)
            some, cursor = self._run(asking)
            yield from some
            if not cursor:
                return

    @property
    def stats(self) -> Mapping[str, Any]:
        """What the index holds now and how it was built."""
        return self._run(operations.stats())

    @cached_property
    def system_name(self) -> str:
        """The name of the index's system."""
        return str(self.stats["system"])

    @property
    def languages(self) -> Mapping[str, int]:
        """The number of documents by language."""
        languages: Mapping[str, int] = self.stats["languages"]
        return languages

    def count(self) -> int:
        """The number of documents."""
        return int(self.stats["documents"])

    def add(self, documents: Iterable[Document], advance: Advance = no_progress) -> int:
        """Add documents, or replace those with the same id; returns how many were added.

        Each is in the index of the service when ``advance`` is called for it.
        """
        number = 0
        for portion in operations.portions(checked_documents(documents)):
            self._run(operations.add(portion))
            number += len(portion)
            for _ in portion:
                advance()
        return number

    def delete(self, doc_ids: Collection[str]) -> int:
        """Delete documents; returns how many of them existed."""
        return self._run(operations.delete(text_list("doc_ids", doc_ids)))

    def _run(self, steps: Operation[T]) -> T:
        call, result = resume(steps, self._exchange)
        while call is not None:
            try:
                fields = self._answer(call)
            except ServiceError as error:
                call, result = resume(steps, self._exchange, error=error)
            else:
                call, result = resume(steps, self._exchange, fields)
        return result  # type: ignore[return-value]  # an operation that has ended has a result

    def _answer(self, call: Call) -> Any:  # noqa: ANN401 - JSON
        request = self._exchange.request(call)
        if call.after:
            self._sleep(call.after)
        for attempt in count(1):
            outcome: Reply | httpx.TransportError
            try:
                outcome = self._send(request)
            except httpx.TransportError as error:
                outcome = error
            wait = self._exchange.wait_after(attempt, outcome)
            if wait is None:
                return self._exchange.result(outcome, attempt)
            self._sleep(wait)
        raise AssertionError("attempts are counted without end")

    def _send(self, request: Mapping[str, Any]) -> Reply:
        with self._client.stream(**request) as response:
            content = bytearray()
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > LARGEST_ANSWER:
                    raise self._exchange.too_large()
            return Reply(response.status_code, response.headers, bytes(content))


def remote_scope(
    within: Collection[str] | None, where: Iterable[str], balance: Balance | str
) -> Scope:
    """The scope of a search whose languages and fields the service checks."""
    listed = text_list("within", within) if within is not None else []
    chosen = parse_filter([*map(canonical, listed)], text_list("where", where))
    return Scope(chosen, one_of("balance", balance, Balance))
