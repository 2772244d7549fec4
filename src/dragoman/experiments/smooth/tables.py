"""Results of trainings -> tables with intervals and tests, next to the paper's values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.experiments.claims import SIGNIFICANT
from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.smooth.runs import SmoothTrainingResult
from dragoman.metrics.significance import Interval, bootstrap_interval, holm, student_test
from dragoman.systems.smooth.training import VALIDATED_BY
from dragoman.systems.smooth.validation import MEASURES

STAR = "\\*"  # escaped for Markdown

# the paper's names of the seven measures
PAPER_NAMES = ("P_mr@1", "P_mr@5", "P_r@5", "NDCG@5", "MAP", "MRR_mr", "MRR_r")

SOSL, AVERAGE = "SOSL", "average pooling"  # the same training in Table 2 and in Table 3
OURS, AS_PRINTED, AS_CODED = "ours", "as printed", "as coded"  # readings of the paper
LSTM_OURS, LSTM_AS_PRINTED = f"LSTM, {OURS}", f"LSTM, {AS_PRINTED}"

# Liu et al. 2020, Tables 2 and 3, on Wikipedia (Sasaki et al. 2018), by the documents' language
PAPER: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "fr": {
        SOSL: (0.438, 0.832, 0.607, 0.811, 0.841, 0.607, 0.919),
        "3-part": (0.411, 0.763, 0.560, 0.754, 0.766, 0.565, 0.889),
        "MSE": (0.253, 0.700, 0.603, 0.727, 0.792, 0.443, 0.854),
        "PO": (0.254, 0.704, 0.604, 0.729, 0.795, 0.445, 0.856),
        "CNN": (0.262, 0.656, 0.542, 0.570, 0.709, 0.437, 0.812),
        "LSTM": (0.335, 0.718, 0.560, 0.716, 0.748, 0.503, 0.846),
    },
    "it": {
        SOSL: (0.401, 0.791, 0.614, 0.798, 0.838, 0.568, 0.912),
        "3-part": (0.385, 0.748, 0.572, 0.751, 0.768, 0.545, 0.883),
        "MSE": (0.231, 0.699, 0.618, 0.731, 0.803, 0.427, 0.862),
        "PO": (0.232, 0.705, 0.619, 0.734, 0.806, 0.430, 0.863),
        "CNN": (0.217, 0.620, 0.547, 0.656, 0.709, 0.394, 0.805),
        "LSTM": (0.248, 0.675, 0.551, 0.675, 0.714, 0.434, 0.814),
    },
    "sw": {
        SOSL: (0.600, 0.916, 0.341, 0.793, 0.776, 0.735, 0.833),
        "3-part": (0.599, 0.907, 0.314, 0.771, 0.737, 0.732, 0.827),
        "MSE": (0.351, 0.851, 0.360, 0.724, 0.738, 0.558, 0.771),
        "PO": (0.351, 0.855, 0.362, 0.726, 0.740, 0.560, 0.772),
        "CNN": (0.457, 0.869, 0.310, 0.700, 0.680, 0.628, 0.743),
        "LSTM": (0.527, 0.897, 0.319, 0.738, 0.713, 0.685, 0.772),
    },
    "tl": {
        SOSL: (0.596, 0.928, 0.254, 0.799, 0.772, 0.738, 0.794),
        "3-part": (0.583, 0.925, 0.251, 0.790, 0.760, 0.730, 0.785),
        "MSE": (0.455, 0.892, 0.251, 0.732, 0.709, 0.639, 0.726),
        "PO": (0.463, 0.896, 0.252, 0.737, 0.715, 0.645, 0.730),
        "CNN": (0.450, 0.861, 0.235, 0.699, 0.668, 0.624, 0.693),
        "LSTM": (0.526, 0.907, 0.242, 0.748, 0.709, 0.688, 0.736),
    },
}


@dataclass(frozen=True, slots=True)
class SmoothCell:
    """A mean over the test queries, its interval, and whether it differs from the first row's."""

    mean: float
    interval: Interval
    p_value: float | None  # paired t test against the first row, after Holm; None in that row

    @property
    def differs(self) -> bool:
        """Whether the difference from the first row is significant."""
        return self.p_value is not None and self.p_value < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class SmoothTable:
    """The rows of one comparison; all others are tested against the first."""

    title: str
    rows: Mapping[str, tuple[SmoothCell, ...]]  # a cell for each of MEASURES
    notes: Mapping[str, str]  # about the training of each row
    paper: Mapping[str, tuple[float, ...]]  # the paper's values, where it has the language


