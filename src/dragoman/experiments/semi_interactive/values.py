"""Scores of a model for the test -> AUC and nDCG@10 by language, and how sure a difference is.

AUC is pooled over the questions of a language, as in the paper, over the relevant document and the
negatives; related documents are left out of it. nDCG@10 ranks all candidates by their grades. The
value of a question in AUC is its part in the pooled area, so that both measures are means over
questions and one paired bootstrap (Koehn 2004) serves them.
"""

from collections.abc import Sequence

import numpy as np

from dragoman.experiments.group_means import GroupedValues
from dragoman.experiments.semi_interactive.task import RELATED, RELEVANT, Asked
from dragoman.metrics.auc import area_under_curve
from dragoman.metrics.outcomes import Outcome
from dragoman.metrics.parse import parse_measure
from dragoman.metrics.significance import PERMUTATION_DRAWS, holm, paired_bootstrap_test
from dragoman.types import FloatArray

AUC, NDCG = "AUC", "nDCG@10"
MEASURES = (AUC, NDCG)
NOTHING = np.empty(0, dtype=np.int32)


def split_scores(asked: Sequence[Asked], scores: FloatArray) -> list[FloatArray]:
    """The scores of every question, in the order of its items."""
    return np.split(scores, np.cumsum([len(one.items) for one in asked])[:-1])


def measured(asked: Sequence[Asked], scores: FloatArray) -> dict[str, GroupedValues]:
    """Both measures of all languages."""
    areas: dict[str, list[Outcome]] = {}
    rankings: dict[str, list[Outcome]] = {}
    for one, found in zip(asked, split_scores(asked, scores), strict=True):
        code = one.query.language
        areas.setdefault(code, []).append(outcome(one, found, related=False))
        rankings.setdefault(code, []).append(outcome(one, found))
    area, gain = area_under_curve(AUC, rel=RELEVANT, pooled=True), parse_measure(NDCG)
    return {
        AUC: {code: area.values(outcomes, None) for code, outcomes in areas.items()},
        NDCG: {code: gain.values(outcomes, None) for code, outcomes in rankings.items()},
    }


def area_by_kind(
    asked: Sequence[Asked], scores: FloatArray, languages: Sequence[str]
) -> dict[str, float]:
    """AUC, the mean over languages, against sampled negatives alone and against hard ones alone."""
    found: dict[str, float] = {}
    for label, hard in (("sampled", False), ("hard", True)):
        kept: dict[str, list[Outcome]] = {}
        for one, mine in zip(asked, split_scores(asked, scores), strict=True):
            cut = outcome(one, mine, related=False, hard=hard)
            kept.setdefault(one.query.language, []).append(cut)
        area = area_under_curve(AUC, rel=RELEVANT, pooled=True)
        means = [float(area.values(kept[code], None).mean()) for code in languages]
        found[label] = float(np.mean(means))
    return found


def outcome(
    one: Asked, scores: FloatArray, *, related: bool = True, hard: bool | None = None
) -> Outcome:
    """The ranking of a question's candidates; without related ones, of one kind of negatives."""
    rows = [
        row
        for row, (name, grade) in enumerate(zip(one.items, one.grades, strict=True))
        if (related or grade != RELATED)
        and (hard is None or grade == RELEVANT or (name in one.hard) is hard)
    ]
    rows.sort(key=lambda row: (-scores[row], one.items[row]))
    grades = np.array([one.grades[row] for row in rows], dtype=np.int32)
    return Outcome(one.query.query_id, np.asarray(scores[rows], np.float64), grades, NOTHING)


def p_values_above(
    pairs: Sequence[tuple[FloatArray, FloatArray]], draws: int = PERMUTATION_DRAWS
) -> list[float]:
    """The one-sided p-value of each pair's first being above its second, after Holm over all."""
    rng = np.random.default_rng(0)
    return holm([paired_bootstrap_test(one, two, rng, draws=draws) for one, two in pairs])
