"""``dragoman keys``: the keys of a service are made, listed and revoked."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal

group = typer.Typer(
    no_args_is_help=True, help="Keys of the service: who may search and who may write."
)

StateFolder = Annotated[
    Path | None,
    typer.Option(
        "--state",
        help="The service's folder of keys and tasks; by default in the user's home.",
        show_default=False,
    ),
]
KeyName = Annotated[str, typer.Argument(help="Who or what has the key.")]


@group.command()
def add(
    name: KeyName,
    scope: Annotated[
        str, typer.Option(help="read: search; write: also change documents; admin: everything.")
    ] = "read",
    index: Annotated[
        list[str] | None,
        typer.Option(
            "--index", help="An index that the key opens, by name; repeat it.", show_default=False
        ),
    ] = None,
    state: StateFolder = None,
) -> None:
    """Make a key and print it, this once: the service stores a hash of it alone.

    [dim]dragoman keys add reading-room --scope read[/]
    """
    from dragoman.indexes.arguments import one_of
    from dragoman.service.security.keys import KeyFile, KeyScope

    keys = KeyFile(_path(state))
    is_first = not keys.exists()
    key = keys.add(name, one_of("--scope", scope, KeyScope), index or ())
    terminal.out.print(key, soft_wrap=True)
    terminal.err.print(
        "This is the only time that the key is shown. It is sent as Authorization: Bearer KEY."
    )
    if is_first:
        terminal.err.print(f"From now on every request needs a key ({keys.path}).", soft_wrap=True)


@group.command("list")
def list_keys(state: StateFolder = None) -> None:
    """List the keys: name, scope, indexes and when each was made."""
    from rich.table import Table

    from dragoman.service.security.keys import KeyFile

    keys = KeyFile(_path(state))
    if not keys.exists():
        terminal.err.print("There are no keys; none is needed on this machine's own address.")
        return
    table = Table("name", "scope", "indexes", "created", box=None)
    for key in keys.stored():
        indexes = ", ".join(key.indexes) or "all"
        table.add_row(terminal.plain(key.name), key.scope, terminal.plain(indexes), key.created)
    terminal.out.print(table)


@group.command()
def revoke(name: KeyName, state: StateFolder = None) -> None:
    """Revoke a key: a running service refuses it from its next request on."""
    from dragoman.service.security.keys import KeyFile

    keys = KeyFile(_path(state))
    keys.revoke(name)
    terminal.out.print(f"{terminal.plain(name)} is revoked", soft_wrap=True)
    if not keys.stored():
        terminal.err.print(
            f"No key is left, and every request still needs one. Make another, or remove"
            f" {keys.path} for a service without keys.",
            soft_wrap=True,
        )


def _path(state: Path | None) -> Path:
    from dragoman.service.security.keys import KEYS
    from dragoman.storage.state import state_folder

    return (state or state_folder()) / KEYS
