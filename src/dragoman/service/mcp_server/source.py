"""INDEX of ``dragoman mcp`` -> a client: of a service elsewhere, or of one in this process.

A folder is opened by a service without a socket, so that both have the same limits, windows and
cursors. Its state is a folder of its own: who can read the index needs no key for it.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from dragoman.service.app import create_app
from dragoman.service.catalog import Catalog
from dragoman.service.clients.address import is_address
from dragoman.service.clients.async_remote_index import AsyncRemoteIndex

INSIDE = "http://127.0.0.1"  # the address of a service without a socket


@asynccontextmanager
async def open_source(place: str, key: str = "") -> AsyncIterator[AsyncRemoteIndex]:
    """A client of the service at an address, or of the index in a folder."""
    if is_address(place):
        async with AsyncRemoteIndex(place, key) as index:
            yield index
        return
    with TemporaryDirectory(prefix="dragoman-mcp-") as state:
        app = create_app(Catalog([Path(place)]), folder=Path(state))
        async with (
            app.router.lifespan_context(app),
            AsyncRemoteIndex(INSIDE, transport=httpx.ASGITransport(app)) as index,
        ):
            yield index
