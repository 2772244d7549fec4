"""Outcomes -> query weighted value: the value of a yes-or-no search to a user who reads it all.

The measure of the IARPA MATERIAL programme and of NIST's OpenCLIR evaluation. For a query with
N_rel relevant documents in a collection of N_total,

    P_miss = N_miss / N_rel        P_FA = N_FA / (N_total - N_rel)
    QWV    = 1 - P_miss - beta * P_FA

and AQWV, the actual value, is taken at the threshold that the system chose. A query without
relevant documents has no P_miss: it is left out of the mean of P_miss and stays in the mean of
P_FA, so that

    AQWV = 1 - mean(P_miss over queries with relevant documents) - beta * mean(P_FA over all)

which is the programme's rule as two public scorers apply it: the ``program`` version of the
``aqwv`` metric written for AllenNLP, and ``modifiedAQWV`` of elastic4clir, whose published averages
the tests recompute. MQWV is the highest AQWV that one threshold, common to all queries, can reach.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.errors import ConfigError, UserError
from dragoman.metrics.outcomes import Outcome, RunMeasure
from dragoman.types import FloatArray


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """Rates per query; ``miss`` is NaN where nothing is relevant."""

    miss: FloatArray
    false_alarm: FloatArray

    def weighted_value(self, beta: float) -> float:
        """AQWV of these rates."""
        return 1 - self.mean_miss - beta * float(self.false_alarm.mean())

    @property
    def mean_miss(self) -> float:
        """The mean over the queries that have relevant documents; 0 where none has any."""
        defined = self.miss[~np.isnan(self.miss)]
        return float(defined.mean()) if len(defined) else 0.0

    def values(self, beta: float) -> FloatArray:
        """One value per query, whose mean is AQWV.

        Where every query has relevant documents this is QWV. Otherwise a query's distance from
        the mean miss rate is scaled by the share of queries that have one, which keeps the mean
        exact and gives intervals and tests the spread of a mean over those queries.
        """
        defined = ~np.isnan(self.miss)
        scale = len(defined) / max(int(defined.sum()), 1)
        distance = np.where(defined, scale * (self.miss - self.mean_miss), 0.0)
        return np.asarray(1 - self.mean_miss - distance - beta * self.false_alarm)


@dataclass(frozen=True, slots=True)
class ActualValue:
    """AQWV at one threshold; without one every retrieved document is a yes."""

    name: str
    beta: float
    threshold: float | None
    rel: int
    pooled: bool = True

    @property
    def bounds(self) -> tuple[float, float]:
        """From all wrong to all right."""
        return -self.beta, 1.0

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """One value per outcome, whose mean is AQWV."""
        size = _required(collection_size, self.name)
        return error_rates(outcomes, size, self.threshold, self.rel).values(self.beta)


@dataclass(frozen=True, slots=True)
class MaximumValue:
    """MQWV: AQWV at the threshold that is best for the run as a whole."""

    name: str
    beta: float
    rel: int
    pooled: bool = True

    @property
    def bounds(self) -> tuple[float, float]:
        """Retrieving nothing scores 0, and a threshold can always do that."""
        return 0.0, 1.0

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """One value per outcome at the best common threshold, whose mean is MQWV."""
        threshold = self.threshold(outcomes, collection_size)
        size = _required(collection_size, self.name)
        return error_rates(outcomes, size, threshold, self.rel).values(self.beta)

    def threshold(self, outcomes: Sequence[Outcome], collection_size: int | None) -> float:
        """The threshold with the highest AQWV of the run as a whole."""
        size = _required(collection_size, self.name)
        return best_threshold(outcomes, size, self.beta, self.rel)


def actual_value(
    name: str, *, beta: float = 40.0, threshold: float | None = None, rel: int = 1
) -> ActualValue:
    """1 - P_miss - beta * P_FA of what scores at least the threshold (all hits without one)."""
    return ActualValue(name, _not_negative(beta), threshold, rel)


def maximum_value(name: str, *, beta: float = 40.0, rel: int = 1) -> MaximumValue:
    """The highest AQWV that one threshold for all queries can reach."""
    return MaximumValue(name, _not_negative(beta), rel)


def expect_size(measures: Sequence[RunMeasure], collection_size: int | None) -> None:
    """Refuse a missing size before a long run is read, not after."""
    for measure in measures:
        if isinstance(measure, ActualValue | MaximumValue):
            _required(collection_size, measure.name)


def error_rates(
    outcomes: Sequence[Outcome], collection_size: int, threshold: float | None, rel: int = 1
) -> ErrorRates:
    """The miss and false alarm rates of each query at a threshold."""
    miss, false_alarm = np.full(len(outcomes), np.nan), np.zeros(len(outcomes))
    for row, outcome in enumerate(outcomes):
        yes = slice(None) if threshold is None else outcome.scores >= threshold
        grades = outcome.grades[yes]
        hits, relevant = int((grades >= rel).sum()), outcome.relevant(rel)
        others = _others(outcome, relevant, collection_size)
        if relevant:
            miss[row] = (relevant - hits) / relevant
        if others:
            false_alarm[row] = (len(grades) - hits) / others
    return ErrorRates(miss, false_alarm)


def best_threshold(
    outcomes: Sequence[Outcome], collection_size: int, beta: float, rel: int = 1
) -> float:
    """The threshold with the highest AQWV; infinite where retrieving nothing is best.

    One sweep over all hits in falling order of their scores: every relevant hit wins its share of
    P_miss, every other one costs its share of P_FA. Equal scores are on the same side.
    """
    relevant = np.array([outcome.relevant(rel) for outcome in outcomes])
    others = np.array(
        [_others(o, n, collection_size) for o, n in zip(outcomes, relevant, strict=True)]
    )
    wins = 1 / np.maximum(relevant, 1) / max(int((relevant > 0).sum()), 1)
    costs = beta / np.maximum(others, 1) / max(len(outcomes), 1)
    scores = np.concatenate([np.empty(0), *(outcome.scores for outcome in outcomes)])
    grades = np.concatenate([np.empty(0, np.int32), *(outcome.grades for outcome in outcomes)])
    owner = np.repeat(np.arange(len(outcomes)), [len(outcome.scores) for outcome in outcomes])
    order = np.argsort(-scores, kind="stable")
    scores = scores[order]
    gained = np.cumsum(np.where(grades >= rel, wins[owner], -costs[owner])[order])
    last_of_its_score = np.append(scores[1:] != scores[:-1], True)[: len(scores)]
    candidates = np.append(gained[last_of_its_score], 0.0)
    thresholds = np.append(scores[last_of_its_score], np.inf)
    return float(thresholds[int(candidates.argmax())])


def _others(outcome: Outcome, relevant: int, collection_size: int) -> int:
    """The number of documents of the collection that are not relevant."""
    known = len(outcome.scores) + len(outcome.unretrieved)
    if known > collection_size:
        raise UserError(
            f"Query {outcome.query_id!r} ranks or judges {known:,} documents, but the collection"
            f" is said to hold {collection_size:,}; give the size of the whole collection."
        )
    return collection_size - relevant


def _required(collection_size: int | None, name: str) -> int:
    if collection_size is None:
        raise ConfigError(
            f"{name} needs the number of documents in the collection: pass collection_size"
            " (--collection-size) or the documents themselves (--corpus)."
        )
    return collection_size


def _not_negative(beta: float) -> float:
    if not beta >= 0:
        raise ConfigError(f"beta must be 0 or more, got {beta}")
    return float(beta)
