"""``dragoman optimize``: the segments of an index merged into one."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal


def optimize(
    index: Annotated[Path, typer.Argument(help="The index.", show_default=False)],
) -> None:
    """Merge the segments of an index into one, after many documents have come or gone.

    That is all it does: small segments are merged in the background anyway, and `dragoman index`
    ends with one. Others may search and write meanwhile.

    [dim]dragoman optimize my-index[/]
    """
    import dragoman

    with dragoman.open(index) as opened:
        documents = opened.count()
        with terminal.progress("merging", documents) as advance:
            opened.optimize()
            advance(documents)
    terminal.out.print(
        f"{terminal.plain(str(index))}: {documents:,} documents, optimised", soft_wrap=True
    )
