"""A run -> AQWV at the threshold that the development queries choose, and its maximum.

All rows are read in the same way: their own variants, each as it is and as shares of the best score
of a query; the development queries choose among these, and a threshold.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from dragoman.experiments.claims import percentile_interval
from dragoman.experiments.searcher.resampling import resampled_values
from dragoman.experiments.searcher.runs import DetectionRun
from dragoman.experiments.searcher.score_tables import (
    relevance_table,
    score_table,
    share_of_best,
    table_outcomes,
)
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.metrics.calibration import Reliability, Scaling, fit_scaling, reliability
from dragoman.metrics.detection import best_threshold, error_rates
from dragoman.metrics.outcomes import Outcome
from dragoman.metrics.significance import Interval
from dragoman.systems.searcher.decisions import BETA
from dragoman.types import FloatArray, Query

MARGIN = 1e-9  # a probability is clipped to between this and 1 minus this
SHARE = "share of the best"


@dataclass(frozen=True, slots=True)
class DetectionValue:
    """The values of one run on the test queries."""

    name: str
    variant: str
    threshold: float
    values: FloatArray  # one per test query; their mean is AQWV at the chosen threshold
    maximum: float  # AQWV at the best threshold for the test queries themselves
    development: float  # AQWV of the development queries at the chosen threshold
    average_precision: float
    resampled: FloatArray  # AQWV on samples of test queries and documents

    @property
    def actual(self) -> float:
        """AQWV."""
        return float(self.values.mean())

    @property
    def interval(self) -> Interval:
        """The 95 % interval over queries and documents."""
        return percentile_interval(self.resampled)


@dataclass(frozen=True, slots=True)
class RowValues:
    """The values of a row's runs, one for every seed, and their means.

    All runs are resampled by the same draws, so the mean of their samples is AQWV, averaged over
    seeds, on samples of queries and documents. It does not vary by seed: the range does.
    """

    name: str
    by_seed: tuple[DetectionValue, ...]

    @property
    def values(self) -> FloatArray:
        """One per test query."""
        mean: FloatArray = np.mean([one.values for one in self.by_seed], axis=0)
        return mean

    @property
    def resampled(self) -> FloatArray:
        """AQWV on samples of test queries and documents."""
        mean: FloatArray = np.mean([one.resampled for one in self.by_seed], axis=0)
        return mean

    @property
    def actual(self) -> float:
        """AQWV."""
        return float(np.mean(self.actual_by_seed))

    @property
    def actual_by_seed(self) -> list[float]:
        """AQWV of every seed."""
        return [one.actual for one in self.by_seed]

    @property
    def maximum(self) -> float:
        """MQWV."""
        return float(np.mean([one.maximum for one in self.by_seed]))

    @property
    def development(self) -> float:
        """AQWV of the development queries."""
        return float(np.mean([one.development for one in self.by_seed]))

    @property
    def average_precision(self) -> float:
        """Mean average precision."""
        return float(np.mean([one.average_precision for one in self.by_seed]))

    @property
    def interval(self) -> Interval:
        """The 95 % interval over queries and documents."""
        return percentile_interval(self.resampled)

    @property
    def variant(self) -> str:
        """The readings that the seeds chose."""
        return "; ".join(dict.fromkeys(one.variant for one in self.by_seed))


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """The reliability of a run's probabilities, before and after scaling."""

    name: str
    before: Reliability
    after: Reliability
    scaling: Scaling


def evaluate_row(name: str, runs: Sequence[DetectionRun], task: DetectionTask) -> RowValues:
    """The values of a row's runs; each chooses its own reading and threshold."""
    return RowValues(name, tuple(evaluate_run(run, task) for run in runs))


def evaluate_run(run: DetectionRun, task: DetectionTask) -> DetectionValue:
    """The values of the run's reading that is best on the development queries."""
    size = len(task.documents)
    tuning, testing = (relevance_table(queries, task) for queries in (task.development, task.test))
    choices = []
    for variant, reading, table in _readings(run, task.development, task):
        tuned = table_outcomes(table, tuning, task)
        threshold = best_threshold(tuned, size, BETA)
        value = error_rates(tuned, size, threshold).weighted_value(BETA)
        choices.append((value, variant, reading, threshold))
    development, variant, reading, threshold = max(choices, key=lambda one: one[0])
    table = score_table(run.variants[variant], task.test, task)
    table = share_of_best(table) if reading == SHARE else table
    tested = table_outcomes(table, testing, task)
    best = error_rates(tested, size, best_threshold(tested, size, BETA))
    return DetectionValue(
        run.name,
        variant if not reading else f"{variant}, {reading}",
        threshold,
        error_rates(tested, size, threshold).values(BETA),
        best.weighted_value(BETA),
        development,
        float(np.mean([_average_precision(one) for one in tested])),
        resampled_values(np.isfinite(table) & (table >= threshold), testing, BETA),
    )


def _readings(
    run: DetectionRun, queries: Sequence[Query], task: DetectionTask
) -> Iterator[tuple[str, str, FloatArray]]:
    """Every variant of a run, as it is and as shares."""
    for variant, scores in run.variants.items():
        table = score_table(scores, queries, task)
        yield variant, "", table
        yield variant, SHARE, share_of_best(table)


def best_variant(run: DetectionRun, task: DetectionTask) -> str:
    """The variant that the development queries choose, without how it is read."""
    return evaluate_run(run, task).variant.removesuffix(f", {SHARE}")


def _average_precision(outcome: Outcome) -> float:
    relevant = outcome.grades >= 1
    precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
    return float((precision * relevant).sum() / max(outcome.relevant(1), 1))


def calibrate_run(run: DetectionRun, task: DetectionTask) -> CalibrationResult:
    """Reliability on the test queries; the scaling is fitted on the development queries.

    Queries of unknown words have no probabilities.
    """
    scores = run.variants[best_variant(run, task)]

    def pairs(queries: Sequence[Query]) -> tuple[FloatArray, NDArray[np.float64]]:
        table = score_table(scores, queries, task)
        scored = np.isfinite(table)
        return table[scored], relevance_table(queries, task)[scored].astype(np.float64)

    tuned, tuned_labels = pairs(task.development)
    tested, labels = pairs(task.test)
    scaling = fit_scaling(log_odds(tuned), tuned_labels)
    after = scaling.probabilities(log_odds(tested))
    return CalibrationResult(
        run.name, reliability(tested, labels), reliability(after, labels), scaling
    )


def log_odds(probabilities: FloatArray) -> FloatArray:
    """The logits of probabilities, clipped away from 0 and 1."""
    logits: FloatArray = logit(np.clip(probabilities, MARGIN, 1 - MARGIN))
    return logits
