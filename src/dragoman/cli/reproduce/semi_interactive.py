"""``dragoman reproduce semi-interactive``: the tables and figures of the semi-interactive paper."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import OutputFolder, PretrainedEncoder
from dragoman.cli.reproduce.options import (
    ExtraPage,
    parse_parts,
    parse_scale,
    parts_option,
    scale_option,
)
from dragoman.cli.reproduce.report import command_line, draw_figures, publish


def reproduce_semi_interactive(
    collection: Annotated[
        str,
        typer.Argument(
            help="A folder that `dragoman collection get` wrote, with several languages.",
            show_default=False,
        ),
    ],
    encoder: PretrainedEncoder,
    output: OutputFolder,
    scale: Annotated[str, scale_option("tiny", "small", "medium", "full")] = "medium",
    supervised: Annotated[
        str,
        typer.Option(
            help="Languages to train on, as in de,fr; the others are in the test alone.",
            show_default="all but the rarest",
        ),
    ] = "",
    parts: Annotated[
        str,
        parts_option(
            "similarity", "number", "alpha", "transfer", "mined", "rerank", "controls", "sentences"
        ),
    ] = "",
    repeated: Annotated[
        bool,
        typer.Option(
            "--repeated",
            help="Also train all models with three seeds, the three main ones with three rates.",
        ),
    ] = False,
    sentence_teacher: Annotated[
        str,
        typer.Option(
            help="A sentence encoder that teaches one more model: 'default', or the folder of one."
        ),
    ] = "",
    only_done: Annotated[
        bool,
        typer.Option(
            "--only-done", help="Train nothing; report the parts that earlier calls have trained."
        ),
    ] = False,
    page: ExtraPage = None,
) -> None:
    """Train interactive, non-interactive and semi-interactive models and compare them.

    Models that an earlier call has trained are not trained again.

    [dim]dragoman reproduce semi-interactive libreoffice-help --encoder encoder -o report[/]
    """
    from dragoman.experiments.semi_interactive.experiment import reproduce
    from dragoman.experiments.semi_interactive.plan import DEFAULT_PARTS, RelevancePart
    from dragoman.experiments.semi_interactive.report import report, write_tables
    from dragoman.experiments.semi_interactive.scales import SCALES
    from dragoman.text.languages import parse_list

    size = parse_scale(scale, SCALES)
    chosen = [*(parse_parts(parts, RelevancePart) if parts else DEFAULT_PARTS)]
    chosen += [RelevancePart.REPEATED] * repeated
    languages = parse_list(supervised) if supervised else ()
    with terminal.Stages() as stages:
        results = reproduce(
            collection,
            Path(encoder),
            output,
            size,
            supervised=languages,
            parts=chosen,
            sentence_teacher=sentence_teacher,
            only_done=only_done,
            stage=stages.stage,
        )
    write_tables(output, results)
    command = command_line(
        *("semi-interactive", collection),
        encoder=encoder,
        output=output,
        scale=scale,
        supervised=supervised,
        parts=parts,
        repeated=repeated,
        sentence_teacher=sentence_teacher,
        only_done=only_done,
    )
    section = "-".join(["semi-interactive", results.task.name, *languages])
    publish(report(results, command, languages), page, section)
    draw_figures("semi_interactive", output, results)
    terminal.out.print(f"\nreport: {terminal.plain(str(output))}", soft_wrap=True)
