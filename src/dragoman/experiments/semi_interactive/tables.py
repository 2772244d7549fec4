"""Results of trainings -> Tables 2 to 6 in Markdown and CSV, next to the paper's values."""

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
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult, over_seeds
from dragoman.experiments.semi_interactive.task import QueryCandidates, RelevanceTask
from dragoman.experiments.semi_interactive.values import (
    AUC,
    NDCG,
    measure_languages,
    p_values_above,
)
from dragoman.metrics.significance import bootstrap_interval
from dragoman.text.collections.splits import Split

AVERAGE = paper.AVERAGE
VERY_SIGNIFICANT = 0.01
FACTOR, DIGITS = {AUC: 100.0, NDCG: 1.0}, {AUC: 2, NDCG: 4}  # as the paper prints them
MARKS = (
    "‡ and † mark a model above NON-INTERACT with p < .01 and p < .05 (paired bootstrap over"
    " queries, Koehn 2004, after Holm over the table); bold is the highest of a column"
)


@dataclass(frozen=True, slots=True)
class RelevanceCell:
    """A mean over queries, half of its 95 % interval, and its p-value against the baseline."""

    value: float
    half: float
    above: float | None  # p-value of being above the baseline; None for itself

    @property
    def mark(self) -> str:
        """The paper's mark of significance."""
        if self.above is None or self.above >= SIGNIFICANT:
            return ""
        return "‡" if self.above < VERY_SIGNIFICANT else "†"


@dataclass(frozen=True, slots=True)
class RelevanceTable:
    """Models in rows, languages and averages in columns."""

    title: str
    measure: str
    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, RelevanceCell]]
    printed: Mapping[str, Mapping[str, float]]


def compare_models(
    title: str,
    measure: str,
    results: Mapping[str, RelevanceTrainingResult],
    queries: Sequence[QueryCandidates],
    groups: Mapping[str, Sequence[str]],
    printed: Mapping[str, Mapping[str, float]],
    baseline: str = NON,
) -> RelevanceTable:
    """A table of languages, each group of them followed by its average.

    ``groups`` names the averages: label -> languages.
    """
    values = {
        name: measure_languages(queries, result.scores)[measure] for name, result in results.items()
    }
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
    return RelevanceTable(
        title, measure, tuple(columns), rows, {n: printed[n] for n in results if n in printed}
    )


def _columns(label: str, group: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    return [*((code, (code,)) for code in group), (label, tuple(group))]


def _cell(values: GroupedValues, codes: Sequence[str], above: float | None) -> RelevanceCell:
    interval = bootstrap_interval(stratified_values(values, codes), np.random.default_rng(0))
    return RelevanceCell(mean_of_groups(values, codes), (interval.high - interval.low) / 2, above)


def table_markdown(
    table: RelevanceTable, more_columns: Mapping[str, Mapping[str, str]] | None = None
) -> list[str]:
    """The table; ``more_columns`` adds columns of text (heading -> row -> cell)."""
    more = more_columns or {}
    heads = [*table.columns, *more]
    factor, digits = FACTOR[table.measure], DIGITS[table.measure]
    lines = [f"| {table.title} | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]
    best = {c: max(row[c].value for row in table.rows.values()) for c in table.columns}
    for name, row in table.rows.items():
        cells = []
        for column in table.columns:
            shown = f"{row[column].value * factor:.{digits}f}"
            bold = f"**{shown}**" if row[column].value == best[column] else shown
            cells.append(f"{bold}{row[column].mark} ±{row[column].half * factor:.{digits - 1}f}")
        cells += [column.get(name, "") for column in more.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    for name, numbers in table.printed.items():
        cells = [_printed(numbers.get(column), digits) for column in table.columns]
        cells += ["" for _ in more]
        lines.append(f"| *{name}, paper* | {' | '.join(cells)} |")
    return lines


def _printed(number: float | None, digits: int) -> str:
    return "" if number is None else f"*{number:.{digits}f}*"


def area(
    task: RelevanceTask, result: RelevanceTrainingResult, languages: Sequence[str] = ()
) -> float:
    """AUC of the test, the mean over the given languages, or over those with supervision."""
    values = measure_languages(task.queries[Split.TEST], result.scores)[AUC]
    return mean_of_groups(values, languages or task.supervised)


def areas_over_seeds(
    task: RelevanceTask, results: Mapping[str, RelevanceTrainingResult], name: str
) -> list[float]:
    """AUC of the test of a training and of its repetitions with other seeds."""
    return [area(task, one) for one in over_seeds(results, name)]


def table_4(
    results: Mapping[str, RelevanceTrainingResult],
    queries: Sequence[QueryCandidates],
    group: Sequence[str],
) -> dict[tuple[bool, bool], float]:
    """Trained with relevant queries, tested with them -> AUC, the mean over languages."""
    areas = {}
    for name, trained in ((SEMI, True), (NON, False)):
        result = results[name]
        assert result.crossed is not None, "scored for Table 4"
        for tested, scores in ((trained, result.scores), (not trained, result.crossed)):
            areas[trained, tested] = mean_of_groups(measure_languages(queries, scores)[AUC], group)
    return areas


def table_4_markdown(areas: Mapping[tuple[bool, bool], float]) -> list[str]:
    """Table 4 as the paper lays it out."""
    lines = ["| Table 4: AUC | trained with queries | trained without |", "|---|---:|---:|"]
    for tested, label in ((True, "tested with queries"), (False, "tested without")):
        cells = [f"{areas[trained, tested] * 100:.2f}" for trained in (True, False)]
        lines.append(f"| {label} | {' | '.join(cells)} |")
        printed = [f"*{paper.TABLE_4[trained, tested]:.2f}*" for trained in (True, False)]
        lines.append(f"| *{label}, paper* | {' | '.join(printed)} |")
    return lines


def write_table(path: Path, table: RelevanceTable) -> None:
    """Every number of a table."""
    head = ("model", "measure", "column", "value", "half_interval", "p_above_baseline", "paper")
    rows = [
        (name, table.measure, column, f"{cell.value:.6f}", f"{cell.half:.6f}",
         "" if cell.above is None else f"{cell.above:.4g}",
         table.printed.get(name, {}).get(column, ""))
        for name, row in table.rows.items() for column, cell in row.items()
    ]  # fmt: skip
    write_csv(path, head, rows)
