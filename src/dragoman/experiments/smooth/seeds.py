"""Trainings of Table 2 with several seeds -> a row's mean over seeds, and its range.

The first seed searches thresholds and learning rate, which the others use: seeds differ by the
order of the pairs and by the drawn vectors of words without one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dragoman.experiments.smooth.runs import SmoothTraining, SmoothTrainingResult

SeededResults = Mapping[str, Sequence[SmoothTrainingResult]]  # by row, one for every seed


def with_seed(run: SmoothTraining, first: SmoothTrainingResult, seed: int) -> SmoothTraining:
    """The training of another seed, with the settings that the first one has chosen."""
    train = replace(run.config.train, learning_rate=first.learning_rate, seed=seed)
    config = replace(
        run.config,
        thresholds=first.thresholds,
        train=train,
        batch=replace(run.config.batch, seed=seed),
    )
    return replace(run, name=f"{run.name}-seed-{seed}", config=config, grid=None, rates=())


def mean_over_seeds(results: Sequence[SmoothTrainingResult]) -> SmoothTrainingResult:
    """The first result with the values of every query averaged over seeds."""
    first, *_ = results
    values = {
        measure: np.mean([one.values[measure] for one in results], axis=0)
        for measure in first.values
    }
    return replace(first, values=values)


def seeds_markdown(seeded: SeededResults, measure: str) -> list[str]:
    """Every row's mean over seeds and range, and how far the first row is above it, seed by seed.

    Nothing where there is one seed. A row that is not trained has one.
    """
    first = next(iter(seeded.values()), ())
    if len(first) < 2:
        return []
    reference = _means(first, measure)
    lines = [
        f"{measure} by seed, lowest to highest, and the difference of the first row from it by"
        " seed:",
        "",
        "| row | seeds | mean | range over seeds | difference | range over seeds |",
        "|---|---:|---:|---|---:|---|",
    ]
    for name, results in seeded.items():
        means = _means(results, measure)
        gaps = reference - means  # of one seed: from all seeds of the first row
        lines.append(
            f"| {name} | {len(means)} | {means.mean():.3f} | {means.min():.3f} to"
            f" {means.max():.3f} | {gaps.mean():+.3f} | {gaps.min():+.3f} to {gaps.max():+.3f} |"
        )
    return lines


def _means(results: Sequence[SmoothTrainingResult], measure: str) -> np.ndarray:
    return np.array([result.mean(measure) for result in results])
