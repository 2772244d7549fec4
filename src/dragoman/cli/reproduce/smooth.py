"""``dragoman reproduce smooth``: the tables and figures of the smooth learning paper."""

import shlex
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AlsoPage, GradedCollection, OnePair, ReportFolder, chosen_parts


def reproduce_smooth(
    collection: GradedCollection,
    output: ReportFolder,
    scale: Annotated[
        str,
        typer.Option(help="small ends within minutes; full follows the paper and takes hours."),
    ] = "small",
    languages: OnePair = "",
    parts: Annotated[
        str,
        typer.Option(help="Some of losses, architectures, epsilon and negatives; default all."),
    ] = "",
    vectors: Annotated[
        list[str] | None,
        typer.Option(help="Word vectors to begin with, as in `dragoman train smooth`."),
    ] = None,
    only_done: Annotated[
        bool,
        typer.Option(
            "--only-done", help="Train nothing; report what an earlier call has done so far."
        ),
    ] = False,
    page: AlsoPage = None,
) -> None:
    """Train every loss and architecture, sweep epsilon and negatives, and write an HTML report.

    Trainings that are done already are not repeated, so an interrupted call can be made again.

    [dim]dragoman reproduce smooth debian-packages-en-it -o report --scale small[/]
    """
    from dragoman.errors import UnknownName
    from dragoman.experiments.sections import write_section
    from dragoman.experiments.smooth.experiment import reproduce
    from dragoman.experiments.smooth.plan import SCALES, SmoothPart
    from dragoman.experiments.smooth.report import section, write_html
    from dragoman.text.languages import parse_pair

    if scale not in SCALES:
        raise UnknownName(scale, SCALES, "scale")
    with terminal.Stages() as stages:
        results = reproduce(
            collection,
            output,
            SCALES[scale],
            languages=parse_pair(languages) if languages else None,
            parts=chosen_parts(parts, SmoothPart),
            vectors=vectors or (),
            only_done=only_done,
            stage=stages.stage,
        )
    options = [("languages", languages), ("parts", parts)]
    options += [("vectors", source) for source in vectors or ()]
    given = [part for name, value in options if value for part in (f"--{name}", value)]
    said = ["dragoman", "reproduce", "smooth", collection, "-o", str(output), "--scale", scale]
    command = shlex.join([*said, *given, *(["--only-done"] if only_done else [])])
    written = write_html(output, results, command)
    text = section(results, command)
    terminal.out.print(text, markup=False, soft_wrap=True)
    if page is not None:
        write_section(page, f"smooth-{results.languages}", text)
        terminal.out.print(f"\nwritten to {page}")
    terminal.out.print(f"\nreport: {written}")
