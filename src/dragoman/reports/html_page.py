"""Several measured runs -> one HTML file with tables, pictures and losses; it loads nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import isnan

from dragoman.metrics.report import Report
from dragoman.reports.losses import Loss, shown_links
from dragoman.reports.tables import ALPHA, TableRow, notes, table_rows
from dragoman.types import Explanation

SHOWN_DOCUMENTS = 5
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .2rem .7rem; text-align: right }
th:first-child, td:first-child, .text { text-align: left } thead { border-bottom: 1px solid }
svg { max-width: 100%; height: auto; background: white }
.note { color: #555 } figure { margin: 1rem 0 }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd } .note { color: #aaa } }
"""


@dataclass(frozen=True, slots=True)
class ExplainedLoss:
    """A loss with its query and the explanations by the index of each run."""

    loss: Loss
    query: str
    explanations: Sequence[Explanation | None] = ()


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
        *(_table(group, [row for row in rows if row.group == group]) for group in _groups(rows)),
        *_tests(report),
        *(
            f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
            for caption, svg in parts.pictures.items()
        ),
        *_losses(parts),
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


def _groups(rows: Sequence[TableRow]) -> list[str]:
    return list(dict.fromkeys(row.group for row in rows))


def _table(group: str, rows: Sequence[TableRow]) -> str:
    measures = list(rows[0].estimates)
    head = "".join(f"<th>{escape(name)}</th>" for name in ("run", *measures, "queries"))
    lines = [
        f"<tr><td>{row.letter} {escape(row.run)}</td>"
        + "".join(_cell(row, measure) for measure in measures)
        + f"<td>{max(one.queries for one in row.estimates.values()):,}</td></tr>"
        for row in rows
    ]
    body = "\n".join(lines)
    return f"<h2>{escape(group)}</h2><table><thead><tr>{head}</tr></thead>\n{body}</table>"


def _cell(row: TableRow, measure: str) -> str:
    estimate = row.estimates[measure]
    if isnan(estimate.mean):
        return "<td>-</td>"
    marks = row.marks.get(measure, "")
    above = f"<sup>{marks}</sup>" if marks else ""
    interval = f"{estimate.low:.4f} to {estimate.high:.4f}"
    return f'<td title="{interval}">{estimate.mean:.4f}{above}</td>'


def _tests(report: Report) -> list[str]:
    if not report.tests:
        return []
    lines = [
        f'<tr><td>{escape(test.measure)}</td><td class="text">{escape(test.first)} -'
        f" {escape(test.second)}</td><td>{test.difference:+.4f}</td>"
        f"<td>{test.student_holm:.4f}</td><td>{test.randomisation_holm:.4f}</td></tr>"
        for test in report.tests
    ]
    head = "<th>measure</th><th>runs</th><th>difference</th><th>Student</th><th>permutation</th>"
    table = f"<table><thead><tr>{head}</tr></thead>{''.join(lines)}</table>"
    return ["<h2>paired tests, p-values after Holm</h2>", table]


def _losses(parts: PageParts) -> list[str]:
    if not parts.losses:
        return []
    worse, better = map(escape, parts.losing)
    blocks = [f"<h2>where {worse} loses most to {better}, by {escape(parts.measure)}</h2>"]
    for one in parts.losses:
        loss = one.loss
        blocks.append(
            f"<h3>{escape(loss.query_id)} <bdi>{escape(one.query)}</bdi>:"
            f" {loss.first:.4f} and {loss.second:.4f}</h3>"
        )
        ranks = "".join(
            f"<tr><td>{escape(document.doc_id)}</td><td>{document.grade}</td>"
            f"<td>{document.first_rank or '-'}</td><td>{document.second_rank or '-'}</td></tr>"
            for document in loss.documents[:SHOWN_DOCUMENTS]
        )
        head = f"<th>relevant</th><th>grade</th><th>rank, {worse}</th><th>rank, {better}</th>"
        blocks.append(f"<table><thead><tr>{head}</tr></thead>{ranks}</table>")
        if any(one.explanations):
            cells = "".join(
                f'<td class="text">{"<br>".join(map(escape, shown_links(explanation))) or "-"}</td>'
                for explanation in one.explanations
            )
            blocks.append(
                f"<table><thead><tr><th>matches, {worse}</th><th>matches, {better}</th></tr>"
                f"</thead><tr>{cells}</tr></table>"
            )
    return blocks


def _mismatches(report: Report) -> list[str]:
    return [
        f'<p class="note">{escape(run.run)}: {escape(str(mismatch))}</p>'
        for run in report.runs
        for mismatch in run.mismatches
    ]
