"""``dragoman serve``: indexes over HTTP, with a web page."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal


def serve(
    folders: Annotated[
        list[Path], typer.Argument(metavar="INDEX...", help="Index folders.", show_default=False)
    ],
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8080,
) -> None:
    """Serve INDEX over HTTP: a page to search it, and an API.

    [dim]dragoman serve my-index --port 8080[/]
    """
    from dragoman.service.app import create_app
    from dragoman.service.catalog import Catalog
    from dragoman.service.config import ServiceConfig
    from dragoman.service.server import address, listen, run

    app = create_app(Catalog(folders), ServiceConfig())
    with listen(host, port) as listening:
        run(app, listening, lambda: terminal.out.print(f"Serving at {address(listening)}"))
