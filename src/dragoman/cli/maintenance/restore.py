"""``dragoman restore``: the file that ``dragoman snapshot`` wrote as an index again."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal


def restore(
    snapshot: Annotated[
        Path, typer.Argument(help="What `dragoman snapshot` wrote.", show_default=False)
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The index: a new folder.", show_default=False),
    ],
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
