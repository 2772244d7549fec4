"""``dragoman reproduce smooth``: the tables and figures of the smooth learning paper."""

from dataclasses import replace
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import GradedCollection, InitialVectors, OnlyPair, OutputFolder
from dragoman.cli.reproduce.options import (
    ExtraPage,
    SectionName,
    parse_parts,
    parse_scale,
    parts_option,
    scale_option,
)
from dragoman.cli.reproduce.report import command_line, publish


def reproduce_smooth(
    collection: GradedCollection,
    output: OutputFolder,
    scale: Annotated[str, scale_option("tiny", "small", "medium", "full")] = "small",
    languages: OnlyPair = "",
    parts: Annotated[
        str,
        parts_option(
            *("losses", "printed", "architectures", "authors", "epsilon", "negatives", "stability")
        ),
    ] = "",
    vectors: InitialVectors = None,
    seeds: Annotated[
        int, typer.Option("--seeds", min=1, help="Trainings of every loss of Table 2.")
    ] = 1,
    only_done: Annotated[
        bool,
        typer.Option("--only-done", help="Train nothing; report what earlier calls have trained."),
    ] = False,
    page: ExtraPage = None,
    section: SectionName = "",
) -> None:
    """Train every loss and architecture, sweep settings, and write an HTML report.

    Models that an earlier call has trained are not trained again.

    [dim]dragoman reproduce smooth debian-packages-en-it -o report --scale small[/]
    """
    from dragoman.experiments.smooth.experiment import reproduce
    from dragoman.experiments.smooth.plan import SCALES, SmoothPart
    from dragoman.experiments.smooth.report import report, section_name, write_html
    from dragoman.text.languages import parse_pair

    size = replace(parse_scale(scale, SCALES), seeds=seeds)
    with terminal.Stages() as stages:
        results = reproduce(
            collection,
            output,
            size,
            languages=parse_pair(languages) if languages else None,
            parts=parse_parts(parts, SmoothPart),
            vectors=vectors or (),
            only_done=only_done,
            stage=stages.stage,
        )
    command = command_line(
        *("smooth", collection),
        output=output,
        scale=scale,
        languages=languages,
        parts=parts,
        vectors=vectors,
        seeds=seeds,
        only_done=only_done,
        section=section,
    )
    html = write_html(output, results, command)
    text = report(results, command, parts, section)
    publish(text, page, section_name(results, parts, section))
    terminal.out.print(f"\nreport: {terminal.plain(str(html))}", soft_wrap=True)
