"""Trainings repeated with other rates and seeds -> tables: ranges, curves, paired differences."""

from collections.abc import Mapping, Sequence

import numpy as np

from dragoman.experiments.semi_interactive.claims import CLAIMS, EXTENSIONS
from dragoman.experiments.semi_interactive.comparisons import compared, mean_validation
from dragoman.experiments.semi_interactive.plan import (
    INTERACT,
    NON,
    RATED,
    SEMI,
    UNTRAINED,
    UNTRAINED_INTERACT,
    UNTRAINED_SEMI,
    RelevanceTraining,
)
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult
from dragoman.experiments.semi_interactive.tables import area
from dragoman.experiments.semi_interactive.task import RelevanceTask
from dragoman.experiments.semi_interactive.values import AUC
from dragoman.systems.semi_interactive.training import WITHIN

PERCENT = 100
STARTS = {INTERACT: UNTRAINED_INTERACT, NON: UNTRAINED, SEMI: UNTRAINED_SEMI}

Results = Mapping[str, RelevanceTrainingResult]
Repetitions = Mapping[tuple[str, float], Sequence[RelevanceTrainingResult]]  # model, learning rate


def repetitions_markdown(
    runs: Sequence[RelevanceTraining], results: Results, task: RelevanceTask, validations: int
) -> list[str]:
    """Ranges over seeds, the curves of the models with several rates, differences by seed."""
    repeated: dict[tuple[str, float], list[RelevanceTrainingResult]] = {}
    for run in runs:
        repeated.setdefault((run.model, run.config.learning_rate), []).append(results[run.name])
    rated = {key: some for key, some in repeated.items() if key[0] in RATED}
    lines = [*_ranges(repeated, task, validations)]
    for measure in (AUC, WITHIN):
        lines += ["", *_curves(rated, results, measure, validations)]
    return lines + differences_markdown(results, task)


def _ranges(repeated: Repetitions, task: RelevanceTask, validations: int) -> list[str]:
    """A row for each model and rate: the test's AUC over seeds, and which epochs were the best.

    The rate that validation prefers on average is bold: the test has no part in that choice.
    """
    lines = [
        "AUC of the test in the languages with supervision, by learning rate, over seeds; bold is"
        " the rate that validation prefers:",
        "",
        "| model | learning rate | seeds | mean | range | best epoch of each |",
        "|---|---:|---:|---:|---|---|",
    ]
    for (model, rate), some in repeated.items():
        values = [area(task, one) * PERCENT for one in some]
        rates = [key for key in repeated if key[0] == model]
        preferred = max(rates, key=lambda key: mean_validation(repeated[key]))
        shown = f"**{rate:g}**" if preferred == (model, rate) else f"{rate:g}"
        epochs = ", ".join(_best_epoch(one, validations) for one in some)
        lines.append(
            f"| {model} | {shown} | {len(some)} | {np.mean(values):.2f} |"
            f" {min(values):.2f} to {max(values):.2f} | {epochs} |"
        )
    return lines


def _curves(repeated: Repetitions, results: Results, measure: str, validations: int) -> list[str]:
    """A measure of the validation by epoch, the mean over seeds, from the model not trained."""
    longest = max(len(one.epochs) for some in repeated.values() for one in some)
    epochs = [number / validations for number in range(longest + 1)]
    lines = [
        f"Validation, {measure} by epoch, mean over seeds (epoch 0: not trained):",
        "",
        f"| model | learning rate | {' | '.join(f'{epoch:g}' for epoch in epochs)} |",
        f"|---|---:|{'---:|' * len(epochs)}",
    ]
    for (model, rate), some in repeated.items():
        start = results.get(STARTS[model])
        points = [] if start is None else [start.validation[measure]]
        shortest = min(len(one.epochs) for one in some)
        curves = np.array([_validation(one, measure)[:shortest] for one in some])
        points += list(curves.mean(axis=0))
        cells = [f"{point * PERCENT:.2f}" for point in points]
        cells = [""] * (start is None) + cells
        cells += [""] * (len(epochs) - len(cells))
        lines.append(f"| {model} | {rate:g} | {' | '.join(cells)} |")
    return lines


def differences_markdown(results: Results, task: RelevanceTask) -> list[str]:
    """The difference of every claim about models with several seeds; nothing where there is one."""
    rows = []
    for text, upper, lower in (*CLAIMS, *EXTENSIONS):
        if not {upper, lower} <= results.keys():
            continue
        pairs = seed_pairs(*compared(results, upper, lower))
        gaps = [
            (area(task, one, task.languages) - area(task, other, task.languages)) * PERCENT
            for one, other in pairs
        ]
        if len(gaps) > 1:
            span = f"{min(gaps):+.2f} to {max(gaps):+.2f}"
            rows.append(f"| {text} | {np.mean(gaps):+.2f} | {span} |")
    if not rows:
        return []
    return [
        "",
        "AUC by seed, the first model minus the second, mean over all languages:",
        "",
        "| claim | mean | range over seeds |",
        "|---|---:|---|",
        *rows,
    ]


def seed_pairs(
    first: Sequence[RelevanceTrainingResult], second: Sequence[RelevanceTrainingResult]
) -> list[tuple[RelevanceTrainingResult, RelevanceTrainingResult]]:
    """Results with the same seed; a model without training is the same for every seed."""
    if len(first) != len(second) and 1 in (len(first), len(second)):
        count = max(len(first), len(second))
        first, second = (list(some) * (count if len(some) == 1 else 1) for some in (first, second))
    return list(zip(first, second, strict=False))


def _validation(result: RelevanceTrainingResult, measure: str = AUC) -> list[float]:
    return [float(epoch["validation"][measure]) for epoch in result.epochs]


def _best_epoch(result: RelevanceTrainingResult, validations: int) -> str:
    values = _validation(result)
    return f"{(int(np.argmax(values)) + 1) / validations:g} of {len(values) / validations:g}"
