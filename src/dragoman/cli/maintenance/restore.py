"""``dragoman restore``: an index from a file that ``dragoman snapshot`` wrote."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import OutputFolder


def restore(
    snapshot: Annotated[
        Path, typer.Argument(help="A file that `dragoman snapshot` wrote.", show_default=False)
    ],
    output: OutputFolder,
) -> None:
    """Unpack SNAPSHOT into a new folder and verify it; nothing is overwritten.

    [dim]dragoman restore my-index.tar.zst -o my-index[/]
    """
    from dragoman.indexes.maintenance.archive import restore as unpack

    with terminal.progress("checking") as advance:
        report = unpack(snapshot, output, advance)
    terminal.out.print(
        f"{terminal.plain(str(output))}: {report.documents:,} documents, restored and verified",
        soft_wrap=True,
    )
