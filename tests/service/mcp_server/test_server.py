"""The tools, called by the SDK's own client."""

import asyncio
import json

import pytest
from mcp import Client

import dragoman
from dragoman.service.mcp_server.server import create_server
from dragoman.service.mcp_server.source import open_source
from dragoman.types import Document

DOCUMENTS = [
    Document("brot", "Das Brot geht auf.\n" * 40, "Brot", "de", {"year": 2010}),
    *(Document(f"bread-{n}", f"Bread rises, case {n}. " * 12, "Bread", "en") for n in range(12)),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tools") / "letters"
    dragoman.index(DOCUMENTS, path, system="psq").close()
    return path


def call(folder, *calls, size=12_000):
    """What the tools answer: JSON, or a text where the answer is an error."""

    async def work():
        async with (
            open_source(str(folder)) as index,
            Client(create_server(index, size)) as client,
        ):
            replies = [await client.call_tool(name, arguments) for name, arguments in calls]
        texts = [reply.content[0].text for reply in replies]
        return [
            text if reply.is_error else json.loads(text)
            for reply, text in zip(replies, texts, strict=True)
        ]

    return asyncio.run(work())


def test_a_search_finds_documents_in_other_languages_and_says_why(folder):
    wanted = {"query": "bread", "languages": ["de"]}
    answer, none = call(folder, ("search", wanted), ("search", {**wanted, "languages": ["sw"]}))
    (hit,) = answer["hits"]
    assert (hit["id"], hit["language"]) == ("brot", "German (de)")
    assert hit["why"] == ["bread -> Brot"]
    assert "bread" in hit["gloss"]
    assert answer["next"] is None
    assert "no documents in sw" in none


def test_cursors_lead_through_all_hits_however_small_the_answers(folder):
    async def work():
        seen, cursor, sizes = [], "", []
        async with (
            open_source(str(folder)) as index,
            Client(create_server(index, 2_000)) as client,
        ):
            while cursor is not None:
                wanted = {"query": "bread rises", "k": 10, "cursor": cursor}
                reply = await client.call_tool("search", wanted)
                answer = json.loads(reply.content[0].text)
                sizes.append(len(reply.content[0].text))
                seen += [hit["id"] for hit in answer["hits"]]
                cursor = answer["next"]
        return seen, sizes

    seen, sizes = asyncio.run(work())
    assert len(sizes) > 2
    assert max(sizes) <= 2_000
    with dragoman.open(folder) as index:
        assert seen == [hit.doc_id for hit in index.search("bread rises", 100).ranking.hits]


def test_a_document_is_read_in_passages(folder):
    first, later, capped = call(
        folder,
        ("get", {"id": "brot", "length": 3}),
        ("get", {"id": "brot", "start": 4, "length": 4}),
        ("get", {"id": "bread-1", "length": 100_000}),
    )
    assert (first["text"], first["next"], first["metadata"]) == ("Das", 3, {"year": 2010})
    assert (later["text"], later["start"], later["end"]) == ("Brot", 4, 8)
    assert (len(capped["text"]), capped["next"]) == (capped["letters"], None)


def test_the_languages_are_told(folder):
    (answer,) = call(folder, ("languages", {}))
    assert answer["documents"] == 13
    assert answer["languages"][0] == {"code": "en", "name": "English", "documents": 12}


def test_wrong_arguments_are_errors_that_an_assistant_can_act_on(folder):
    unknown, deep, forged = call(
        folder,
        ("get", {"id": "nope"}),
        ("search", {"query": "bread", "k": 1000}),
        ("search", {"query": "bread", "cursor": "forged"}),
    )
    assert "No document has the id 'nope'." in unknown
    assert "http" not in unknown
    assert "less than or equal to 20" in deep
    assert "cursor" in forged


def test_the_tools_describe_themselves_as_reading(folder):
    async def work():
        async with open_source(str(folder)) as index, Client(create_server(index)) as client:
            return (await client.list_tools()).tools

    tools = asyncio.run(work())
    assert [tool.name for tool in tools] == ["search", "get", "languages"]
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert not any("\n   " in tool.description for tool in tools)
