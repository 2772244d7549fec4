"""Logits of a query's terms -> one probability, and the threshold of a positive decision.

A document is relevant to a phrase if it is relevant to all of its terms. There are three ways to
combine them; the mean of the terms' logits is the default, because a product of several
probabilities is lower than each of them, and one threshold must suit short and long queries. On 300
Somali development queries (61 of them phrases; six models of ``reproduce searcher --scale small``)
AQWV is .074 with the mean, .073 with the minimum and .070 with the product; for the phrases alone,
at the same thresholds, .150, .147 and .133.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np

from dragoman.metrics.calibration import Scaling
from dragoman.metrics.detection import best_threshold
from dragoman.metrics.outcomes import judge
from dragoman.types import FloatArray, Judgments, Ranking

BETA = 40.0  # of MATERIAL: the cost of a false alarm relative to a miss
DECIMALS = 4  # of logits; further digits depend on storage and on the order of additions


class Combination(StrEnum):
    """How the probabilities of several terms become one."""

    PRODUCT = "product"  # of independent terms
    MINIMUM = "minimum"  # of the least probable term
    MEAN = "mean"  # the mean of the logits


DEFAULT = Combination.MEAN


def combine_logits(logits: FloatArray, scaling: Scaling, combination: Combination) -> FloatArray:
    """(documents,): probabilities from the logits of every term (terms, documents)."""
    values = np.round(np.asarray(logits, dtype=np.float64), DECIMALS)
    if combination is Combination.MEAN:
        return scaling.probabilities(values.mean(axis=0))
    each = scaling.probabilities(values)
    combined: FloatArray = (
        each.min(axis=0) if combination is Combination.MINIMUM else each.prod(axis=0)
    )
    return combined


def saved_scaling(facts: Mapping[str, object]) -> Scaling:
    """The calibration that a model was saved with; the identity if it has none."""
    scaling = facts.get("calibration")
    if not isinstance(scaling, Mapping):
        return Scaling()
    return Scaling(float(scaling["slope"]), float(scaling["offset"]))


def decision_threshold(
    rankings: Sequence[Ranking], judgments: Judgments, documents: int, beta: float = BETA
) -> float:
    """The threshold with the highest AQWV on development queries."""
    outcomes = [judge(ranking, judgments.get(ranking.query_id, {})) for ranking in rankings]
    return best_threshold(outcomes, documents, beta)
