"""The area under the curve, against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import roc_auc_score

from dragoman.metrics.outcomes import judge
from dragoman.metrics.parser import parse_measure
from outcome_strategies import cases, judged, rank, rankings

LOWEST = -1e9  # stands for what was judged and not retrieved


def labelled(ranking, grades, rel=1):
    """Labels and scores as a classifier's judge would list them."""
    scores = {hit.doc_id: hit.score for hit in ranking.hits}
    documents = sorted(scores.keys() | grades.keys())
    labels = [grades.get(doc_id, 0) >= rel for doc_id in documents]
    return labels, [scores.get(doc_id, LOWEST) for doc_id in documents]


@settings(max_examples=100, deadline=None)
@given(rankings(min_size=1), judged(min_size=1))
def test_per_query_the_area_is_that_of_scikit_learn(ranking, grades):
    found = parse_measure("AUC").values([judge(ranking, grades)], None)[0]
    labels, scores = labelled(ranking, grades)
    if len(set(labels)) == 1:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(roc_auc_score(labels, scores))


@settings(max_examples=100, deadline=None)
@given(cases(min_size=2))
def test_pooled_the_area_is_that_of_scikit_learn_over_all_pairs(queries):
    outcomes = [judge(ranking, grades) for ranking, grades in queries]
    found = parse_measure("AUC(pooled=True,rel=2)").values(outcomes, None)
    parts = [labelled(ranking, grades, rel=2) for ranking, grades in queries]
    labels = [label for part, _ in parts for label in part]
    scores = [score for _, part in parts for score in part]
    if len(set(labels)) < 2:
        assert np.isnan(found).all()
    else:
        assert found.mean() == pytest.approx(roc_auc_score(labels, scores))


def test_a_tie_counts_half():
    ranking = rank("q", {"good": 1.0, "bad": 1.0, "worse": 0.0})
    area = parse_measure("AUC").values([judge(ranking, {"good": 1})], None)
    assert area.tolist() == [0.75]


def test_a_query_that_was_left_out_gains_nothing():
    measure = parse_measure("AUC")
    assert measure.values([judge(rank("q", {}), {"a": 1})], None).tolist() == [0.0]
    assert np.isnan(measure.values([judge(rank("q", {}), {"a": 0})], None)).all()


def test_the_pooled_spread_is_that_of_delong_where_every_query_is_one_pair():
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, 400)
    scores = rng.normal(labels * 0.8)
    outcomes = [
        judge(rank(f"q{n}", {"d": float(score)}), {"d": int(label)})
        for n, (score, label) in enumerate(zip(scores, labels, strict=True))
    ]
    values = parse_measure("AUC(pooled=True)").values(outcomes, None)
    good, bad = scores[labels == 1], scores[labels == 0]
    wins = (good[:, None] > bad[None, :]) + 0.5 * (good[:, None] == bad[None, :])
    delong = wins.mean(axis=1).var(ddof=1) / len(good) + wins.mean(axis=0).var(ddof=1) / len(bad)
    assert values.var(ddof=1) / len(values) == pytest.approx(delong, rel=0.01)
