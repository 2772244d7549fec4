"""``dragoman optimize``: what many small changes have left in an index is put in order."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal


def optimize(
    index: Annotated[Path, typer.Argument(help="The index.", show_default=False)],
) -> None:
    """Make an index as fast as it can be, after many documents have come or gone.

    Merges what they have left, writes the arrays that answer most of a search, and builds the graph
    of an index above 20,000 vectors. `dragoman index` does the same at the end of a build, but for
    the graph, which it leaves out up to 200,000 vectors: without it, single searches and those with
    metadata conditions take some milliseconds longer and miss nothing.

    [dim]dragoman optimize my-index[/]
    """
    import dragoman

    with dragoman.open(index) as opened:
        documents = opened.count()
        with terminal.progress("optimising", documents) as advance:
            opened.optimize()
            advance(documents)
    terminal.out.print(
        f"{terminal.plain(str(index))}: {documents:,} documents, optimised", soft_wrap=True
    )
