"""``dragoman evaluate``: measures of runs, by language pair, and tests of their differences."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.opening import KeyFile, entries, open_place
from dragoman.cli.options import AsJson, OnBadLine, Seed
from dragoman.registry import MEASURES
from dragoman.text.files import OnError

if TYPE_CHECKING:
    from rich.table import Table

    from dragoman.metrics.report import Comparison, Estimate, Report
    from dragoman.text.files import Faults
    from dragoman.types import Judgments


class TableFormat(StrEnum):
    """The forms of a table."""

    TEXT = "text"
    CSV = "csv"
    LATEX = "latex"
    MARKDOWN = "markdown"


SUFFIXES = {".gz", ".zst", ".trec", ".run", ".txt"}
SMALLEST_PRINTED = 0.0001
# A pipe has no width; a table takes only what its text needs.
WIDTH_OF_A_PIPE = 400


def evaluate(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="TREC runs, as `dragoman run` writes them."),
    ],
    qrels: Annotated[
        str,
        typer.Option(
            metavar="QRELS", help="Judgments: plain or TREC qrels, a collection folder, irds:NAME."
        ),
    ],
    measures: Annotated[
        str,
        typer.Option(
            metavar="MEASURES",
            help=f"Measures, of {', '.join(MEASURES)}; @k cuts rankings at k, P(rel=2)@1 counts"
            " grades from 2, AQWV(beta=40) sets a parameter.",
            show_default="nDCG@10 RR AP R@100; of CIRAL, NeuCLIR, HC4 nDCG@20",
        ),
    ] = "",
    queries: Annotated[
        str,
        typer.Option(
            metavar="QUERIES", help="The queries, for their languages.", show_default=False
        ),
    ] = "",
    corpus: Annotated[
        str,
        typer.Option(
            metavar="CORPUS",
            help="The documents, for their languages and their number: a file, a collection, an"
            " index folder or the address of a service.",
            show_default=False,
        ),
    ] = "",
    collection_size: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="How many documents there are, where --corpus is not given.", min=1
        ),
    ] = None,
    columns: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="The columns of TREC qrels without a header: query,0,document,grade.",
            show_default=False,
        ),
    ] = "",
    split: Annotated[
        str,
        typer.Option(
            help="Only judgments of this split of a collection folder, as in test.",
            show_default="all; of a BEIR folder, test",
        ),
    ] = "",
    key_file: KeyFile = None,
    seed: Seed = 0,
    on_error: OnBadLine = OnError.STOP,
    format: Annotated[  # noqa: A002 - the option's name
        TableFormat,
        typer.Option(help="Tables for people, or for papers with significance marks."),
    ] = TableFormat.TEXT,
    by_query: Annotated[
        bool,
        typer.Option("--by-query", help="The values of every query, as CSV or with --json."),
    ] = False,
    alpha: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="The level of significance marks.")
    ] = 0.05,
    as_json: AsJson = False,
) -> None:
    """Measure each RUN against QRELS, with 95 % intervals; compare several runs.

    With --queries and --corpus there is a table for each language pair.
    Several runs are compared by paired tests, corrected over all comparisons.

    [dim]dragoman evaluate psq.trec bm25.trec --qrels qrels.tsv --measures "RR P@5"[/]
    """
    import numpy as np

    from dragoman.metrics.defaults import default_measures
    from dragoman.metrics.parser import parse_measures
    from dragoman.metrics.report import evaluate as report_on
    from dragoman.reports.settings_notes import settings_lines
    from dragoman.text.files import Faults
    from dragoman.text.source import read_queries, read_run

    chosen = parse_measures(measures or default_measures(qrels))  # refused before any file is read
    faults = Faults(on_error)
    judgments = judgments_of(qrels, split, faults, columns)
    with terminal.progress("evaluating") as advance:
        report = report_on(
            {name: read_run(path, faults) for name, path in named(runs).items()},
            judgments,
            chosen,
            rng=np.random.default_rng(seed),
            query_languages={q.query_id: q.language for q in read_queries(queries, faults)}
            if queries
            else None,
            document_languages=document_languages(corpus, key_file, faults) if corpus else None,
            collection_size=collection_size,
            seed=seed,
            advance=advance,
        )
    if as_json:
        terminal.print_json(report.as_json(by_query=by_query))
    elif by_query or format is not TableFormat.TEXT:
        terminal.out.file.write(paper_table(report, format, alpha, by_query=by_query))
    else:
        for table in tables(report):
            print_table(table)
        for line in settings_lines(report):
            terminal.out.print(line, style="dim", markup=False)
    for note in notes(report):
        terminal.err.print(note, markup=False, soft_wrap=True)
    terminal.report(faults)


def paper_table(report: "Report", format: TableFormat, alpha: float, *, by_query: bool) -> str:  # noqa: A002
    """The report in a format of papers; values of queries are CSV."""
    from dragoman.errors import UserError
    from dragoman.reports import tables

    if by_query:
        if format not in (TableFormat.TEXT, TableFormat.CSV):
            raise UserError(f"Found --by-query with --format {format}; expected csv, or --json.")
        return tables.queries_as_csv(report)
    if format is TableFormat.CSV:
        return tables.as_csv(report, alpha)
    write = tables.as_latex if format is TableFormat.LATEX else tables.as_markdown
    return write(report, alpha)


def document_languages(corpus: str, key_file: Path | None, faults: "Faults") -> dict[str, str]:
    """The language of every document of a corpus, of an index or of a service."""
    from dragoman.indexes.manifest import is_index
    from dragoman.service.clients.address import is_address
    from dragoman.text.source import read_documents

    if is_address(corpus) or is_index(Path(corpus)):
        with open_place(corpus, key_file) as index:
            return {entry.doc_id: entry.language for entry in entries(index, index.scope())}
    return {document.doc_id: document.language for document in read_documents(corpus, faults)}


def judgments_of(source: str, split: str, faults: "Faults", columns: str = "") -> "Judgments":
    """The judgments of a source, or of one split of a collection; a file has no splits."""
    from dragoman.errors import UserError
    from dragoman.text.collection import Collection
    from dragoman.text.source import read_judgments

    if not split:
        return read_judgments(source, faults, columns=columns)
    if Path(source).is_file():
        raise UserError(
            f"Found --split {split} with the file {source}; expected a collection folder, whose"
            " queries or qrels have splits."
        )
    return Collection.open(source, faults).judgments(split)


def named(paths: Sequence[Path]) -> dict[str, Path]:
    """Each run by its file name without suffixes, or by its path where two share that name."""
    short = [without_suffixes(path) for path in paths]
    counts = Counter(short)
    return {
        name if counts[name] == 1 else str(path): path
        for name, path in zip(short, paths, strict=True)
    }


def without_suffixes(path: Path) -> str:
    """``psq-1.2`` for ``runs/psq-1.2.trec.gz``."""
    while path.suffix in SUFFIXES:
        path = path.with_suffix("")
    return path.name


def notes(report: "Report") -> list[str]:
    """Mismatches of queries and documents, and the best thresholds, by run."""
    mismatches = [f"{run.run}: {mismatch}" for run in report.runs for mismatch in run.mismatches]
    thresholds = [
        f"{run.run}: {measure} is reached at threshold {threshold:g}"
        for run in report.runs
        for measure, threshold in run.thresholds.items()
    ]
    return mismatches + thresholds


def tables(report: "Report") -> Iterator["Table"]:
    """One table over all queries, one per language pair, one of the significance tests."""
    yield estimates("all queries", {run.run: run.measures for run in report.runs})
    pairs = sorted({pair for run in report.runs for pair in run.pairs})
    for pair in pairs:
        yield estimates(pair, {run.run: run.pairs[pair] for run in report.runs})
    if report.tests:
        yield comparisons(report.tests)


def estimates(title: str, runs: Mapping[str, Mapping[str, "Estimate"]]) -> "Table":
    """Mean, interval and number of queries, measure by measure and run by run."""
    several = len(runs) > 1
    table = new_table(title, ["measure", *(["run"] if several else [])])
    for heading in ("mean", "95 % interval", "queries"):
        table.add_column(heading, justify="right", no_wrap=True)
    for measure in next(iter(runs.values())):
        for row, (run, values) in enumerate(runs.items()):
            estimate = values[measure]
            table.add_row(
                terminal.plain(measure) if row == 0 else "",
                *([terminal.plain(run)] if several else []),
                number(estimate.mean),
                f"{number(estimate.low)} to {number(estimate.high)}",
                f"{estimate.queries:,}",
            )
    return table


def comparisons(tests: Sequence["Comparison"]) -> "Table":
    """The difference of every two runs, with its p-values."""
    table = new_table("paired tests, p-values after Holm", ["measure", "runs"])
    for heading in ("difference", "Student", "randomisation"):
        table.add_column(heading, justify="right", no_wrap=True)
    for test in tests:
        table.add_row(
            terminal.plain(test.measure),
            terminal.plain(f"{test.first} - {test.second}"),
            number(test.difference, "+"),
            probability(test.student_holm),
            probability(test.randomisation_holm),
        )
    return table


def new_table(title: str, text_columns: Sequence[str]) -> "Table":
    """A table whose text columns may fold."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title=title)
    table.title_justify = "left"
    table.title_style = "bold"
    for heading in text_columns:
        table.add_column(heading, overflow="fold")
    return table


def print_table(table: "Table") -> None:
    """Print a table, at most as wide as the terminal; in a pipe as wide as it needs to be."""
    terminal.out.print(table, width=None if terminal.out.is_terminal else WIDTH_OF_A_PIPE)
    terminal.out.print()


def number(value: float, sign: str = "") -> str:
    """Four decimals; a dash where the value is undefined."""
    return "-" if isnan(value) else f"{value:{sign}.4f}"


def probability(value: float) -> str:
    """Four decimals; a value that would round to 0 is printed as a bound."""
    return f"{value:.4f}" if value >= SMALLEST_PRINTED else f"<{SMALLEST_PRINTED}"
