"""Results -> an HTML report, and a section of ``docs/results.md``."""

import json
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from dragoman.experiments.claims import claims_markdown
from dragoman.experiments.smooth.claims import PRIMARY
from dragoman.experiments.smooth.experiment import SmoothReproduction
from dragoman.experiments.smooth.plan import CLIPPED, FULL, SmoothPart
from dragoman.experiments.smooth.runs import SmoothTrainingResult
from dragoman.experiments.smooth.seeds import seeds_markdown
from dragoman.experiments.smooth.stability_tables import (
    gradients_caption,
    gradients_markdown,
    spread_caption,
    spread_markdown,
    stability_rows,
)
from dragoman.experiments.smooth.tables import (
    AS_CODED,
    PAPER_NAMES,
    SmoothCell,
    SmoothTable,
    grades_markdown,
    table_markdown,
    validation_curves,
)
from dragoman.storage.staging import write_lines
from dragoman.systems.smooth.validation import MEASURES

STYLE = (
    "body{font:15px/1.45 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;padding:.3em .6em}"
    "td{text-align:right}td:first-child,th{text-align:left}small{color:#666}img{max-width:100%}"
    ".best{font-weight:bold}.paper{color:#777;font-style:italic}pre{background:#f6f6f6;padding:1em}"
)
CAPTIONS = {
    "figure-1": "Figure 1. The derivative of the smooth cosine of (x1, x2) and (1, 1) in x1.",
    "figure-2": "Figure 2. SOSL and MSE for three classes with the thresholds 0 and 0.5.",
    "figure-3": "Figure 3. Scores of training pairs by grade, for every loss.",
    "figure-4": "Figure 4. SOSL with different epsilon, thresholds by grid search.",
    "figure-5": "Figure 5. SOSL with different numbers of irrelevant documents per query.",
}
INTERVALS = (
    "Means over the test queries; the judged documents of a query are ranked. Small numbers are"
    " 95 % intervals (percentile bootstrap over queries). * differs from the first row: paired t"
    " test, p < .05 after Holm over the table."
)

CONVENTIONS = (
    "Means over the test queries, ± half of the 95 % interval; bold is the highest of a column,"
    " \\* differs from SOSL with average pooling (paired t test, p < .05 after Holm). The"
    " paper's rows are on another collection, for context. Claims are tested by"
    f" {PRIMARY}, which also ends the trainings. Thresholds lie between the lowest and the"
    " highest attainable score, except in rows *as printed*, where they lie between -1 and 1. With"
    " several seeds, values of a query are averaged over seeds before a test; the range over seeds"
    " stands apart."
)
READINGS_CAPTION = (
    "Readings of the paper. Ours: as in Tables 2 and 3. As printed: classes end at -1 and 1; LSTM"
    " has the forward state after the first word and the backward state after the whole text. As"
    " coded by the authors: the plain cosine, a penalty for every threshold on the wrong side of a"
    f" score, gradients clipped to {CLIPPED:g}, a vector for unknown words, means of padded texts."
)
ORDINARY_LENGTHS = (
    " The authors' code begins with vectors as long as in their file; these were read without"
    " their lengths and begin as long as in the other rows."
)


def write_html(folder: Path, results: SmoothReproduction, command: str) -> Path:
    """Write the report into ``folder``, which holds the figures already."""
    page = folder / "report.html"
    with write_lines(page) as stream:
        stream.write("\n".join(_html(folder, results, command)) + "\n")
    return page


def _html(folder: Path, results: SmoothReproduction, command: str) -> Iterable[str]:
    yield f"<!doctype html><meta charset=utf-8><title>Smooth learning</title><style>{STYLE}</style>"
    yield "<h1>Cross-lingual document retrieval with smooth learning</h1>"
    yield f"<p>The tables and figures of Liu et al. 2020, made by</p><pre>{escape(command)}</pre>"
    yield "<table>"
    for name, value in results.facts().items():
        yield f"<tr><th>{escape(name)}<td style='text-align:left'>{escape(str(value))}"
    yield f"</table><p>{INTERVALS}</p>"
    for part, table in results.tables.items():
        yield from _table(table)
        if part is SmoothPart.LOSSES and (seeds := seeds_markdown(results.seeded, PRIMARY)):
            yield f"<pre>{escape(chr(10).join(seeds))}</pre>"
        if caption := _caption(part, results):
            yield f"<p>{escape(caption)}</p>"
        shown = "\n".join(_trainings(part, results.labelled(part)))
        yield f"<details><summary>trainings</summary><pre>{escape(shown)}</pre></details>"
    for name, caption in CAPTIONS.items():
        if (folder / f"{name}.png").is_file():
            yield f"<figure><img src='{name}.png' alt='{escape(caption)}'>"
            link = f"<a href='{name}.csv'>CSV</a>"
            yield f"<figcaption>{escape(caption)} {link}</figcaption></figure>"
    if results.stability:
        lines = "\n".join(_stability(results))
        yield f"<pre>{escape(lines)}</pre>"
    yield "<h2>Settings of every training</h2>"
    for trainings in results.trainings.values():
        yield from _settings(trainings)


def _table(table: SmoothTable) -> Iterable[str]:
    pairs = zip(MEASURES, PAPER_NAMES, strict=True)
    heads = "".join(f"<th>{escape(name)}<br><small>{paper}</small>" for name, paper in pairs)
    yield f"<table><tr><th>{escape(table.title)}{heads}"
    best = [max(row[i].mean for row in table.rows.values()) for i in range(len(MEASURES))]
    for name, row in table.rows.items():
        cells = "".join(_cell(cell, high) for cell, high in zip(row, best, strict=True))
        yield f"<tr><td>{escape(name)}<br><small>{escape(table.notes[name])}</small>{cells}"
    for name, values in table.paper.items():
        cells = "".join(f"<td class=paper>{value:.3f}" for value in values)
        yield f"<tr><td class=paper>{escape(name)}, paper (Wikipedia){cells}"
    yield "</table>"


