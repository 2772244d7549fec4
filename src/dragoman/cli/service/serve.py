"""``dragoman serve``: indexes over HTTP, with a web page."""

from enum import StrEnum
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.service.keys import StateFolder


class LogLevel(StrEnum):
    """What is logged: every request, or only what went wrong."""

    INFO = "info"
    WARNING = "warning"


def serve(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="INDEX...",
            help="Index folders, or indexes in a cluster, as in qdrant://127.0.0.1:6333/news.",
            show_default=False,
        ),
    ],
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8080,
    workers: Annotated[
        int, typer.Option(min=0, help="Searches at the same time; 0: one a core.")
    ] = 0,
    rate: Annotated[
        float, typer.Option(min=0, help="Requests a second of one client; 0 sets no limit.")
    ] = 0,
    rerank: Annotated[
        list[str] | None,
        typer.Option(metavar="SYSTEM", help="A system that searches may name for re-ranking."),
    ] = None,
    log_level: Annotated[
        LogLevel, typer.Option(help="Log every request, or only what went wrong.")
    ] = LogLevel.INFO,
    log_queries: Annotated[
        bool, typer.Option("--log-queries", help="Log the texts of queries, too.")
    ] = False,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allowed-host",
            help="A further name by which the service is called; repeat it.",
            show_default=False,
        ),
    ] = None,
    state: StateFolder = None,
) -> None:
    """Serve INDEX over HTTP: a page to search it, and an API.

    [dim]dragoman serve my-index --port 8080[/]
    """
    from dragoman import registry
    from dragoman.service.app import create_app
    from dragoman.service.catalog import Catalog
    from dragoman.service.config import ServiceConfig
    from dragoman.service.security.hosts import allowed_names, refuse_open_address
    from dragoman.service.security.keys import KEYS, KeyFile
    from dragoman.service.server import address, exempt_loaded_objects, listen, log_to_stderr, run
    from dragoman.storage.state import state_folder

    for name in rerank or ():
        registry.system(name)  # an unknown name is an error now, not at the first search
    folder = state or state_folder()
    refuse_open_address(host, has_keys=KeyFile(folder / KEYS).exists())
    config = ServiceConfig(
        workers=workers, rate=rate, rerankers=tuple(rerank or ()), log_queries=log_queries
    )
    log_to_stderr(log_level)
    names = allowed_names(host, allowed_host or ())
    app = create_app(
        Catalog(places), config, folder=folder, hosts=names, when_ready=exempt_loaded_objects
    )
    with listen(host, port) as listening:
        where = address(listening)
        run(app, listening, lambda: terminal.out.print(f"Serving at {where} (Ctrl-C stops)"))
