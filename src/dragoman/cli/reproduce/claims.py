"""``dragoman reproduce claims``: the claims of all reports, in one table for each paper."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli.reproduce.options import ExtraPage
from dragoman.cli.reproduce.report import command_line, publish


def reproduce_claims(
    reports: Annotated[
        list[Path],
        typer.Argument(
            metavar="REPORT...",
            help="Folders that other `dragoman reproduce` commands wrote, or their claims.csv.",
            show_default=False,
        ),
    ],
    page: ExtraPage = None,
) -> None:
    """Put the claims of several reports into one table for each paper, corrected over all of them.

    [dim]dragoman reproduce claims report-en-fr report-searcher semi-report --page results.md[/]
    """
    from dragoman.experiments.claims_overview import claims_files, overview
    from dragoman.experiments.sections import provenance

    tables = overview(claims_files(reports))
    first, *others = reports
    command = " ".join([command_line("claims", first), *map(str, others)])
    publish("\n".join(["## Claims", "", *provenance(command), "", tables]), page, "claims")
