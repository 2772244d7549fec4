"""Scores of a row -> AQWV at the threshold that the development queries chose, and its maximum."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from dragoman.experiments.searcher.baselines import Scores
from dragoman.experiments.searcher.runs import RAW, Result
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

CLOSEST = 1e-9  # to 0 and 1 that a probability is taken for


@dataclass(frozen=True, slots=True)
class Value:
    """What a row is worth on the test queries."""

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
class Calibrated:
    """How far the probabilities of a row can be believed, before and after scaling."""

    name: str
    before: Reliability
    after: Reliability
    scaling: Scaling


def valued(result: Result, task: DetectionTask) -> Value:
    """The row in the reading that is best on the development queries."""
    size = len(task.documents)
    choices = []
    for variant, scores in result.variants.items():
        tuned = outcomes(scores, task.development, task)
        threshold = best_threshold(tuned, size, BETA)
        worth = error_rates(tuned, size, threshold).weighted_value(BETA)
        choices.append((worth, variant, threshold))
    worth, variant, threshold = max(choices, key=lambda one: one[0])
    tested = outcomes(result.variants[variant], task.test, task)
    rates = error_rates(tested, size, threshold)
    best = error_rates(tested, size, best_threshold(tested, size, BETA))
    return Value(
        result.name,
        variant,
        threshold,
        rates.values(BETA),
        best.weighted_value(BETA),
        worth,
        float(np.mean([_average_precision(one) for one in tested])),
    )


def outcomes(scores: Scores, queries: Sequence[Query], task: DetectionTask) -> list[Outcome]:
    """The rankings of some queries as their judgments see them."""
    found = []
    for query in queries:
        mine = scores.get(query.query_id, {})
        hits = sorted((Hit(doc_id, score) for doc_id, score in mine.items()),
                      key=lambda hit: (-hit.score, hit.doc_id))  # fmt: skip
        ranking = Ranking(query.query_id, tuple(hits))
        found.append(judge(ranking, task.judgments[query.query_id]))
    return found


def _average_precision(outcome: Outcome) -> float:
    relevant = outcome.grades >= 1
    precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
    return float((precision * relevant).sum() / max(outcome.relevant(1), 1))


def fused(name: str, searcher: Result, other: Result, task: DetectionTask) -> Result:
    """A logistic regression of both rows' scores, fitted on the development queries.

    What it is told of a pair: SEARCHER's logit, the other's score, the other's share of its best
    score for the query, and whether either answered at all (SEARCHER does not know every word).
    """
    own = searcher.variants[valued(searcher, task).variant]
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
        said = expit(columns @ weights[:-1] + weights[-1])
        scores[query_id] = dict(zip(names, said.tolist(), strict=True))
    return Result(name, {"of": [searcher.name, other.name]}, {RAW: scores}, 0.0)


def _features(
    query: Query, own: Scores, raw: Scores, share: Scores, task: DetectionTask
) -> FloatArray:
    mine, theirs = own.get(query.query_id, {}), raw.get(query.query_id, {})
    shares = share.get(query.query_id, {})
    rows = [
        (
            float(_logits(np.array(mine[d.doc_id]))) if d.doc_id in mine else 0.0,
            float(d.doc_id in mine),
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


def calibrated(result: Result, task: DetectionTask) -> Calibrated:
    """Reliability on the test queries; the scaling is fitted on the development queries.

    Queries of which the row knows no word have no probabilities.
    """
    scores = result.variants[valued(result, task).variant]

    def pairs(queries: Sequence[Query]) -> tuple[FloatArray, FloatArray]:
        found = [
            (score, float(task.judgments[query.query_id].get(doc_id, 0) > 0))
            for query in queries
            for doc_id, score in scores.get(query.query_id, {}).items()
        ]
        said, labels = np.array(found).reshape(-1, 2).T
        return said, labels

    tuned, tuned_labels = pairs(task.development)
    tested, labels = pairs(task.test)
    scaling = fit_scaling(_logits(tuned), tuned_labels)
    after = scaling.probabilities(_logits(tested))
    return Calibrated(result.name, reliability(tested, labels), reliability(after, labels), scaling)


def _logits(probabilities: FloatArray) -> FloatArray:
    found: FloatArray = logit(np.clip(probabilities, CLOSEST, 1 - CLOSEST))
    return found