def compare_results(
    title: str, results: Mapping[str, SmoothTrainingResult], language: str
) -> SmoothTable:
    """The table of some results, in their order; p-values are corrected over the whole table."""
    rng = np.random.default_rng(0)
    first = next(iter(results.values()))
    others = list(results)[1:]
    raw = [
        student_test(first.values[measure], results[name].values[measure])
        for name in others
        for measure in MEASURES
    ]
    corrected = iter(holm(raw))
    p_values = {name: [next(corrected) for _ in MEASURES] for name in others}
    rows = {
        name: tuple(
            SmoothCell(
                result.mean(measure),
                bootstrap_interval(result.values[measure], rng),
                p_values[name][column] if name in p_values else None,
            )
            for column, measure in enumerate(MEASURES)
        )
        for name, result in results.items()
    }
    notes = {name: _note(result) for name, result in results.items()}
    paper = PAPER.get(language, {})
    if paper:
        paper = {**paper, AVERAGE: paper[SOSL]}
    printed = {name: paper[name] for name in results if name in paper}
    return SmoothTable(title, rows, notes, printed)


def _note(result: SmoothTrainingResult) -> str:
    if not result.epochs:
        return "not trained"
    steps = sum(int(epoch["steps"]) for epoch in result.epochs)
    thresholds = ", ".join(f"{value:.3g}" for value in result.thresholds)
    searched = " by grid search" if result.settings["grid"] else ""
    searched += " (**at the edge of the grid**)" if result.at_edge else ""
    return (
        f"thresholds {thresholds}{searched}, learning rate {result.learning_rate:g}, epoch"
        f" {result.best_epoch} of {len(result.epochs)} was the best, {steps:,} steps;"
        f" {result.seconds:,.0f} s of one core for everything that was tried"
    )


def table_markdown(table: SmoothTable) -> list[str]:
    """The table as lines of Markdown; the best mean of a column is bold, * is p < .05."""
    lines = [
        f"| {table.title} | {' | '.join(MEASURES)} |",
        f"|---|{'---:|' * len(MEASURES)}",
    ]
    best = [max(row[column].mean for row in table.rows.values()) for column in range(len(MEASURES))]
    for name, row in table.rows.items():
        cells = [_shown(cell, highest) for cell, highest in zip(row, best, strict=True)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    for name, values in table.paper.items():
        shown = " | ".join(f"*{value:.3f}*" for value in values)
        lines.append(f"| *{name}, paper (Wikipedia)* | {shown} |")
    return lines


def _shown(cell: SmoothCell, best: float) -> str:
    mean = f"**{cell.mean:.3f}**" if cell.mean == best else f"{cell.mean:.3f}"
    star = STAR if cell.differs else ""
    return f"{mean}{star} ±{(cell.interval.high - cell.interval.low) / 2:.3f}"


def write_table(path: Path, table: SmoothTable) -> None:
    """Every number of a table."""
    rows: list[tuple[object, ...]] = []
    for name, row in table.rows.items():
        printed: Sequence[float | str] = table.paper.get(name, ("",) * len(MEASURES))
        for measure, cell, value in zip(MEASURES, row, printed, strict=True):
            p_value = "" if cell.p_value is None else f"{cell.p_value:.3g}"
            interval = (f"{cell.interval.low:.4f}", f"{cell.interval.high:.4f}")
            rows.append((name, measure, f"{cell.mean:.4f}", *interval, p_value, value))
    write_csv(path, ("row", "measure", "mean", "low", "high", "p_value", "paper"), rows)


def grades_markdown(results: Mapping[str, SmoothTrainingResult]) -> list[str]:
    """A row for every result and grade: the final scores of training pairs, and their gradients."""
    lines = [
        "| training pairs | grade | pairs | score | unsettled | share of the pull |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, result in results.items():
        for number, grade in enumerate(result.grades):
            lines.append(
                f"| {name} | {number} | {grade.pairs:,} | {grade.mean:.3f} ±{grade.spread:.3f}"
                f" | {grade.unsettled:.0%} | {grade.pull:.0%} |"
            )
    return lines


def validation_curves(results: Mapping[str, SmoothTrainingResult]) -> list[str]:
    """The validation measure after every epoch, one line for each training."""
    return [
        f"- {name}: " + " ".join(f"{epoch['validation'][VALIDATED_BY[0]]:.3f}" for epoch in epochs)
        for name, result in results.items()
        if (epochs := result.epochs)
    ]
