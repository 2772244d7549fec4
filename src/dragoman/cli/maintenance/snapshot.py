"""``dragoman snapshot``: an index as one file, taken while it is searched and written."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import IndexFolder, output_file


def snapshot(
    folder: IndexFolder,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="The file to write, as in my-index.tar.zst.",
            show_default=False,
            callback=output_file,
        ),
    ],
) -> None:
    """Write INDEX as it is at this moment into one file; a damaged index is refused.

    The index can be searched and written to meanwhile. `dragoman restore` unpacks the file.

    [dim]dragoman snapshot my-index -o my-index.tar.zst[/]
    """
    from dragoman.indexes.maintenance.archive import snapshot as write_snapshot

    with terminal.progress("checking") as advance:
        report = write_snapshot(folder, output, advance)
    size = output.stat().st_size
    terminal.out.print(
        f"{terminal.plain(str(output))}: {report.documents:,} documents, {size:,} bytes",
        soft_wrap=True,
    )
