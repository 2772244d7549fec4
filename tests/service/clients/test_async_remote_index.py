"""The client that does not block gives what the other one gives."""

import asyncio

import httpx
import pytest

import dragoman
from dragoman.errors import ServiceError
from remote import awaiting, forwarded, remote
from small_index import QUERIES
from small_service import small_service


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with small_service(tmp_path_factory.mktemp("async")) as opened:
        yield opened


def test_every_reading_method_gives_the_same(client):
    async def work(index):
        return [
            await index.search("rises moon", k=2, within=["en"]),
            [one async for one in index.rank_all(QUERIES, 3, where=["year>=2000"])],
            await index.explain("moon", "tide"),
            await index.get("brot"),
            [one async for one in index.entries(within=["de"], sort="-id")],
            await index.count(),
        ]

    with remote(client) as index:
        de = index.scope(["de"])
        expected = [
            index.search("rises moon", k=2, within=["en"]),
            [*index.rank_all(QUERIES, 3, index.scope(where=["year>=2000"]))],
            index.explain("moon", "tide"),
            index.get("brot"),
            [*index.entries(de, "-id")],
            index.count(),
        ]
    assert awaiting(forwarded(client), work) == expected


def test_writes_are_by_id_and_repeated_when_the_connection_breaks():
    seen = []

    def answer(request):
        seen.append((request.method, request.url.path))
        if len(seen) == 1:
            raise httpx.RemoteProtocolError("broken")
        if request.method == "DELETE":
            return httpx.Response(404, json={"detail": "none", "code": "unknown_document"})
        return httpx.Response(200, json={})

    async def work(index):
        return await index.add([dragoman.Document("a", "Text")]), await index.delete(["b"])

    assert awaiting(httpx.MockTransport(answer), work) == (1, 0)
    assert seen == [("PUT", "/v1/documents/a")] * 2 + [("DELETE", "/v1/documents/b")]


def test_errors_are_the_same(client):
    with pytest.raises(ServiceError, match="No document has the id 'gone'"):
        awaiting(forwarded(client), lambda index: index.get("gone"))


def test_searches_run_side_by_side(client):
    async def work(index):
        return await asyncio.gather(*(index.search("moon") for _ in range(4)))

    answers = awaiting(forwarded(client), work)
    assert answers == [remote(client).search("moon")] * 4


def test_connecting_contacts_no_one():
    index = dragoman.connect_async("http://127.0.0.1:1", "dgm_x", index="letters")
    assert repr(index) == "AsyncRemoteIndex('http://127.0.0.1:1/v1/indexes/letters')"
    asyncio.run(index.close())
