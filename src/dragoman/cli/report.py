"""``dragoman report``: several runs on one HTML page, with tables, pictures and losses."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.evaluate import document_languages, judgments_of, named
from dragoman.cli.failures import LossCount, RunIndexes, explained_losses
from dragoman.cli.options import Seed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dragoman.metrics.report import Report
    from dragoman.types import Judgments

DEPTH_OF_BIAS = 50


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="TREC runs.")],
    qrels: Annotated[
        str, typer.Option(metavar="QRELS", help="Judgments: a file, a collection or irds:NAME.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The HTML file to write.", show_default=False)
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
    from dragoman.storage.outputs import require_writable_file
    from dragoman.storage.staging import write_lines
    from dragoman.text.files import Faults
    from dragoman.text.source import read_judgments, read_queries, read_run

    registry.load("dragoman.reports.pictures:differences")  # a missing extra is named first
    chosen = parse_measures(measures or default_measures(qrels))
    require_writable_file(output)
    faults = Faults()
    judgments = judgments_of(qrels, split, faults) if split else read_judgments(qrels, faults)
    read = list(read_queries(queries, faults)) if queries else []
    languages = document_languages(corpus, None, faults) if corpus else None
    paths = named(runs)
    with terminal.progress("evaluating") as advance:
        measured = report_on(
            {name: read_run(path, faults) for name, path in paths.items()},
            judgments,
            chosen,
            rng=np.random.default_rng(seed),
            query_languages={one.query_id: one.language for one in read} or None,
            document_languages=languages,
            seed=seed,
            advance=advance,
        )
    first = chosen[0].name
    texts = {one.query_id: one for one in read}
    shown = explained_losses(measured, paths, judgments, first, texts, index or [], losses)
    parts = PageParts(
        pictures(measured, paths, judgments, languages or {}, first),
        shown,
        tuple(list(paths)[:2]) if len(paths) > 1 else ("", ""),  # type: ignore[arg-type]
        first,
    )
    with write_lines(output) as stream:
        stream.write(html_page(title, measured, parts))
    terminal.out.print(f"{output}: {len(paths)} runs, {len(judgments):,} queries", soft_wrap=True)
    terminal.report(faults)


def pictures(
    measured: "Report",
    paths: "Mapping[str, Path]",
    judgments: "Judgments",
    languages: "Mapping[str, str]",
    measure: str,
) -> dict[str, str]:
    """All pictures as SVG, by their captions."""
    from dragoman.metrics.report import paired_values
    from dragoman.reports import pictures as drawn
    from dragoman.reports.curves import language_shares, precision_recall
    from dragoman.text.files import Faults
    from dragoman.text.source import read_run

    shown = {}
    head, *others = measured.runs
    for other in others:
        first, second = paired_values(head.by_query, other.by_query, measure)
        figure = drawn.differences(first, second, (head.run, other.run), measure)
        shown[f"{measure} of {head.run} minus {other.run}, by query"] = drawn.as_svg(figure)
    curves = {
        name: precision_recall(read_run(path, Faults()), judgments) for name, path in paths.items()
    }
    shown["precision by recall"] = drawn.as_svg(drawn.precision_recall_curves(curves))
    pairs = sorted({pair for run in measured.runs for pair in run.pairs})
    if pairs:
        groups = {
            pair: {run.run: run.pairs[pair][measure] for run in measured.runs if pair in run.pairs}
            for pair in pairs
        }
        shown[f"{measure} by language pair"] = drawn.as_svg(drawn.group_means(groups, measure))
    if languages:
        for name, path in paths.items():
            shares = language_shares(read_run(path, Faults()), languages, DEPTH_OF_BIAS)
            figure = drawn.languages_by_rank(shares, name)
            shown[f"languages of the documents of {name}, by rank"] = drawn.as_svg(figure)
    return shown
