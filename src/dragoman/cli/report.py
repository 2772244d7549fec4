"""``dragoman report``: several runs on one HTML page, with tables, pictures and losses."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.evaluate import document_languages, judgments_of, named
from dragoman.cli.failures import LossCount, RunIndexes, expect_explanations, explained_losses
from dragoman.cli.options import Seed, output_file


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="TREC runs.")],
    qrels: Annotated[
        str, typer.Option(metavar="QRELS", help="Judgments: a file, a collection or irds:NAME.")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="The HTML file to write.",
            callback=output_file,
            show_default=False,
        ),
    ],
    measures: Annotated[
        str,
        typer.Option(
            metavar="MEASURES",
            help="As in evaluate; differences and losses are by the first.",
            show_default="those of evaluate",
        ),
    ] = "",
    queries: Annotated[str, typer.Option(help="The queries, for languages and texts.")] = "",
    corpus: Annotated[
        str, typer.Option(help="The documents or an index, for their languages.")
    ] = "",
    index: RunIndexes = None,
    losses: LossCount = 5,
    pictures: Annotated[
        Path | None,
        typer.Option(help="A folder to write the pictures to as PDF files, for a paper."),
    ] = None,
    split: Annotated[str, typer.Option(help="Only judgments of this split.")] = "",
    title: Annotated[str, typer.Option(help="The title of the page.")] = "Runs",
    seed: Seed = 0,
) -> None:
    """Write an HTML page of runs: tables with intervals and tests, pictures, losses.

    The first run is compared with the others. Needs the extra plots.

    [dim]dragoman report psq.trec dense.trec --qrels qrels.tsv -o report.html[/]
    """
    import numpy as np

    from dragoman import registry
    from dragoman.metrics.defaults import default_measures
    from dragoman.metrics.parser import parse_measures
    from dragoman.metrics.report import evaluate as report_on
    from dragoman.reports.html_page import PageParts, html_page
    from dragoman.storage.staging import write_lines
    from dragoman.text.files import Faults
    from dragoman.text.source import read_queries, read_run

    draw_runs = registry.load("dragoman.reports.run_pictures:draw_runs")  # an extra may be missing
    chosen = parse_measures(measures or default_measures(qrels))
    expect_explanations(index or [], queries)
    faults = Faults()
    judgments = judgments_of(qrels, split, faults)
    texts = {one.query_id: one for one in read_queries(queries, faults)} if queries else {}
    query_languages = {query_id: one.language for query_id, one in texts.items()}
    languages = document_languages(corpus, None, faults) if corpus else None
    paths = named(runs)
    rng = np.random.default_rng(seed)
    with terminal.progress("evaluating") as advance:
        measured = report_on(
            {name: read_run(path, faults) for name, path in paths.items()},
            judgments,
            chosen,
            rng=rng,
            query_languages=query_languages,
            document_languages=languages,
            seed=seed,
            advance=advance,
        )
    first = chosen[0]
    shown = explained_losses(measured, paths, judgments, first.name, texts, index or [], losses)
    drawn = draw_runs(
        measured,
        {name: partial(read_run, path, Faults()) for name, path in paths.items()},
        judgments,
        first,
        query_languages=query_languages,
        document_languages=languages or {},
        rng=rng,
    )
    if pictures:
        registry.load("dragoman.reports.run_pictures:save_all")(drawn, pictures)
    as_svg = registry.load("dragoman.reports.pictures:as_svg")
    parts = PageParts(
        {caption: as_svg(figure) for caption, figure in drawn.items()},
        shown,
        (measured.runs[0].run, measured.runs[1].run) if shown else ("", ""),
        first.name,
    )
    with write_lines(output) as stream:
        stream.write(html_page(title, measured, parts))
    terminal.out.print(f"{output}: {len(paths)} runs, {len(judgments):,} queries", soft_wrap=True)
    if pictures:
        terminal.out.print(f"{pictures}: {len(drawn)} pictures", soft_wrap=True)
    terminal.report(faults)
