"""An index behind a service, for programs that do something else while they wait."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from itertools import count, islice
from typing import Any, Self, TypeVar

import httpx

from dragoman.errors import ServiceError
from dragoman.indexes.arguments import checked_documents, text_list
from dragoman.indexes.search.answer import Answer
from dragoman.indexes.search.explanation_view import ExplanationView
from dragoman.indexes.search.listing import DocumentEntry
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.snippets import SNIPPET
from dragoman.ranking.balance import Balance
from dragoman.service.clients import operations
from dragoman.service.clients.address import parse_address
from dragoman.service.clients.calls import Call, Operation
from dragoman.service.clients.exchange import LARGEST_ANSWER, Exchange, Reply, resume
from dragoman.service.clients.remote_index import AT_ONCE, SECONDS, remote_scope
from dragoman.service.clients.retries import Retries
from dragoman.types import Document, Explanation, Query, Ranking

T = TypeVar("T")


class AsyncRemoteIndex:
    """An index of a service; many tasks may use it at the same time."""

    def __init__(
        self,
        url: str,
        key: str = "",
        *,
        index: str = "",
        texts: bool = True,
        seconds: float = SECONDS,
        retries: Retries | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.address = parse_address(url, index)
        self.texts = texts  # whether results have the texts of their documents
        self._exchange = Exchange(self.address, key.strip(), seconds, retries or Retries())
        self._client = httpx.AsyncClient(transport=transport, **self._exchange.options)
        self._sleep = sleep

    def __repr__(self) -> str:
        return f"AsyncRemoteIndex({str(self.address)!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def search(
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
        return await self._run(
            operations.search(
                text,
                k,
                language=language,
                scope=remote_scope(within, where, balance),
                rerank=rerank,
                group=group,
                snippet_length=snippet_length,
                texts=self.texts,
            )
        )

    async def rank_all(
        self,
        queries: Iterable[Query],
        k: int,
        *,
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = Balance.CALIBRATED,
        rerank: Rerank | str | None = None,
    ) -> AsyncIterator[Ranking]:
        """A ranking for each query, several queries in one call."""
        scope, left = remote_scope(within, where, balance), iter(queries)
        while some := [*islice(left, AT_ONCE)]:
            for ranking in await self._run(operations.rank(some, k, scope=scope, rerank=rerank)):
                yield ranking

    async def explain(self, text: str, doc_id: str, *, language: str = "") -> Explanation:
        """The term matches of a query and a document."""
        return (await self.view_explanation(text, doc_id, language=language)).explanation

    async def view_explanation(
        self, text: str, doc_id: str, *, language: str = ""
    ) -> ExplanationView:
        """The explanation with the best passage, glossed in the query's language."""
        return await self._run(operations.explain(text, doc_id, language))

    async def get(self, doc_id: str) -> Document:
        """The document with an id; an unknown id is an error."""
        return await self._run(operations.get(doc_id))

    async def entries(
        self,
        *,
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        sort: str = "id",
    ) -> AsyncIterator[DocumentEntry]:
        """The documents of a filter, without their texts, by id or by a field of their metadata."""
        scope, cursor = remote_scope(within, where, Balance.CALIBRATED), ""
        while True:
            some, cursor = await self._run(operations.entries(scope, sort, cursor))
            for entry in some:
                yield entry
            if not cursor:
                return

    async def stats(self) -> Mapping[str, Any]:
        """What the index holds now and how it was built."""
        return await self._run(operations.stats())

    async def count(self) -> int:
        """The number of documents."""
        return int((await self.stats())["documents"])

    async def add(self, documents: Iterable[Document]) -> int:
        """Add documents, or replace those with the same id; they are then in the index."""
        number = 0
        for portion in operations.portions(checked_documents(documents)):
            await self._run(operations.add(portion))
            number += len(portion)
        return number

    async def delete(self, doc_ids: Collection[str]) -> int:
        """Delete documents; returns how many of them existed."""
        return await self._run(operations.delete(text_list("doc_ids", doc_ids)))

    async def call(self, call: Call) -> Any:  # noqa: ANN401 - JSON
        """The JSON that the service answers with; it is tried again where it is busy."""
        request = self._exchange.request(call)
        if call.after:
            await self._sleep(call.after)
        for attempt in count(1):
            outcome: Reply | httpx.TransportError
            try:
                outcome = await self._send(request)
            except httpx.TransportError as error:
                outcome = error
            wait = self._exchange.wait_after(attempt, outcome)
            if wait is None:
                return self._exchange.result(outcome, attempt)
            await self._sleep(wait)
        raise AssertionError("attempts are counted without end")

    async def _run(self, steps: Operation[T]) -> T:
        call, result = resume(steps, self._exchange)
        while call is not None:
            try:
                fields = await self.call(call)
            except ServiceError as error:
                call, result = resume(steps, self._exchange, error=error)
            else:
                call, result = resume(steps, self._exchange, fields)
        return result  # type: ignore[return-value]  # an operation that has ended has a result

    async def _send(self, request: Mapping[str, Any]) -> Reply:
        async with self._client.stream(**request) as response:
            content = bytearray()
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > LARGEST_ANSWER:
                    raise self._exchange.too_large()
            return Reply(response.status_code, response.headers, bytes(content))
