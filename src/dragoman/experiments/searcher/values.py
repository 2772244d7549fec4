"""A run -> AQWV at the threshold that the development queries choose, and its maximum."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from dragoman.experiments.searcher.baselines import Scores
from dragoman.experiments.searcher.runs import RAW, DetectionRun
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.metrics.calibration import (
    Reliability,
    Scaling,
    fit_logistic,
    fit_scaling,
    reliability,
)
from dragoman.metrics.detection import best_threshold, error_rates
from dragoman.metrics.outcomes import Outcome, judge
from dragoman.systems.searcher.decisions import BETA
from dragoman.types import FloatArray, Hit, Query, Ranking

MARGIN = 1e-9  # a probability is clipped to between this and 1 minus this


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

    @property
    def actual(self) -> float:
        """AQWV."""
        return float(self.values.mean())


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """The reliability of a run's probabilities, before and after scaling."""

    name: str
    before: Reliability
    after: Reliability
    scaling: Scaling


def evaluate_run(run: DetectionRun, task: DetectionTask) -> DetectionValue:
    """The values of the run's variant that is best on the development queries."""
    size = len(task.documents)
    choices = []
    for variant, scores in run.variants.items():
        tuned = judge_queries(scores, task.development, task)
        threshold = best_threshold(tuned, size, BETA)
        value = error_rates(tuned, size, threshold).weighted_value(BETA)
        choices.append((value, variant, threshold))
    development, variant, threshold = max(choices, key=lambda one: one[0])
    tested = judge_queries(run.variants[variant], task.test, task)
    rates = error_rates(tested, size, threshold)
    best = error_rates(tested, size, best_threshold(tested, size, BETA))
    return DetectionValue(
        run.name,
        variant,
        threshold,
        rates.values(BETA),
        best.weighted_value(BETA),
        development,
        float(np.mean([_average_precision(one) for one in tested])),
    )


def judge_queries(scores: Scores, queries: Sequence[Query], task: DetectionTask) -> list[Outcome]:
    """The judged rankings of some queries."""
    judged = []
    for query in queries:
        column = scores.get(query.query_id, {})
        hits = sorted((Hit(doc_id, score) for doc_id, score in column.items()),
                      key=lambda hit: (-hit.score, hit.doc_id))  # fmt: skip
        ranking = Ranking(query.query_id, tuple(hits))
        judged.append(judge(ranking, task.judgments[query.query_id]))
    return judged


def _average_precision(outcome: Outcome) -> float:
    relevant = outcome.grades >= 1
    precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
    return float((precision * relevant).sum() / max(outcome.relevant(1), 1))


def fuse_runs(
    name: str, searcher: DetectionRun, other: DetectionRun, task: DetectionTask
) -> DetectionRun:
    """A logistic regression on the scores of both runs, fitted on the development queries.

    The features of a query and a document: SEARCHER's logit, the other's score, its share of the
    best score of the query, and whether each run scored the document at all (SEARCHER has no score
    for queries of unknown words).
    """
    own = searcher.variants[evaluate_run(searcher, task).variant]
    raw, share = (other.variants[variant] for variant in other.variants)
    features = {query.query_id: _features(query, own, raw, share, task) for query in task.queries}
    labels = {query.query_id: _labels(query, task) for query in task.queries}
    tuned = [query.query_id for query in task.development]
    weights = fit_logistic(
        np.concatenate([features[one] for one in tuned]),
        np.concatenate([labels[one] for one in tuned]),
        ridge=1e-3,
    )
    names = [document.doc_id for document in task.documents]
    scores: Scores = {}
    for query_id, columns in features.items():
        probabilities = expit(columns @ weights[:-1] + weights[-1])
        scores[query_id] = dict(zip(names, probabilities.tolist(), strict=True))
    return DetectionRun(name, {"of": [searcher.name, other.name]}, {RAW: scores}, 0.0)


def _features(
    query: Query, own: Scores, raw: Scores, share: Scores, task: DetectionTask
) -> FloatArray:
    logits, theirs = own.get(query.query_id, {}), raw.get(query.query_id, {})
    shares = share.get(query.query_id, {})
    rows = [
        (
            float(_logits(np.array(logits[d.doc_id]))) if d.doc_id in logits else 0.0,
            float(d.doc_id in logits),
            theirs.get(d.doc_id, 0.0),
            shares.get(d.doc_id, 0.0),
            float(d.doc_id in theirs),
        )
        for d in task.documents
    ]
    return np.array(rows)


def _labels(query: Query, task: DetectionTask) -> FloatArray:
    judged: Mapping[str, int] = task.judgments[query.query_id]
    return np.array([float(judged.get(d.doc_id, 0) > 0) for d in task.documents])


def calibrate_run(run: DetectionRun, task: DetectionTask) -> CalibrationResult:
    """Reliability on the test queries; the scaling is fitted on the development queries.

    Queries of unknown words have no probabilities.
    """
    scores = run.variants[evaluate_run(run, task).variant]

    def pairs(queries: Sequence[Query]) -> tuple[FloatArray, FloatArray]:
        scored = [
            (score, float(task.judgments[query.query_id].get(doc_id, 0) > 0))
            for query in queries
            for doc_id, score in scores.get(query.query_id, {}).items()
        ]
        probabilities, labels = np.array(scored).reshape(-1, 2).T
        return probabilities, labels

    tuned, tuned_labels = pairs(task.development)
    tested, labels = pairs(task.test)
    scaling = fit_scaling(_logits(tuned), tuned_labels)
    after = scaling.probabilities(_logits(tested))
    return CalibrationResult(
        run.name, reliability(tested, labels), reliability(after, labels), scaling
    )


def _logits(probabilities: FloatArray) -> FloatArray:
    logits: FloatArray = logit(np.clip(probabilities, MARGIN, 1 - MARGIN))
    return logits
