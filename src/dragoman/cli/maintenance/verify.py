"""``dragoman verify``: what is wrong with an index, what is affected, what to do."""

from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.opening import IndexPlace
from dragoman.cli.options import AsJson, refuse_service


def verify(
    place: IndexPlace,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Rebuild damaged parts from what is stored."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every file and row of INDEX, and that searches retrieve its documents.

    Of an index in a cluster the replicas are compared, and the statistics with the documents.

    Prints one line per finding; the exit code is 1 if there is damage. The index can be searched
    and written to meanwhile.

    [dim]dragoman verify my-index[/]
    """
    from pathlib import Path

    from dragoman.cluster.address import is_cluster_address
    from dragoman.indexes.maintenance.repair import repair as repair_index
    from dragoman.indexes.maintenance.verification import verify as verify_index

    repairs: tuple[str, ...] = ()
    if is_cluster_address(place):
        from dragoman import registry

        address = registry.load("dragoman.cluster.address:parse_cluster_address")(place)
        with terminal.progress("verifying") as advance:
            if repair:
                work = registry.load("dragoman.cluster.repair:repair_cluster")
                repairs, report = work(address, advance)
            else:
                report = registry.load("dragoman.cluster.verification:verify_cluster")(
                    address, advance
                )
    elif repair:
        folder = refuse_service(Path(place))
        with terminal.Stages() as stages:
            repairs, report = repair_index(folder, stages.stage)
    else:
        folder = refuse_service(Path(place))
        with terminal.progress("verifying") as advance:
            report = verify_index(folder, advance)
    if as_json:
        terminal.print_json({**report.plain(place), "repaired": list(repairs)})
    else:
        for text in repairs:
            terminal.out.print(f"repaired: {terminal.plain(text)}", soft_wrap=True)
        for finding in report.findings:
            terminal.out.print(terminal.plain(finding.line(place)), soft_wrap=True)
        damage = len(report.damage)
        verdict = f"damage in {_counted(damage, 'place')}" if damage else "no damage"
        counts = (
            f"{_counted(report.documents, 'document')} in {_counted(report.segments, 'segment')}"
        )
        terminal.out.print(f"{terminal.plain(place)}: {counts}, {verdict}", soft_wrap=True)
    if report.damage:
        raise typer.Exit(1)


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"
