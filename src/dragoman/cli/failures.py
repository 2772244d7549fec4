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
    from dragoman.metrics.outcomes import RunMeasure
    from dragoman.metrics.report import Report
    from dragoman.reports.losses import ExplainedLoss
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
MOST_INDEXES = 2
LossCount = Annotated[int, typer.Option("--losses", "-n", min=0, help="How many queries.")]


def failures(
    first: Annotated[Path, typer.Argument(metavar="RUN", help="The run that is looked into.")],
    second: Annotated[Path, typer.Argument(metavar="OTHER", help="The run it is compared with.")],
    qrels: Annotated[
        str, typer.Option(metavar="QRELS", help="Judgments: a file, a collection or irds:NAME.")
    ],
    measure: Annotated[
        str,
        typer.Option(
            help="The measure of the losses.",
            show_default="nDCG@10; of CIRAL, NeuCLIR, HC4 nDCG@20",
        ),
    ] = "",
    queries: Annotated[str, typer.Option(help="The queries, for their texts.")] = "",
    index: RunIndexes = None,
    number: LossCount = 10,
    split: Annotated[str, typer.Option(help="Only judgments of this split.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the queries where RUN loses most to OTHER, with ranks of relevant documents.

    With --queries and --index the document that lost most gain is explained side by side.

    [dim]dragoman failures psq.trec dense.trec --qrels qrels.tsv[/]
    """
    from dataclasses import asdict

    import numpy as np

    from dragoman.metrics.report import evaluate as report_on
    from dragoman.text.files import Faults
    from dragoman.text.source import read_queries, read_run

    expect_explanations(index or [], queries)
    chosen = one_measure(measure, qrels)
    faults = Faults()
    paths = named([first, second])
    judgments = judgments_of(qrels, split, faults)
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


def one_measure(name: str, qrels: str) -> "RunMeasure":
    """The measure of that name, else the first that is reported for the judgments."""
    from dragoman.errors import UserError
    from dragoman.metrics.defaults import default_measures
    from dragoman.metrics.parser import parse_measures

    if not name:
        return parse_measures(default_measures(qrels))[0]
    measures = parse_measures(name)
    if len(measures) > 1:
        raise UserError(f"Found the measures {name}; expected one, by which losses are ordered.")
    return measures[0]


def expect_explanations(places: Sequence[str], queries: str) -> None:
    """Refuse indexes that no explanation could come from."""
    from dragoman.errors import UserError

    if places and not queries:
        raise UserError(
            "Found --index without --queries; expected both, because texts are explained."
        )
    if len(places) > MOST_INDEXES:
        raise UserError(f"Found {len(places)} indexes; expected one for each of the two runs.")


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
    from dragoman.reports.losses import ExplainedLoss, explain_loss, find_losses
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
        indexes = [opened.enter_context(open_place(place)) for place in places]
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

    from dragoman.reports.losses import SHOWN_DOCUMENTS, shown_links

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
    terminal.out.print(f"  {plain(names[0])} ranks first: {plain(loss.shown_top)}", soft_wrap=True)
    if not any(one.explanations):
        return
    terminal.out.print(f"  matches of {plain(loss.documents[0].doc_id)}", soft_wrap=True)
    columns = [
        [name, *shown_links(explanation)]
        for name, explanation in zip(names, one.explanations, strict=True)
    ]
    width = max(map(len, columns[0]))
    for left, right in zip_longest(*columns, fillvalue=""):
        terminal.out.print(f"    {plain(left.ljust(width))}  |  {plain(right)}", soft_wrap=True)
