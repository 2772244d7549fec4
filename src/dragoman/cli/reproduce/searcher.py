"""``dragoman reproduce searcher``: the tables of the SEARCHER paper on tasks built here."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AlsoPage, ReportFolder


def reproduce_searcher(
    data: Annotated[
        Path,
        typer.Argument(help="A folder with bitext/en-XX.tsv.gz in it.", show_default=False),
    ],
    output: ReportFolder,
    languages: Annotated[str, typer.Option(help="Of the documents.")] = "so,sw,bg,fi,es",
    scale: Annotated[
        str,
        typer.Option(help="tiny (a minute), small (minutes a language) or full (hours)."),
    ] = "small",
    collections: Annotated[
        list[Path] | None,
        typer.Option(
            "--collection",
            metavar="FOLDER",
            help="Aligned pages that `dragoman collection get` made: languages in it are searched"
            " there, the others in documents held out of their bitext.",
            show_default=False,
        ),
    ] = None,
    page: AlsoPage = None,
) -> None:
    """Compare SEARCHER with translation baselines by AQWV, with and without pre-training.

    Rows that are done already are not repeated, so an interrupted call can be made again.

    [dim]dragoman reproduce searcher ../shared/data -o report --languages so,sw[/]
    """
    import shlex

    from dragoman import registry
    from dragoman.errors import MissingExtra, UnknownName
    from dragoman.experiments.searcher.experiment import make_task
    from dragoman.experiments.searcher.experiment import reproduce as reproduce_language
    from dragoman.experiments.searcher.plan import SCALES
    from dragoman.experiments.searcher.report import report, write_tables
    from dragoman.experiments.sections import write_section
    from dragoman.text.languages import parse_list

    if scale not in SCALES:
        raise UnknownName(scale, SCALES, "scale")
    folders = collections or []
    results = []
    with terminal.Stages() as stages:
        for language in parse_list(languages):
            stages.stage(f"{language}: reading", None)
            task = make_task(data, language, SCALES[scale], folders)
            results.append(reproduce_language(task, output, SCALES[scale], stages.stage))
            write_tables(output, results)
    words = ["dragoman", "reproduce", "searcher", str(data), "-o", str(output)]
    words += ["--languages", languages, "--scale", scale]
    words += [word for folder in folders for word in ("--collection", str(folder))]
    text = report(results, shlex.join(words), SCALES[scale])
    terminal.out.print(text, markup=False, soft_wrap=True)
    try:
        registry.load("dragoman.experiments.searcher.figures:draw")(output, results)
    except MissingExtra as missing:
        terminal.warn(f"no pictures: {missing}")
    if page is not None:
        write_section(page, "searcher", text)
        terminal.out.print(f"\nwritten to {page}")
    terminal.out.print(f"\nreport: {output}")
