"""``dragoman export``: the documents of an index as JSON lines that ``dragoman index`` reads."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import IndexFolder, output_file

STANDARD_OUTPUT = "standard output"


def export(
    folder: IndexFolder,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="The file to write: .jsonl, .jsonl.gz or .jsonl.zst.",
            show_default=STANDARD_OUTPUT,
            callback=output_file,
        ),
    ] = None,
) -> None:
    """Write the documents of INDEX as JSON lines, sorted by id, to be indexed again.

    [dim]dragoman export my-index -o documents.jsonl.zst[/]
    """
    import sys

    from dragoman.indexes.maintenance.export import export_file, export_stream
    from dragoman.indexes.maintenance.stored_texts import StoredTexts

    with StoredTexts(folder) as texts:
        if output is None:
            count = export_stream(texts, sys.stdout.buffer, STANDARD_OUTPUT)
            terminal.err.print(f"{STANDARD_OUTPUT}: {count:,} documents")
            return
        with terminal.progress("exporting", texts.count()) as advance:
            count = export_file(texts, output, advance)
    terminal.out.print(f"{terminal.plain(str(output))}: {count:,} documents", soft_wrap=True)
