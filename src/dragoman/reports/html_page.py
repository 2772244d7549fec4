"""Several measured runs -> one HTML file with tables, pictures and losses; it loads nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import isnan

from dragoman.metrics.report import Report
from dragoman.reports.html_losses import loss_blocks
from dragoman.reports.losses import ExplainedLoss
from dragoman.reports.settings_notes import ALPHA, notes
from dragoman.reports.tables import ALL, TableRow, table_rows

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .2rem .7rem; text-align: right; vertical-align: top }
th:first-child, td:first-child, .text { text-align: left } thead { border-bottom: 1px solid }
td small, .note { color: #555 } td small { display: block; white-space: nowrap }
svg { max-width: 100%; height: auto; background: white } figure { margin: 1rem 0 }
@media (prefers-color-scheme: dark) {
  body { background: #111; color: #ddd } td small, .note { color: #aaa }
}
"""
SMALLEST = 0.0001  # p-values below it are written as a bound


@dataclass(frozen=True, slots=True)
class PageParts:
    """What a page shows besides the tables: pictures as SVG by their captions, and losses."""

    pictures: Mapping[str, str] = field(default_factory=dict)
    losses: Sequence[ExplainedLoss] = ()
    losing: tuple[str, str] = ("", "")  # the run that loses, and the one that it loses to
    measure: str = ""


def html_page(title: str, report: Report, parts: PageParts, alpha: float = ALPHA) -> str:
    """The page; every name and text is escaped."""
    rows = table_rows(report, alpha)
    body = [
        f"<h1>{escape(title)}</h1>",
        *(f'<p class="note">{escape(note)}</p>' for note in notes(report, alpha)),
        "<h2>all queries</h2>",
        _table([row for row in rows if row.group == ALL]),
        *_tests(report),
        *(
            f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
            for caption, svg in parts.pictures.items()
        ),
        *_pairs([row for row in rows if row.group != ALL]),
        *loss_blocks(parts.losses, parts.losing, parts.measure),
        *_mismatches(report),
    ]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
            *body,
            "</body></html>",
            "",
        ]
    )


def _table(rows: Sequence[TableRow], *, with_group: bool = False) -> str:
    measures = list(rows[0].estimates)
    names = (*(["pair"] if with_group else []), "run", *measures, "queries")
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    lines = [
        "<tr>"
        + (f"<td>{escape(row.group)}</td>" if with_group else "")
        + f'<td class="text">{row.letter} {escape(row.run)}</td>'
        + "".join(_cell(row, measure) for measure in measures)
        + f"<td>{max(one.queries for one in row.estimates.values()):,}</td></tr>"
        for row in rows
    ]
    body = "\n".join(lines)
    return f"<table><thead><tr>{head}</tr></thead>\n{body}</table>"


def _cell(row: TableRow, measure: str) -> str:
    estimate = row.estimates[measure]
    if isnan(estimate.mean):
        return "<td>-</td>"
    marks = row.marks.get(measure, "")
    above = f"<sup>{marks}</sup>" if marks else ""
    interval = f"{estimate.low:.4f} to {estimate.high:.4f}"
    return f"<td>{estimate.mean:.4f}{above}<small>{interval}</small></td>"


def _pairs(rows: Sequence[TableRow]) -> list[str]:
    """All pairs in one table, folded: there can be hundreds."""
    if not rows:
        return []
    number = len({row.group for row in rows})
    table = _table(rows, with_group=True)
    return [f"<details><summary>values of {number} language pairs</summary>{table}</details>"]


def _tests(report: Report) -> list[str]:
    if not report.tests:
        return []
    lines = [
        f'<tr><td>{escape(test.measure)}</td><td class="text">{escape(test.first)} -'
        f" {escape(test.second)}</td><td>{_number(test.difference)}</td>"
        f"<td>{_probability(test.student_holm)}</td>"
        f"<td>{_probability(test.randomisation_holm)}</td></tr>"
        for test in report.tests
    ]
    head = (
        '<th>measure</th><th class="text">runs</th><th>difference</th><th>Student</th>'
        "<th>permutation</th>"
    )
    table = f"<table><thead><tr>{head}</tr></thead>{''.join(lines)}</table>"
    return ["<h2>paired tests, p-values after Holm</h2>", table]


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:+.4f}"


def _probability(value: float) -> str:
    return f"{value:.4f}" if value >= SMALLEST else f"&lt;{SMALLEST:.4f}"


def _mismatches(report: Report) -> list[str]:
    return [
        f'<p class="note">{escape(run.run)}: {escape(str(mismatch))}</p>'
        for run in report.runs
        for mismatch in run.mismatches
    ]
