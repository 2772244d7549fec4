"""``dragoman mcp`` in a process of its own, called by the SDK's own client."""

import asyncio
import json
import os
import re
import subprocess
import sys

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from commands import run
from dragoman.errors import UserError
from dragoman.service.security.keys import KEYS, KeyFile, KeyScope
from served import served
from small_index import small_index

COMMAND = (sys.executable, "-m", "dragoman", "mcp")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "search", "arguments": {"query": "moon"}},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return small_index(tmp_path_factory.mktemp("mcp") / "letters")


async def found(server):
    """The ids that a search for the moon finds, and the names of the tools."""
    async with Client(server) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        reply = await client.call_tool("search", {"query": "moon"})
        return tools, [hit["id"] for hit in json.loads(reply.content[0].text)["hits"]]


EXPECTED = (["search", "get", "languages"], ["tide"])


def test_an_assistant_starts_it_on_a_folder(folder):
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], str(folder)], env={**os.environ}
    )
    assert asyncio.run(found(server)) == EXPECTED


def test_an_assistant_starts_it_on_a_service(folder):
    with served(folder) as (_, address):
        server = StdioServerParameters(
            command=COMMAND[0], args=[*COMMAND[1:], address], env={**os.environ}
        )
        assert asyncio.run(found(server)) == EXPECTED


def test_standard_output_holds_nothing_but_the_protocol(folder):
    with subprocess.Popen(
        [*COMMAND, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        lines = []
        for message in (HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}, CALL):
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
            if "id" in message:
                lines.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        assert process.stdout.read() == ""
        assert process.wait(60) == 0
    assert [line["id"] for line in lines] == [1, 2]
    assert "tide" in lines[1]["result"]["content"][0]["text"]


def test_over_http_a_key_is_needed_as_for_the_service(folder, tmp_path):
    key = KeyFile(tmp_path / KEYS).add("assistant", KeyScope.READ, ["letters"])
    command = [*COMMAND, str(folder), "--http", "--port", "0", "--state", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://\S+/mcp", process.stdout.readline())[0]

        async def with_key():
            headers = {"Authorization": f"Bearer {key}"}
            async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
                return await found(streamable_http_client(url, http_client=http))

        assert asyncio.run(with_key()) == EXPECTED
        assert httpx2.post(url, json=CALL, timeout=120).status_code == 401
        process.terminate()
        assert process.wait(60) in (0, -15)
    finally:
        process.kill()
        process.communicate()


def test_an_open_address_without_keys_is_refused(folder, tmp_path):
    with pytest.raises(UserError, match="dragoman keys add"):
        run("mcp", folder, "--http", "--host", "0.0.0.0", "--state", tmp_path)  # noqa: S104


def test_a_folder_without_an_index_is_one_line(tmp_path):
    done = subprocess.run([*COMMAND, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
