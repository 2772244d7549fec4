"""``dragoman reproduce semi-interactive``: the tables and figures of the semi-interactive paper."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AlsoPage, ReportFolder, chosen_parts


def reproduce_semi_interactive(
    collection: Annotated[
        str,
        typer.Argument(
            help="A folder that `dragoman collection get` made, with several languages.",
            show_default=False,
        ),
    ],
    encoder: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="The pre-trained encoder that all models begin with, as `dragoman train encoder`"
            " writes it.",
            show_default=False,
        ),
    ],
    output: ReportFolder,
    scale: Annotated[
        str, typer.Option(help="small ends within minutes, medium in an hour; full takes hours.")
    ] = "medium",
    supervised: Annotated[
        str,
        typer.Option(
            help="Languages to learn from; the others are asked in the test alone.",
            show_default="all but the rarest",
        ),
    ] = "",
    parts: Annotated[
        str,
        typer.Option(
            help="Some of similarity, number, alpha, transfer, mined and second.",
            show_default="all",
        ),
    ] = "",
    sentence_teacher: Annotated[
        str,
        typer.Option(
            help="A sentence encoder that teaches one more model: 'default', or the folder of one."
        ),
    ] = "",
    page: AlsoPage = None,
) -> None:
    """Train interactive, non-interactive and semi-interactive models and compare them.

    Trainings that are done already are not repeated, so an interrupted call can be made again.

    [dim]dragoman reproduce semi-interactive libreoffice-help --encoder encoder -o report[/]
    """
    from dragoman import registry
    from dragoman.errors import MissingExtra, UnknownName
    from dragoman.experiments.sections import write_section
    from dragoman.experiments.semi_interactive.experiment import reproduce
    from dragoman.experiments.semi_interactive.plan import SCALES, Part
    from dragoman.experiments.semi_interactive.report import section, write_tables
    from dragoman.text.languages import parse_list

    if scale not in SCALES:
        raise UnknownName(scale, SCALES, "scale")
    with terminal.Stages() as stages:
        outcome = reproduce(
            collection,
            encoder,
            output,
            SCALES[scale],
            supervised=parse_list(supervised) if supervised else (),
            parts=chosen_parts(parts, Part),
            sentence_teacher=sentence_teacher,
            stage=stages.stage,
        )
    write_tables(output, outcome)
    words = ["dragoman", "reproduce", "semi-interactive", collection, "--encoder", str(encoder)]
    words += ["-o", str(output), "--scale", scale]
    words += ["--supervised", supervised] if supervised else []
    words += ["--parts", parts] if parts else []
    words += ["--sentence-teacher", sentence_teacher] if sentence_teacher else []
    text = section(outcome, shlex.join(words))
    terminal.out.print(text, markup=False, soft_wrap=True)
    try:
        registry.load("dragoman.experiments.semi_interactive.figures:draw")(output, outcome)
    except MissingExtra as missing:
        terminal.warn(f"no pictures: {missing}")
    if page is not None:
        write_section(page, f"semi-interactive-{outcome.task.name}", text)
        terminal.out.print(f"\nwritten to {page}")
    terminal.out.print(f"\nreport: {output}")
