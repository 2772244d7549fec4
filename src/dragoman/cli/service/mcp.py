"""``dragoman mcp``: an index as tools of a language-model assistant."""

from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.opening import IndexPlace, KeyFile, service_key
from dragoman.cli.service.keys import StateFolder


def mcp(
    place: IndexPlace,
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP instead of standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="With --http: 0 takes any free one.")
    ] = 8081,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allowed-host",
            help="With --http: a further name by which the server is called; repeat it.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        int, typer.Option(min=2_000, max=200_000, help="Letters of one answer at most.")
    ] = 12_000,
    state: StateFolder = None,
    key_file: KeyFile = None,
) -> None:
    """Let an assistant search INDEX: the tools search, get and languages (MCP).

    [dim]dragoman mcp my-index[/]
    """
    import asyncio

    from dragoman.service.mcp_server.transports import PATH, run_http, run_stdio

    key = service_key(key_file)
    if not http:
        asyncio.run(run_stdio(place, key, size))
        return
    from dragoman.service.security.hosts import allowed_names, refuse_open_address
    from dragoman.service.security.keys import KEYS
    from dragoman.service.security.keys import KeyFile as StoredKeys
    from dragoman.service.server import address, listen
    from dragoman.storage.state import state_folder

    folder = state or state_folder()
    refuse_open_address(host, has_keys=StoredKeys(folder / KEYS).exists())
    with listen(host, port) as listening:
        where = address(listening).rstrip("/") + PATH
        asyncio.run(
            run_http(
                place,
                key,
                size,
                state=folder,
                hosts=allowed_names(host, allowed_host or ()),
                listening=listening,
                announce=lambda: terminal.out.print(f"Serving tools at {where} (Ctrl-C stops)"),
            )
        )
