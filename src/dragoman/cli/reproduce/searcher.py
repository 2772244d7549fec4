"""``dragoman reproduce searcher``: the tables of the SEARCHER paper on tasks built here."""

from typing import Annotated

from dragoman.cli import terminal
from dragoman.cli.options import OutputFolder
from dragoman.cli.reproduce.options import (
    AgainstEnglish,
    CollectionFolders,
    DataFolder,
    ExtraPage,
    parse_scale,
    scale_option,
)
from dragoman.cli.reproduce.report import command_line, draw_figures, publish


def reproduce_searcher(
    data: DataFolder,
    output: OutputFolder,
    languages: AgainstEnglish = "so,sw,bg,fi,es",
    scale: Annotated[str, scale_option("tiny", "small", "full", "paper")] = "small",
    collections: CollectionFolders = None,
    page: ExtraPage = None,
) -> None:
    """Compare SEARCHER with translation baselines by AQWV, with and without pre-training.

    A language is searched in the aligned pages of --collection, or, where none has it, in documents
    held out of its bitext. Rows that an earlier call has measured are not measured again.

    [dim]dragoman reproduce searcher ../shared/data -o report --languages so,sw[/]
    """
    from dragoman.experiments.searcher.experiment import make_task, reproduce
    from dragoman.experiments.searcher.plan import SCALES
    from dragoman.experiments.searcher.report import report, write_tables
    from dragoman.text.languages import parse_list

    size = parse_scale(scale, SCALES)
    folders = collections or []
    results = []
    with terminal.Stages() as stages:
        for language in parse_list(languages):
            stages.stage(f"{language}: reading")
            task = make_task(data, language, size, folders)
            results.append(reproduce(task, output, size, stages.stage))
            write_tables(output, results, size)
    command = command_line(
        *("searcher", data), output=output, languages=languages, scale=scale, collection=folders
    )
    publish(report(results, command, size), page, "searcher")
    draw_figures("searcher", output, results)
    terminal.out.print(f"\nreport: {terminal.plain(str(output))}", soft_wrap=True)
