"""A report of runs -> tables for papers: CSV, LaTeX and Markdown, with significance marks.

Runs have letters in their order. A mean is marked with the letters of the runs that it is
significantly above: by the permutation test, two-sided, after Holm's correction over all
comparisons of the report, at the level ``alpha``.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from string import ascii_lowercase

from dragoman.errors import ConfigError
from dragoman.metrics.report import Estimate, Report
from dragoman.reports.settings_notes import ALPHA, notes, signature

ALL = "all"
_LATEX = str.maketrans(
    {
        **{one: f"\\{one}" for one in "&%$#_{}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
    }
)
_MARKDOWN = str.maketrans({"|": r"\|"})


@dataclass(frozen=True, slots=True)
class TableRow:
    """One run in one group: all queries, or a language pair."""

    group: str
    letter: str
    run: str
    estimates: Mapping[str, Estimate]
    marks: Mapping[str, str]  # by measure: letters of the runs that it is significantly above


def table_rows(report: Report, alpha: float = ALPHA) -> list[TableRow]:
    """The rows of all runs over all queries, then by language pair; pairs have no marks."""
    letters = dict(zip((run.run for run in report.runs), ascii_lowercase, strict=False))
    if len(letters) < len(report.runs):
        raise ConfigError(f"Found {len(report.runs)} runs; expected at most {len(letters)}.")
    rows = [
        TableRow(
            ALL, letters[run.run], run.run, run.measures, _marks(report, run.run, letters, alpha)
        )
        for run in report.runs
    ]
    for pair in sorted({pair for run in report.runs for pair in run.pairs}):
        rows += [
            TableRow(pair, letters[run.run], run.run, run.pairs[pair], {})
            for run in report.runs
            if pair in run.pairs
        ]
    return rows


def _marks(report: Report, run: str, letters: Mapping[str, str], alpha: float) -> dict[str, str]:
    marks: dict[str, list[str]] = {}
    for test in report.tests:
        if test.randomisation_holm >= alpha or isnan(test.difference):
            continue
        better, worse = (
            (test.first, test.second) if test.difference > 0 else (test.second, test.first)
        )
        if better == run:
            marks.setdefault(test.measure, []).append(letters[worse])
    return {measure: "".join(sorted(above)) for measure, above in marks.items()}


def as_csv(report: Report, alpha: float = ALPHA) -> str:
    """One line for every group, run and measure."""
    header = ("group", "run", "measure", "mean", "low", "high", "queries", "above", "signature")
    rows = table_rows(report, alpha)
    names = {row.letter: row.run for row in rows}
    made_by = signature(report, alpha)
    lines: list[Sequence[object]] = [
        (
            row.group,
            row.run,
            measure,
            *(_plain(value) for value in (estimate.mean, estimate.low, estimate.high)),
            estimate.queries,
            " ".join(names[letter] for letter in row.marks.get(measure, "")),
            made_by,
        )
        for row in rows
        for measure, estimate in row.estimates.items()
    ]
    return _csv([header, *lines])


def queries_as_csv(report: Report) -> str:
    """The value of every query: a line for each query, a column for each run and measure."""
    columns = [(run.run, measure) for run in report.runs for measure in run.measures]
    by_run = {
        run.run: {
            query_id: {measure: run.by_query.values[measure][row] for measure in run.measures}
            for row, query_id in enumerate(run.by_query.query_ids)
        }
        for run in report.runs
    }
    header = ["query", *(f"{run} {measure}" for run, measure in columns)]
    query_ids = sorted({query_id for values in by_run.values() for query_id in values})
    lines: list[Sequence[object]] = [
        [query_id, *(_plain(by_run[run][query_id][measure]) for run, measure in columns)]
        for query_id in query_ids
    ]
    return _csv([header, *lines])


def as_latex(report: Report, alpha: float = ALPHA) -> str:
    """A ``tabular`` of means for the package booktabs; the best mean of a group is bold."""
    rows = table_rows(report, alpha)
    measures = list(rows[0].estimates)
    lines = [f"% {note}" for note in notes(report, alpha)] + [
        rf"\begin{{tabular}}{{ll{'r' * len(measures)}}}",
        r"\toprule",
        " & ".join(["", "run", *(measure.translate(_LATEX) for measure in measures)]) + r" \\",
    ]
    for group, group_rows in _groups(rows):
        lines.append(r"\midrule")
        if group != ALL:
            lines.append(
                rf"\multicolumn{{{2 + len(measures)}}}{{l}}{{{group.translate(_LATEX)}}} \\"
            )
        best = _best(group_rows, measures)
        for row in group_rows:
            cells = [_latex_cell(row, measure, best[measure]) for measure in measures]
            name = row.run.translate(_LATEX)
            lines.append(" & ".join([f"({row.letter})", name, *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _latex_cell(row: TableRow, measure: str, best: float) -> str:
    mean = row.estimates[measure].mean
    if isnan(mean):
        return "--"
    number = rf"\textbf{{{mean:.3f}}}" if mean == best else f"{mean:.3f}"
    marks = row.marks.get(measure, "")
    return rf"{number}$^{{{marks}}}$" if marks else number


def as_markdown(report: Report, alpha: float = ALPHA) -> str:
    """A table of means for each group, with superscript letters."""
    rows = table_rows(report, alpha)
    measures = list(rows[0].estimates)
    blocks = []
    for group, group_rows in _groups(rows):
        best = _best(group_rows, measures)
        lines = [
            f"| {group} | {' | '.join(measures)} |",
            f"| --- |{' ---: |' * len(measures)}",
            *(
                f"| {row.letter} {row.run.translate(_MARKDOWN)} | "
                + " | ".join(_markdown_cell(row, measure, best[measure]) for measure in measures)
                + " |"
                for row in group_rows
            ),
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join([*blocks, "\n".join(notes(report, alpha))]) + "\n"


def _markdown_cell(row: TableRow, measure: str, best: float) -> str:
    mean = row.estimates[measure].mean
    if isnan(mean):
        return "-"
    number = f"**{mean:.4f}**" if mean == best else f"{mean:.4f}"
    marks = row.marks.get(measure, "")
    return f"{number}<sup>{marks}</sup>" if marks else number


def _groups(rows: Sequence[TableRow]) -> Iterator[tuple[str, list[TableRow]]]:
    for group in dict.fromkeys(row.group for row in rows):
        yield group, [row for row in rows if row.group == group]


def _best(rows: Sequence[TableRow], measures: Sequence[str]) -> dict[str, float]:
    if len(rows) == 1:  # nothing to stand out from
        return dict.fromkeys(measures, float("nan"))
    return {
        measure: max((row.estimates[measure].mean for row in rows), default=float("nan"))
        for measure in measures
    }


def _csv(lines: Sequence[Sequence[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(lines)
    return stream.getvalue()


def _plain(value: float) -> str:
    return "" if isnan(value) else repr(float(value))
