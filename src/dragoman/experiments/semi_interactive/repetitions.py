"""Trainings repeated with other rates and seeds -> a table: means and ranges of AUC."""

from collections.abc import Mapping, Sequence

import numpy as np

from dragoman.experiments.semi_interactive.plan import RelevanceTraining
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult
from dragoman.experiments.semi_interactive.values import AUC

PERCENT = 100


def repetitions_markdown(
    runs: Sequence[RelevanceTraining],
    areas: Mapping[str, float],
    results: Mapping[str, RelevanceTrainingResult],
) -> list[str]:
    """A row for each model and rate: the test's AUC over seeds, and which epochs were the best.

    The rate that validation prefers on average is bold: the test has no part in that choice.
    """
    rows: dict[tuple[str, float], list[RelevanceTraining]] = {}
    for run in runs:
        model = run.name.partition(", rate ")[0]
        rows.setdefault((model, run.config.learning_rate), []).append(run)
    validated = {
        key: float(np.mean([_best_validation(results[run.name]) for run in some]))
        for key, some in rows.items()
    }
    lines = [
        "AUC of the test in the languages with supervision, by learning rate, over seeds:",
        "",
        "| model | learning rate | seeds | mean | range | best epoch of each |",
        "|---|---:|---:|---:|---|---|",
    ]
    for (model, rate), some in rows.items():
        values = [areas[run.name] * PERCENT for run in some]
        preferred = max((key for key in rows if key[0] == model), key=validated.__getitem__)
        shown = f"**{rate:g}**" if preferred == (model, rate) else f"{rate:g}"
        epochs = ", ".join(_best_epoch(results[run.name]) for run in some)
        lines.append(
            f"| {model} | {shown} | {len(some)} | {np.mean(values):.2f} |"
            f" {min(values):.2f} to {max(values):.2f} | {epochs} |"
        )
    return lines


def _validation(result: RelevanceTrainingResult) -> list[float]:
    return [float(epoch["validation"][AUC]) for epoch in result.epochs]


def _best_validation(result: RelevanceTrainingResult) -> float:
    return max(_validation(result), default=0.0)


def _best_epoch(result: RelevanceTrainingResult) -> str:
    values = _validation(result)
    return f"{int(np.argmax(values)) + 1} of {len(values)}" if values else "none"
