"""``dragoman reproduce searcher``: the tables of the SEARCHER paper on tasks built here."""

from dataclasses import replace
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import OutputFolder
from dragoman.cli.reproduce.options import (
    AgainstEnglish,
    CollectionFolders,
    DataFolder,
    ExtraPage,
    SectionName,
    parse_parts,
    parse_scale,
    scale_option,
)
from dragoman.cli.reproduce.report import command_line, draw_figures, publish


def reproduce_searcher(
    data: DataFolder,
    output: OutputFolder,
    languages: AgainstEnglish = "so,sw,bg,fi,es",
    scale: Annotated[str, scale_option("tiny", "small", "full", "paper")] = "small",
    rows: Annotated[
        str,
        typer.Option(
            "--rows",
            help="The rows of SEARCHER to train, joined by commas: softmax, softmax-pretrained,"
            " softmax-aligned, max, max-pretrained, max-aligned; depths, which trains those of"
            " softmax and softmax-aligned with other numbers of blocks too, and width, a larger"
            " softmax-aligned at the scale full.",
            show_default="all",
        ),
    ] = "",
    seeds: Annotated[
        int, typer.Option("--seeds", min=1, help="Trainings of every row, with seeds 0, 1, ...")
    ] = 1,
    collections: CollectionFolders = None,
    pairs: Annotated[
        str,
        typer.Option(
            help="The sentence pairs to learn from where a --collection is searched: general, those"
            " of DATA, in-domain, its own, or both."
        ),
    ] = "both",
    page: ExtraPage = None,
    section: SectionName = "",
) -> None:
    """Compare SEARCHER with translation baselines by AQWV, with and without pre-training.

    A language is searched in the aligned pages of --collection, or, where none has it, in documents
    held out of its bitext. Rows that an earlier call has measured are not measured again.

    [dim]dragoman reproduce searcher ../shared/data -o report --languages so,sw[/]
    """
    from dragoman.experiments.searcher.experiment import make_task, reproduce
    from dragoman.experiments.searcher.plan import SCALES, SearcherRow
    from dragoman.experiments.searcher.report import report, write_tables
    from dragoman.experiments.searcher.task import TrainingPairs
    from dragoman.settings import parse_choice
    from dragoman.text.languages import parse_list

    chosen = tuple(parse_parts(rows, SearcherRow, "row"))
    size = replace(parse_scale(scale, SCALES), rows=chosen, seeds=seeds)
    origin = parse_choice(TrainingPairs, pairs, "pairs")
    folders = collections or []
    results = []
    with terminal.Stages() as stages:
        for language in parse_list(languages):
            stages.stage(f"{language}: reading")
            task = make_task(data, language, size, folders, origin)
            results.append(reproduce(task, output, size, stages.stage))
            write_tables(output, results, size)
    command = command_line(
        *("searcher", data),
        output=output,
        languages=languages,
        scale=scale,
        rows=rows,
        seeds=seeds,
        collection=folders,
        pairs="" if origin is TrainingPairs.BOTH else pairs,
        section=section,
    )
    page_section = f"searcher-{section}" if section else "searcher"
    publish(report(results, command, size, section), page, page_section)
    draw_figures("searcher", output, results)
    terminal.out.print(f"\nreport: {terminal.plain(str(output))}", soft_wrap=True)
