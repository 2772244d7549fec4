"""Results of short trainings -> tables with ranges over seeds.

The spread is the primary measure: the mean of the test queries at the best learning rate minus that
at the worst one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.smooth.stability_runs import (
    DELTA,
    MEASURE,
    FirstVectors,
    StabilityResult,
    StabilityTraining,
    bounded_gap,
)
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.theory import sosl_bound
from dragoman.types import FloatArray

StabilityResults = Mapping[StabilityTraining, StabilityResult]

PAPER_RATE = SmoothConfig.paper().train.learning_rate


@dataclass(frozen=True, slots=True)
class StabilityRow:
    """All learning rates and seeds of one setting."""

    first: FirstVectors
    epsilon: float
    clip: float  # 0 is off
    results: Mapping[float, Mapping[int, StabilityResult]]  # learning rate -> seed -> result
    bounds: Mapping[float, float]  # learning rate -> Theorem 3's bound
    largest_loss: float  # that a score between -1 and 1 can have

    @property
    def seeds(self) -> list[int]:
        """The seeds that were trained with every learning rate."""
        return sorted(set.intersection(*(set(some) for some in self.results.values())))

    def spread_of(self, seed: int) -> FloatArray:
        """For every query, its value at the best learning rate minus that at the worst."""
        by_rate = [some[seed] for some in self.results.values()]
        best, worst = (choose(by_rate, key=lambda one: one.mean) for choose in (max, min))
        values: FloatArray = best.values - worst.values
        return values

    @property
    def spread_values(self) -> FloatArray:
        """For every query, the mean of its spread over the seeds."""
        mean: FloatArray = np.mean([self.spread_of(seed) for seed in self.seeds], axis=0)
        return mean

    @property
    def mean_values(self) -> FloatArray:
        """For every query, the mean of its values over learning rates and seeds."""
        every = [some[seed].values for some in self.results.values() for seed in self.seeds]
        mean: FloatArray = np.mean(every, axis=0)
        return mean


def stability_rows(results: StabilityResults) -> list[StabilityRow]:
    """The results by setting, in their order; settings without a seed for all rates are left out.

    The rates are those of any setting.
    """
    rates = sorted({training.config.train.learning_rate for training in results})
    grouped: dict[tuple[FirstVectors, float, float], list[StabilityTraining]] = {}
    for training in results:
        config = training.config
        key = (training.first, config.model.epsilon, config.train.max_gradient_norm)
        grouped.setdefault(key, []).append(training)
    rows = []
    for key, trainings in grouped.items():
        by_rate: dict[float, dict[int, StabilityResult]] = {rate: {} for rate in rates}
        bounds = {}
        for training in trainings:
            train = training.config.train
            by_rate[train.learning_rate][train.seed] = results[training]
            bounds[train.learning_rate] = bounded_gap(training, results[training])
        row = StabilityRow(*key, by_rate, bounds, sosl_bound(trainings[0].config.thresholds))
        if row.seeds:
            rows.append(row)
    return rows


def distinct_rows(rows: Sequence[StabilityRow]) -> list[tuple[StabilityRow, str]]:
    """The rows with different values, each with all clips that led to them, as in "off, 5"."""
    distinct: list[tuple[StabilityRow, list[float]]] = []
    for row in rows:
        same = [clips for other, clips in distinct if _alike(row, other)]
        if same:
            same[0].append(row.clip)
        else:
            distinct.append((row, [row.clip]))
    return [
        (row, ", ".join(f"{clip:g}" if clip else "off" for clip in clips))
        for row, clips in distinct
    ]


def _alike(row: StabilityRow, other: StabilityRow) -> bool:
    """Whether two rows differ in the clip alone, and not in any value."""
    return (row.first, row.epsilon, row.seeds) == (other.first, other.epsilon, other.seeds) and all(
        np.array_equal(mine[seed].values, other.results[rate][seed].values)
        and np.array_equal(mine[seed].norms, other.results[rate][seed].norms)
        for rate, mine in row.results.items()
        for seed in row.seeds
    )


def spread_markdown(rows: Sequence[StabilityRow]) -> list[str]:
    """The values by learning rate, and their spread; lowest to highest over the seeds.

    A clip that changes nothing has no line of its own.
    """
    rates = list(rows[0].results)
    heads = [f"rate {rate:g}" for rate in rates]
    lines = [
        f"| first vectors | epsilon | clip | {' | '.join(heads)} | spread | diverged |",
        f"|---|---:|---:|{'---:|' * (len(rates) + 2)}",
    ]
    for row, clips in distinct_rows(rows):
        cells = [_range(one.mean for one in row.results[rate].values()) for rate in rates]
        spreads = _range(float(row.spread_of(seed).mean()) for seed in row.seeds)
        trained = [one for some in row.results.values() for one in some.values()]
        diverged = f"{sum(one.diverged for one in trained)} of {len(trained)}"
        lines.append(
            f"| {_setting(row, clips)} | {' | '.join(cells)} | **{spreads}** | {diverged} |"
        )
    return lines


def gradients_markdown(rows: Sequence[StabilityRow], rate: float = PAPER_RATE) -> list[str]:
    """Norms and losses at one learning rate, lowest to highest over the seeds."""
    lines = [
        "| first vectors | epsilon | clip | median norm | 95th percentile | largest norm | training"
        " loss | test loss | gap | bound of the gap | largest loss |",
        f"|---|---:|---:|{'---:|' * 8}",
    ]
    for row, clips in distinct_rows(rows):
        results = list(row.results[rate].values())
        norms = [
            _range((float(np.percentile(one.norms, percent)) for one in results), "#.3g")
            for percent in (50, 95, 100)
        ]
        losses = [
            _range(values, "#.3g")
            for values in (
                [one.train_loss for one in results],
                [one.test_loss for one in results],
                [one.gap for one in results],
            )
        ]
        bound = f"{row.bounds[rate]:.3g}" if np.isfinite(row.bounds[rate]) else "none"
        cells = [*norms, *losses, bound, f"{row.largest_loss:.3g}"]
        lines.append(f"| {_setting(row, clips)} | {' | '.join(cells)} |")
    return lines


def _setting(row: StabilityRow, clips: str) -> str:
    return f"{row.first} | {row.epsilon:g} | {clips}"


def _range(values: Iterable[float], shown: str = ".3f") -> str:
    """The lowest and the highest value, as one where they look alike."""
    found = list(values)
    low, high = (format(choose(found), shown) for choose in (min, max))
    return low if low == high else f"{low} to {high}"


def spread_caption(rows: Sequence[StabilityRow]) -> str:
    """What was trained and measured, with the sizes found in the results."""
    result = next(iter(next(iter(rows[0].results.values())).values()))
    seeds = ", ".join(str(seed) for seed in sorted({seed for row in rows for seed in row.seeds}))
    return (
        f"One epoch with SOSL (sections 3.3 and 4 of the paper): {result.pairs:,} training pairs,"
        f" {len(result.norms):,} steps; values are the lowest and the highest over the seeds"
        f" measured ({seeds}); a setting that was not measured has no line, and clips that led"
        " to the same values share one."
        " Thresholds are the same shares of the highest attainable score for every epsilon. The"
        f" primary measure, named before the run, is the spread: {MEASURE} of the test queries at"
        " the best learning rate minus that at the worst. A training that diverges has the value"
        " 0. *Drawn* vectors and *given* ones begin with about the same length, the root of"
        " their dimension."
    )


def gradients_caption(rate: float = PAPER_RATE) -> str:
    """What the second table shows."""
    return (
        f"Norms of the gradient before clipping, and losses after the epoch, at the learning rate"
        f" {rate:g}. The gap is test loss minus training loss; its bound is Theorem 3's with"
        f" probability {1 - DELTA:g}, for SGD with steps c/t and c the learning rate (the trainings"
        " use Adam). A bound above the largest possible loss says nothing; the plain cosine has"
        " none."
    )


def write_stability(path: Path, results: StabilityResults) -> None:
    """A line for every training."""
    rows = []
    for training, one in results.items():
        config = training.config
        settings = (config.model.epsilon, config.train.max_gradient_norm)
        numbers = (
            config.train.learning_rate,
            one.mean,
            *np.percentile(one.norms, [50, 95, 100]),
            *(one.train_loss, one.test_loss, one.gap, bounded_gap(training, one)),
        )
        shown = [f"{number:.6g}" for number in numbers]
        rows.append((training.first, *settings, config.train.seed, *shown, one.diverged))
    header = ("first_vectors", "epsilon", "clip", "seed", "learning_rate", MEASURE)
    norms = ("median_norm", "percentile_95_norm", "largest_norm")
    losses = ("training_loss", "test_loss", "gap", "bound_of_the_gap", "diverged")
    write_csv(path, (*header, *norms, *losses), rows)
