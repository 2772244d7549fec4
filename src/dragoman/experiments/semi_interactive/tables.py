"""Results of trainings -> Tables 2 to 6 in Markdown and CSV, each beside what the paper printed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.experiments.claims import SIGNIFICANT
from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.group_means import (
    GroupedValues,
    mean_of_groups,
    stratified_values,
    weighted_values,
)
from dragoman.experiments.semi_interactive import paper
from dragoman.experiments.semi_interactive.plan import NON, SEMI
from dragoman.experiments.semi_interactive.runs import Result
from dragoman.experiments.semi_interactive.task import Asked
from dragoman.experiments.semi_interactive.values import (
    AUC,
    NDCG,
    measured,
    p_values_above,
)
from dragoman.metrics.significance import bootstrap_interval

AVERAGE = paper.AVERAGE
VERY_SIGNIFICANT = 0.01
FACTOR, PLACES = {AUC: 100.0, NDCG: 1.0}, {AUC: 2, NDCG: 4}  # as the paper prints them
MARKS = (
    "‡ and † stand where a model is above NON-INTERACT with p < .01 and p < .05 (paired bootstrap"
    " over the questions, Koehn 2004, after Holm over the table); bold is the highest of a column"
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean over questions, half of its 95 % interval, and how it stands to the baseline."""

    value: float
    half: float
    above: float | None  # p-value of being above the baseline; None for itself

    @property
    def mark(self) -> str:
        """As in the paper."""
        if self.above is None or self.above >= SIGNIFICANT:
            return ""
        return "‡" if self.above < VERY_SIGNIFICANT else "†"


@dataclass(frozen=True, slots=True)
class Table:
    """Models by columns: languages, then averages."""

    title: str
    measure: str
    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, Cell]]
    printed: Mapping[str, Mapping[str, float]]


def table(
    title: str,
    measure: str,
    results: Mapping[str, Result],
    asked: Sequence[Asked],
    groups: Mapping[str, Sequence[str]],
    printed: Mapping[str, Mapping[str, float]],
    baseline: str = NON,
) -> Table:
    """A table of languages, each group of them followed by its average.

    ``groups`` names the averages: label -> languages.
    """
    values = {name: measured(asked, result.scores)[measure] for name, result in results.items()}
    columns = {
        column: codes for label, group in groups.items() for column, codes in _columns(label, group)
    }
    pairs = {
        (name, column): (
            weighted_values(values[name], codes),
            weighted_values(values[baseline], codes),
        )
        for name in results
        if name != baseline
        for column, codes in columns.items()
    }
    above = dict(zip(pairs, p_values_above(list(pairs.values())), strict=True))
    rows = {
        name: {
            column: _cell(values[name], codes, above.get((name, column)))
            for column, codes in columns.items()
        }
        for name in results
    }
    return Table(
        title, measure, tuple(columns), rows, {n: printed[n] for n in results if n in printed}
    )


def _columns(label: str, group: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    return [*((code, (code,)) for code in group), (label, tuple(group))]


def _cell(values: GroupedValues, codes: Sequence[str], above: float | None) -> Cell:
    interval = bootstrap_interval(stratified_values(values, codes), np.random.default_rng(0))
    return Cell(mean_of_groups(values, codes), (interval.high - interval.low) / 2, above)


def markdown(found: Table, beside: Mapping[str, Mapping[str, str]] | None = None) -> list[str]:
    """The table; ``beside`` adds columns of text (heading -> row -> cell)."""
    more = beside or {}
    heads = [*found.columns, *more]
    factor, places = FACTOR[found.measure], PLACES[found.measure]
    lines = [f"| {found.title} | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]
    best = {c: max(row[c].value for row in found.rows.values()) for c in found.columns}
    for name, row in found.rows.items():
        cells = []
        for column in found.columns:
            shown = f"{row[column].value * factor:.{places}f}"
            bold = f"**{shown}**" if row[column].value == best[column] else shown
            cells.append(f"{bold}{row[column].mark} ±{row[column].half * factor:.{places - 1}f}")
        cells += [column.get(name, "") for column in more.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    for name, numbers in found.printed.items():
        cells = [_printed(numbers.get(column), places) for column in found.columns]
        cells += ["" for _ in more]
        lines.append(f"| *{name}, paper* | {' | '.join(cells)} |")
    return lines


def _printed(number: float | None, places: int) -> str:
    return "" if number is None else f"*{number:.{places}f}*"


def table_4(
    results: Mapping[str, Result], asked: Sequence[Asked], group: Sequence[str]
) -> dict[tuple[bool, bool], float]:
    """Trained with relevant queries, tested with them -> AUC, the mean over languages."""
    found = {}
    for name, trained in ((SEMI, True), (NON, False)):
        result = results[name]
        assert result.crossed is not None, "trained for Table 4"
        for tested, scores in ((trained, result.scores), (not trained, result.crossed)):
            found[trained, tested] = mean_of_groups(measured(asked, scores)[AUC], group)
    return found


def markdown_4(found: Mapping[tuple[bool, bool], float]) -> list[str]:
    """Table 4 as the paper lays it out."""
    lines = ["| Table 4: AUC | trained with queries | trained without |", "|---|---:|---:|"]
    for tested, label in ((True, "tested with queries"), (False, "tested without")):
        cells = [f"{found[trained, tested] * 100:.2f}" for trained in (True, False)]
        lines.append(f"| {label} | {' | '.join(cells)} |")
        there = [f"*{paper.TABLE_4[trained, tested]:.2f}*" for trained in (True, False)]
        lines.append(f"| *{label}, paper* | {' | '.join(there)} |")
    return lines


def write_table(path: Path, found: Table) -> None:
    """Every number of a table."""
    head = ("model", "measure", "column", "value", "half_interval", "p_above_baseline", "paper")
    rows = [
        (name, found.measure, column, f"{cell.value:.6f}", f"{cell.half:.6f}",
         "" if cell.above is None else f"{cell.above:.4g}",
         found.printed.get(name, {}).get(column, ""))
        for name, row in found.rows.items() for column, cell in row.items()
    ]  # fmt: skip
    write_csv(path, head, rows)
