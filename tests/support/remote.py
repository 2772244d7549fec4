"""Clients of a service that runs in the same process, or that a test plays itself."""

import asyncio
from collections.abc import Callable

import httpx
from starlette.testclient import TestClient

from dragoman.service.clients.async_remote_index import AsyncRemoteIndex
from dragoman.service.clients.remote_index import RemoteIndex
from dragoman.service.clients.retries import Retries

ADDRESS = "http://127.0.0.1:8080"


def forwarded(client: TestClient) -> httpx.MockTransport:
    """A transport that gives requests to a service in this process."""

    def send(request: httpx.Request) -> httpx.Response:
        reply = client.request(
            request.method,
            str(request.url),
            headers=dict(request.headers),
            content=request.read(),
        )
        return httpx.Response(reply.status_code, headers=reply.headers, content=reply.content)

    return httpx.MockTransport(send)


def remote(client: TestClient, address: str = ADDRESS, **options: object) -> RemoteIndex:
    """A client of a service in this process."""
    return RemoteIndex(address, transport=forwarded(client), **options)


def played(
    answer: Callable[[httpx.Request], httpx.Response], **options: object
) -> tuple[RemoteIndex, list[float]]:
    """A client of a service that a test plays, and the seconds that it waited."""
    waited: list[float] = []
    retries = Retries(jitter=lambda: 1.0)
    transport = httpx.MockTransport(answer)
    client = RemoteIndex(
        ADDRESS, transport=transport, sleep=waited.append, retries=retries, **options
    )
    return client, waited


def awaiting(
    transport: httpx.MockTransport, work: Callable[[AsyncRemoteIndex], object], **options: object
) -> object:
    """The result of ``work`` with a client that waits for nothing."""

    async def pause(_: float) -> None:
        return None

    async def run() -> object:
        async with AsyncRemoteIndex(ADDRESS, transport=transport, sleep=pause, **options) as index:
            return await work(index)

    return asyncio.run(run())
