"""Which trainings of two models are compared: all seeds, at learning rates chosen alike."""

from collections.abc import Mapping, Sequence

import numpy as np

from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult, over_seeds
from dragoman.experiments.semi_interactive.values import AUC

Results = Mapping[str, RelevanceTrainingResult]


def compared(
    results: Results, upper: str, lower: str
) -> tuple[list[RelevanceTrainingResult], list[RelevanceTrainingResult]]:
    """Every seed of both models.

    Where both were trained with several rates, each has the one that validation prefers; else both
    have the scale's rate, so that neither is chosen more carefully. A model without training has no
    rate to choose.
    """
    names = upper, lower
    choices = [_by_rate(results, name) for name in names]
    chosen = [max(rates.values(), key=mean_validation) for rates in choices]
    tuned = [
        len(rates) > 1 or not some[0].epochs for rates, some in zip(choices, chosen, strict=True)
    ]
    first, second = chosen if all(tuned) else [over_seeds(results, name) for name in names]
    return first, second


def _by_rate(results: Results, name: str) -> dict[float, list[RelevanceTrainingResult]]:
    """A training and its repetitions by learning rate, seeds in their order."""
    first = results[name]
    rates = {first.learning_rate: [first]}
    for one in results.values():
        if one.settings.get("repeats") == name:
            rates.setdefault(one.learning_rate, []).append(one)
    return rates


def mean_validation(results: Sequence[RelevanceTrainingResult]) -> float:
    """The mean over seeds of the best validation AUC; the test has no part in it."""
    return float(np.mean([best_validation(one) for one in results]))


def best_validation(result: RelevanceTrainingResult) -> float:
    """The highest validation AUC of a training; 0 where there was none."""
    return max((float(epoch["validation"][AUC]) for epoch in result.epochs), default=0.0)
