"""``dragoman reproduce claims``: the claims of all sections of a page, in one table a paper."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli.reproduce.report import command_line, publish


def reproduce_claims(
    page: Annotated[
        Path,
        typer.Argument(
            help="A Markdown page that other `dragoman reproduce` commands wrote.",
            show_default=False,
        ),
    ],
) -> None:
    """Put the claims of all sections of a page into one table for each paper, on that page.

    p-values are corrected over all sections of a paper.

    [dim]dragoman reproduce claims results.md[/]
    """
    from dragoman.experiments.claims_overview import overview
    from dragoman.experiments.sections import provenance

    lines = ["## Claims", "", *provenance(command_line("claims", page)), "", overview(page)]
    publish("\n".join(lines), page, "claims")
