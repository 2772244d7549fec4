"""Outcomes -> the area under the ROC curve: how often a relevant document outscores another.

Judged documents that were not retrieved rank below every hit, tied with each other; hits without
judgment count as not relevant; a tie counts half. Two variants: per query and averaged, or pooled
over all pairs of query and document, as the semi-interactive paper reports it (Table 2).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from dragoman.metrics.outcomes import Outcome
from dragoman.types import FloatArray


@dataclass(frozen=True, slots=True)
class AreaUnderCurve:
    """The area for each query separately."""

    name: str
    rel: int
    pooled: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """One area per outcome; undefined without relevant or without other documents.

        An empty ranking of a query that has relevant documents scores 0, not the half that
        its ties would give: a run gains nothing by leaving a query out.
        """
        return np.array([self._area(outcome) for outcome in outcomes], dtype=np.float64)

    def _area(self, outcome: Outcome) -> float:
        scores, relevant = _labelled(outcome, self.rel)
        positives, negatives = int(relevant.sum()), int((~relevant).sum())
        if positives and not len(outcome.scores):
            return 0.0
        if not positives or not negatives:
            return float("nan")
        wins = rankdata(scores)[relevant].sum() - positives * (positives + 1) / 2
        return float(wins / (positives * negatives))


@dataclass(frozen=True, slots=True)
class PooledAreaUnderCurve:
    """One area over the scores of all queries together."""

    name: str
    rel: int
    pooled: bool = True
    bounds: tuple[float, float] = (0.0, 1.0)

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """Each query's contribution to the pooled area; their mean is the area.

        A contribution is the area plus the query's influence on it (DeLong et al. 1988, summed
        within the query as in Obuchowski 1997), so that intervals and tests treat queries, not
        pairs, as independent.
        """
        labelled = [_labelled(outcome, self.rel) for outcome in outcomes]
        scores = np.concatenate([one for one, _ in labelled])
        relevant = np.concatenate([labels for _, labels in labelled])
        owner = np.repeat(np.arange(len(outcomes)), [len(one) for one, _ in labelled])
        positives, negatives = int(relevant.sum()), int((~relevant).sum())
        if not positives or not negatives:
            return np.full(len(outcomes), np.nan)
        ranks = rankdata(scores)
        beaten = np.empty(len(scores))
        beaten[relevant] = (ranks[relevant] - rankdata(scores[relevant])) / negatives
        beaten[~relevant] = 1 - (ranks[~relevant] - rankdata(scores[~relevant])) / positives
        area = beaten[relevant].mean()
        share = np.where(relevant, 1 / positives, 1 / negatives)
        influence = np.bincount(owner, (beaten - area) * share, minlength=len(outcomes))
        return np.asarray(area + len(outcomes) * influence)


def area_under_curve(
    name: str, *, rel: int = 1, pooled: bool = False
) -> AreaUnderCurve | PooledAreaUnderCurve:
    """How often a relevant document outscores another; pooled=True over all queries together."""
    return PooledAreaUnderCurve(name, rel) if pooled else AreaUnderCurve(name, rel)


def _labelled(
    outcome: Outcome, rel: int
) -> tuple[FloatArray, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    scores = np.concatenate([outcome.scores, np.full(len(outcome.unretrieved), -np.inf)])
    relevant = np.concatenate([outcome.grades, outcome.unretrieved]) >= rel
    return scores, relevant
