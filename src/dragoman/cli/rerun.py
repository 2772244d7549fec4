"""``dragoman rerun``: a run repeated from its own metadata, and compared with itself."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.inputs import readable_path
from dragoman.cli.opening import KeyFile, open_place
from dragoman.cli.options import AsJson, output_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dragoman.runs.repetition import RunComparison


def rerun(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            help="A run with the metadata that `dragoman run` wrote next to it.",
            callback=readable_path,
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="The TREC run to write; without one the repetition is only compared.",
            callback=output_file,
        ),
    ] = None,
    index: Annotated[
        str, typer.Option(help="The index, where it is now.", show_default="as recorded")
    ] = "",
    queries: Annotated[
        str, typer.Option(help="The queries, where they are now.", show_default="as recorded")
    ] = "",
    key_file: KeyFile = None,
    as_json: AsJson = False,
) -> None:
    """Repeat RUN from its metadata and compare: exit code 1 where a ranking or score differs.

    What has changed since is named: versions, settings, documents, queries, the run itself.

    [dim]dragoman rerun run.trec[/]
    """
    import tempfile

    from dragoman.cli.reranking import prepare_reranking
    from dragoman.cli.run import make_run
    from dragoman.errors import UserError
    from dragoman.runs.metadata import own_fields, request_of
    from dragoman.runs.repetition import changes_since, compare_runs
    from dragoman.storage.digests import file_sha256
    from dragoman.text.files import Faults, OnError
    from dragoman.text.source import read_run

    if output is not None and output.resolve() == run.resolve():
        raise UserError(f"Found {output} as the run and its repetition; expected two files.")
    recorded, signature = request_of(run)
    request = replace(recorded, index=index or recorded.index, queries=queries or recorded.queries)
    request.expect_sources()
    faults = Faults(OnError(request.on_error))
    with (
        tempfile.TemporaryDirectory(prefix="dragoman-") as folder,
        open_place(request.index, key_file) as opened,
    ):
        if request.rerank:
            chosen = request.rerank
            prepare_reranking(
                opened, chosen.system, chosen.weight, chosen.depth, chosen.seconds or 0.0
            )
        target = output or Path(folder) / run.name
        written = make_run(opened, request.read_queries(faults), request, target, own_fields(run))
        changes = changes_since(signature, written.signature)
        if file_sha256(run) != signature.get("run", {}).get("sha256"):
            changes.append("run: the file is not the one that the metadata describe")
        comparison = compare_runs(read_run(run, faults), read_run(target, faults))
    if as_json:
        terminal.print_json({**asdict(comparison), "changes": changes})
    else:
        show(comparison, changes)
        terminal.report(faults)
    if not comparison.identical:
        raise typer.Exit(1)


def show(comparison: "RunComparison", changes: "Sequence[str]") -> None:
    """Print what is equal and what has changed."""
    for change in changes:
        terminal.warn(f"changed since: {change}")
    terminal.out.print(
        f"{comparison.same_ranking:,} of {comparison.queries:,} rankings are the same,"
        f" {comparison.same_scores:,} with equal scores",
        soft_wrap=True,
    )
    if comparison.identical:
        return
    if comparison.missing:
        terminal.out.print(f"{comparison.missing:,} queries are in one of the runs only")
    terminal.out.print(
        f"largest difference of a score {comparison.largest_difference:.3g}, mean overlap of the"
        f" first ten {comparison.overlap:.4f}",
        soft_wrap=True,
    )
