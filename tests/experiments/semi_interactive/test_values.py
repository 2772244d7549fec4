"""Scores of candidates -> AUC and nDCG@10 by language, and one-sided paired tests."""

import numpy as np
import pytest
from sklearn.metrics import ndcg_score, roc_auc_score

from dragoman.experiments.semi_interactive.task import QueryCandidates
from dragoman.experiments.semi_interactive.values import (
    AUC,
    NDCG,
    area_by_kind,
    measure_languages,
    p_values_above,
)
from dragoman.types import Query


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def made_up_queries(count, language, rng):
    """Each with its document, a related one, three hard and five sampled negatives."""
    found = []
    for number in range(count):
        names = tuple(f"{number}-{place}" for place in range(10))
        grades = (2, 1, *[0] * 8)
        query = Query(f"{language}:{number}", "q", language)
        found.append(QueryCandidates(query, names, grades, frozenset(names[2:5])))
    return found, rng.random(10 * count)


@pytest.fixture
def both(rng):
    german, first = made_up_queries(6, "de", rng)
    french, second = made_up_queries(9, "fr", rng)
    return [*german, *french], np.concatenate([first, second])


def test_auc_is_scikit_learn_s_without_related_documents(both):
    queries, scores = both
    rows = np.tile(np.array([True, False] + [True] * 8), len(queries))
    labels = np.tile(np.array([1, 1] + [0] * 8), len(queries))
    german = np.arange(len(rows)) < 60
    found = measure_languages(queries, scores)[AUC]
    for code, mine in (("de", rows & german), ("fr", rows & ~german)):
        assert found[code].mean() == pytest.approx(roc_auc_score(labels[mine], scores[mine]))


def test_ndcg_is_scikit_learn_s_with_related_documents(both):
    queries, scores = both
    grades = np.array([one.grades for one in queries])
    there = ndcg_score(grades[:6], scores.reshape(-1, 10)[:6], k=10)
    assert measure_languages(queries, scores)[NDCG]["de"].mean() == pytest.approx(there)


def test_kinds_of_negatives_are_distinguished(both):
    queries, scores = both
    table = scores.reshape(-1, 10).copy()
    table[:, 0], table[:, 2:5], table[:, 5:] = 0.5, 0.9, 0.1
    found = area_by_kind(queries, table.ravel(), ("de", "fr"))
    assert found == {"sampled": 1.0, "hard": 0.0}


def test_pairs_are_tested_one_way_and_corrected(rng):
    low = rng.random(80)
    pairs = [(low + 0.3, low), (low - 0.3, low), (low, low)]
    up, down, same = p_values_above(pairs, draws=999)
    assert up == pytest.approx(3 / 1000)  # three pairs were tested
    assert (down, same) == (1, 1)
