"""``dragoman failures``: the queries where one run loses most to another, explained."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.evaluate import judgments_of, named
from dragoman.cli.opening import open_place
from dragoman.cli.options import AsJson

if TYPE_CHECKING:
    from dragoman.metrics.report import Report
    from dragoman.reports.html_page import ExplainedLoss
    from dragoman.types import Judgments, Query

RunIndexes = Annotated[
    list[str] | None,
    typer.Option(
        "--index",
        metavar="INDEX",
        help="The index of the first run, then that of the second, for explanations; needs"
        " --queries. One index explains both.",
    ),
]
LossCount = Annotated[int, typer.Option("--losses", "-n", min=0, help="How many queries.")]


def failures(
    first: Annotated[Path, typer.Argument(metavar="RUN", help="The run that is looked into.")],
    second: Annotated[Path, typer.Argument(metavar="OTHER", help="The run it is compared with.")],
    qrels: Annotated[
        str, typer.Option(metavar="QRELS", help="Judgments: a file, a collection or irds:NAME.")
    ],
    measure: Annotated[str, typer.Option(help="The measure of the losses.")] = "nDCG@10",
    queries: Annotated[str, typer.Option(help="The queries, for their texts.")] = "",
    index: RunIndexes = None,
    number: LossCount = 10,
    split: Annotated[str, typer.Option(help="Only judgments of this split.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the queries where RUN loses most to OTHER, with ranks of relevant documents.

    With --queries and --index the document that lost most ranks is explained side by side.

    [dim]dragoman failures psq.trec dense.trec --qrels qrels.tsv[/]
    """
    from dataclasses import asdict

    import numpy as np

    from dragoman.metrics.parser import parse_measures
    from dragoman.metrics.report import evaluate as report_on
    from dragoman.text.files import Faults
    from dragoman.text.source import read_judgments, read_queries, read_run

    faults = Faults()
    (chosen,) = parse_measures(measure)[:1]
    paths = named([first, second])
    judgments = judgments_of(qrels, split, faults) if split else read_judgments(qrels, faults)
    texts = {one.query_id: one for one in read_queries(queries, faults)} if queries else {}
    measured = report_on(
        {name: read_run(path, faults) for name, path in paths.items()},
        judgments,
        [chosen],
        rng=np.random.default_rng(0),
    )
    shown = explained_losses(measured, paths, judgments, chosen.name, texts, index or [], number)
    if as_json:
        terminal.print_json([{**asdict(one), "difference": one.loss.difference} for one in shown])
    else:
        for one in shown:
            print_loss(one, tuple(paths))
        names = " and ".join(paths)
        terminal.out.print(f"{len(shown)} queries, {chosen.name} of {names}", soft_wrap=True)
    terminal.report(faults)


def explained_losses(
    measured: "Report",
    paths: Mapping[str, Path],
    judgments: "Judgments",
    measure: str,
    texts: "Mapping[str, Query]",
    places: Sequence[str],
    number: int,
) -> "list[ExplainedLoss]":
    """The losses of the first run to the second, explained by the indexes; none of one run."""
    from dragoman.reports.html_page import ExplainedLoss
    from dragoman.reports.losses import explain_loss, find_losses
    from dragoman.text.files import Faults
    from dragoman.text.source import read_run

    if len(measured.runs) < 2 or not number:
        return []
    first, second = (
        {ranking.query_id: ranking for ranking in read_run(path, Faults())}
        for path in list(paths.values())[:2]
    )
    by_query = measured.runs[0].by_query, measured.runs[1].by_query
    found = find_losses(*by_query, measure, (first, second), judgments, number)
    with ExitStack() as opened:
        indexes = [opened.enter_context(open_place(place)) for place in (places or [])[:2]]
        both = indexes * 2 if len(indexes) == 1 else indexes
        return [
            ExplainedLoss(
                loss,
                texts[loss.query_id].text if loss.query_id in texts else "",
                explain_loss(loss, texts[loss.query_id], both) if loss.query_id in texts else (),
            )
            for loss in found
        ]


def print_loss(one: "ExplainedLoss", names: Sequence[str]) -> None:
    """Print a loss: the query, the ranks of relevant documents, and matches side by side."""
    from itertools import zip_longest

    from dragoman.reports.html_page import SHOWN_DOCUMENTS
    from dragoman.reports.losses import shown_links

    loss, plain = one.loss, terminal.plain
    terminal.out.print(
        f"[bold]{plain(loss.query_id)}[/] {plain(one.query)}  {plain(names[0])} {loss.first:.4f},"
        f" {plain(names[1])} {loss.second:.4f}",
        soft_wrap=True,
    )
    for document in loss.documents[:SHOWN_DOCUMENTS]:
        ranks = f"{document.first_rank or '-'} and {document.second_rank or '-'}"
        terminal.out.print(
            f"  {plain(document.doc_id)} (grade {document.grade}): rank {ranks}", soft_wrap=True
        )
    columns = [shown_links(explanation) for explanation in one.explanations]
    width = max((len(line) for column in columns[:1] for line in column), default=0)
    for left, right in zip_longest(*columns, fillvalue="") if len(columns) > 1 else ():
        terminal.out.print(f"    {plain(left):<{width}}  |  {plain(right)}", soft_wrap=True)
