"""Logits of a query's terms -> one probability, and the threshold from which it is a yes.

A document is relevant to a phrase if it is to all of its terms. Three readings of *all* are
offered; the mean of the terms' logits is the default, because a product of several probabilities is
lower than one of them alone, and one threshold has to serve short and long queries. On 300 Somali
development queries (63 of them phrases; six models of ``reproduce searcher --scale small``) AQWV is
.071 with the mean, .066 with the least and .063 with the product; of the phrases alone .119, .104
and .081.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np

from dragoman.metrics.calibration import Scaling
from dragoman.metrics.detection import best_threshold
from dragoman.metrics.outcomes import judge
from dragoman.types import FloatArray, Judgments, Ranking

BETA = 40.0  # of MATERIAL: what a false alarm costs beside a miss
DECIMALS = 4  # of logits; beyond, they are the order of additions and the storage


class Combination(StrEnum):
    """How the probabilities of several terms become one."""

    PRODUCT = "product"  # all terms are there, each by itself
    MINIMUM = "minimum"  # as sure as of the least sure term
    MEAN = "mean"  # the mean of the logits


DEFAULT = Combination.MEAN


def combine_logits(logits: FloatArray, scaling: Scaling, combination: Combination) -> FloatArray:
    """(documents,): probabilities from the logits of every term (terms, documents)."""
    values = np.round(np.asarray(logits, dtype=np.float64), DECIMALS)
    if combination is Combination.MEAN:
        return scaling.probabilities(values.mean(axis=0))
    each = scaling.probabilities(values)
    found: FloatArray = (
        each.min(axis=0) if combination is Combination.MINIMUM else each.prod(axis=0)
    )
    return found


def saved_scaling(facts: Mapping[str, object]) -> Scaling:
    """The calibration that a model was saved with; none where it has none."""
    found = facts.get("calibration")
    if not isinstance(found, Mapping):
        return Scaling()
    return Scaling(float(found["slope"]), float(found["offset"]))


def decision_threshold(
    rankings: Sequence[Ranking], judgments: Judgments, documents: int, beta: float = BETA
) -> float:
    """The score from which a yes is worth most on development queries (AQWV)."""
    outcomes = [judge(ranking, judgments.get(ranking.query_id, {})) for ranking in rankings]
    return best_threshold(outcomes, documents, beta)
