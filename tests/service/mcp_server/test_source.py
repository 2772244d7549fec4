"""What an assistant's tools are given: a folder or a service."""

import asyncio

import pytest

from dragoman.errors import UserError
from dragoman.service.mcp_server.source import open_source
from dragoman.service.security.keys import KEYS, KeyFile, KeyScope
from served import served
from small_index import small_index


async def count(place):
    async with open_source(str(place)) as index:
        return await index.count()


def test_a_folder_and_a_service_are_sources(tmp_path, monkeypatch):
    folder = small_index(tmp_path / "letters")
    monkeypatch.setenv("DRAGOMAN_STATE", str(tmp_path / "state"))
    with served(folder) as (_, address):
        assert asyncio.run(count(address)) == 4
    KeyFile(tmp_path / "state" / KEYS).add("someone", KeyScope.READ)
    assert asyncio.run(count(folder)) == 4  # who reads the folder needs no key


def test_a_folder_without_an_index_is_refused(tmp_path):
    with pytest.raises(UserError, match="expected an index folder"):
        asyncio.run(count(tmp_path))
