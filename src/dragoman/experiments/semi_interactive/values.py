"""Scores of a model on the test -> AUC and nDCG@10 by language, and one-sided paired tests.

AUC is pooled over the queries of a language, as in the paper, over the relevant document and the
negatives; related documents are left out of it. nDCG@10 ranks all candidates by their grades. The
AUC value of a query is its part in the pooled area, so that both measures are means over queries
and one paired bootstrap (Koehn 2004) serves them.
"""

from collections.abc import Sequence

import numpy as np

from dragoman.experiments.group_means import GroupedValues
from dragoman.experiments.semi_interactive.task import RELATED, RELEVANT, QueryCandidates
from dragoman.metrics.auc import area_under_curve
from dragoman.metrics.outcomes import Outcome
from dragoman.metrics.parser import parse_measure
from dragoman.metrics.significance import PERMUTATION_DRAWS, holm, paired_bootstrap_test
from dragoman.types import FloatArray

AUC, NDCG = "AUC", "nDCG@10"
MEASURES = (AUC, NDCG)
NOTHING = np.empty(0, dtype=np.int32)


def split_scores(queries: Sequence[QueryCandidates], scores: FloatArray) -> list[FloatArray]:
    """The scores of every query, in the order of its candidates."""
    return np.split(scores, np.cumsum([len(one.items) for one in queries])[:-1])


def measure_languages(
    queries: Sequence[QueryCandidates], scores: FloatArray
) -> dict[str, GroupedValues]:
    """Both measures, by language."""
    areas: dict[str, list[Outcome]] = {}
    rankings: dict[str, list[Outcome]] = {}
    for one, column in zip(queries, split_scores(queries, scores), strict=True):
        code = one.query.language
        areas.setdefault(code, []).append(judge_candidates(one, column, related=False))
        rankings.setdefault(code, []).append(judge_candidates(one, column))
    area, gain = area_under_curve(AUC, rel=RELEVANT, pooled=True), parse_measure(NDCG)
    return {
        AUC: {code: area.values(outcomes, None) for code, outcomes in areas.items()},
        NDCG: {code: gain.values(outcomes, None) for code, outcomes in rankings.items()},
    }


def area_by_kind(
    queries: Sequence[QueryCandidates], scores: FloatArray, languages: Sequence[str]
) -> dict[str, float]:
    """AUC, the mean over languages, against sampled negatives alone and against hard ones alone."""
    areas: dict[str, float] = {}
    for label, hard in (("sampled", False), ("hard", True)):
        outcomes: dict[str, list[Outcome]] = {}
        for one, column in zip(queries, split_scores(queries, scores), strict=True):
            judged = judge_candidates(one, column, related=False, hard=hard)
            outcomes.setdefault(one.query.language, []).append(judged)
        area = area_under_curve(AUC, rel=RELEVANT, pooled=True)
        means = [float(area.values(outcomes[code], None).mean()) for code in languages]
        areas[label] = float(np.mean(means))
    return areas


def area_within_queries(
    queries: Sequence[QueryCandidates], scores: FloatArray, languages: Sequence[str]
) -> float:
    """AUC among the candidates of one query, averaged: scores of two queries do not meet."""
    areas: dict[str, list[Outcome]] = {}
    for one, column in zip(queries, split_scores(queries, scores), strict=True):
        judged = judge_candidates(one, column, related=False)
        areas.setdefault(one.query.language, []).append(judged)
    area = area_under_curve(AUC, rel=RELEVANT)
    return float(np.mean([area.values(areas[code], None).mean() for code in languages]))


def judge_candidates(
    one: QueryCandidates, scores: FloatArray, *, related: bool = True, hard: bool | None = None
) -> Outcome:
    """The judged ranking of a query's candidates; with or without related ones and hard negatives.

    ``hard`` keeps hard negatives alone (True), sampled ones alone (False) or both (None).
    """
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