def _cell(cell: SmoothCell, best: float) -> str:
    kind = " class=best" if cell.mean == best else ""
    star = "*" if cell.differs else ""
    interval = f"{cell.interval.low:.3f}-{cell.interval.high:.3f}"
    return f"<td{kind}>{cell.mean:.3f}{star}<br><small>{interval}</small>"


def _settings(results: Mapping[str, SmoothTrainingResult]) -> Iterable[str]:
    for name, result in results.items():
        shown = json.dumps({**result.settings, "chosen thresholds": result.thresholds}, indent=1)
        yield f"<details><summary>{escape(name)}</summary><pre>{escape(shown)}</pre></details>"


def _caption(part: SmoothPart, results: SmoothReproduction) -> str:
    """What the rows of a table are, where their names do not say it."""
    if part is not SmoothPart.AUTHORS:
        return ""
    coded = results.labelled(part).get(AS_CODED)
    ordinary = coded and results.vectors and not coded.settings["config"]["own_lengths"]
    return READINGS_CAPTION + (ORDINARY_LENGTHS if ordinary else "")


def section_name(results: SmoothReproduction, parts: str = "", section: str = "") -> str:
    """The name of the section in the markers of a page; every scale has sections of its own."""
    names = [*_part_names(parts), *_scale_names(results), *filter(None, [section])]
    return "-".join(["smooth", results.languages, *names])


def _part_names(parts: str) -> list[str]:
    return [name.strip() for name in parts.split(",")] if parts else []


def _scale_names(results: SmoothReproduction) -> list[str]:
    """The name of the scale, which headings leave out where it is the full one."""
    return [] if results.scale.name == FULL.name else [results.scale.name]


def _qualifiers(results: SmoothReproduction, parts: str = "", section: str = "") -> str:
    scales = [f"{name} scale" for name in _scale_names(results)]
    return ", ".join([*_part_names(parts), *scales, *filter(None, [section])])


def report(results: SmoothReproduction, command: str, parts: str = "", section: str = "") -> str:
    """The section of ``docs/results.md``; ``parts`` names those that were measured, if not all.

    ``section`` tells it from other sections of the same parts.
    """
    qualifiers = _qualifiers(results, parts, section)
    lines = [
        f"## Smooth learning: {results.languages}" + (f" ({qualifiers})" if qualifiers else ""),
        "",
        f"- command: `{command}`",
        *(f"- {name}: {value}" for name, value in results.facts().items()),
    ]
    if results.trainings:
        lines += ["", CONVENTIONS]
    for part, table in results.tables.items():
        if caption := _caption(part, results):
            lines += ["", caption]
        lines += ["", *table_markdown(table), ""]
        lines += [f"- {name}: {note}" for name, note in table.notes.items()]
        lines += ["", *claims_markdown(results.claims[part]), ""]
        if part is SmoothPart.LOSSES and (seeds := seeds_markdown(results.seeded, PRIMARY)):
            lines += [*seeds, ""]
        lines += _trainings(part, results.labelled(part))
    for part, label, figure in (
        (SmoothPart.EPSILON, "epsilon", "figure-4"),
        (SmoothPart.NEGATIVES, "negatives", "figure-5"),
    ):
        if part in results.trainings:
            lines += ["", CAPTIONS[figure], "", *_sweep(label, results.trainings[part])]
    if results.stability:
        lines += ["", *_stability(results, section)]
    return "\n".join(lines)


def _stability(results: SmoothReproduction, section: str = "") -> list[str]:
    rows = stability_rows(results.stability)
    claims = claims_markdown(results.claims[SmoothPart.STABILITY], "first vectors")
    qualifiers = _qualifiers(results, section=section)
    title = f"{results.languages}, {qualifiers}" if qualifiers else results.languages
    lines = [f"### Stability: {title}", "", spread_caption(rows), ""]
    lines += [*spread_markdown(rows), "", *claims]
    return [*lines, "", gradients_caption(), "", *gradients_markdown(rows)]


def _trainings(part: SmoothPart, results: Mapping[str, SmoothTrainingResult]) -> list[str]:
    ended = [
        "Final scores of the training pairs, mean ± standard deviation; *unsettled* is the share of"
        " pairs with a non-zero gradient of the loss, *pull* their share of the sum of gradients:",
        "",
        *grades_markdown(results),
        "",
    ]
    validated = [
        "nDCG@5 of the validation queries after every epoch:",
        "",
        *validation_curves(results),
    ]
    return [*(ended if part is SmoothPart.LOSSES else []), *validated]


def _sweep(label: str, results: Mapping[str, SmoothTrainingResult]) -> list[str]:
    chosen = label == "epsilon"
    extra = " thresholds |" if chosen else ""
    lines = [
        f"| {label} |{extra} {' | '.join(MEASURES)} |",
        f"|---:|{'---|' if chosen else ''}{'---:|' * len(MEASURES)}",
    ]
    for name, result in results.items():
        means = " | ".join(f"{result.mean(measure):.3f}" for measure in MEASURES)
        thresholds = f" {', '.join(f'{t:g}' for t in result.thresholds)} |" if chosen else ""
        lines.append(f"| {name.rpartition('-')[2]} |{thresholds} {means} |")
    return lines
