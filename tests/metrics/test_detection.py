"""AQWV and MQWV: worked by hand, against published averages, against trying every threshold."""

import numpy as np
import pytest
from hypothesis import given, settings

from dragoman.errors import ConfigError, UserError
from dragoman.metrics.detection import ErrorRates, best_threshold, error_rates
from dragoman.metrics.outcomes import judge
from dragoman.metrics.parser import parse_measure
from outcome_strategies import SCORES, cases, rank


def value(name, queries, size):
    outcomes = [judge(ranking, grades) for ranking, grades in queries]
    return parse_measure(name).values(outcomes, size).mean()


# 102 documents; q1: 2 relevant, 1 found, 1 false alarm; q2: 1 relevant, found, no false alarm
Q1 = (rank("q1", {"a": 0.9, "x": 0.6}), {"a": 1, "b": 2})
Q2 = (rank("q2", {"c": 0.7}), {"c": 1})
# nothing relevant, two false alarms
Q3 = (rank("q3", {"y": 0.8, "z": 0.1}), {"y": 0})


def test_one_query_as_worked_by_hand():
    # P_miss = 1/2, P_FA = 1/(102 - 2) = 0.01, QWV = 1 - 0.5 - 40 * 0.01
    assert value("AQWV(beta=40)", [Q1], 102) == pytest.approx(0.1)
    assert value("AQWV(beta=20)", [Q1], 102) == pytest.approx(0.3)


def test_the_mean_over_queries_as_worked_by_hand():
    assert value("AQWV", [Q1, Q2], 102) == pytest.approx((0.1 + 1.0) / 2)


def test_a_query_without_relevant_documents_counts_in_false_alarms_only():
    # P_miss over q1 and q2: (1/2 + 0) / 2; P_FA over all three: (1/100 + 0 + 2/102) / 3
    expected = 1 - 0.25 - 40 * (1 / 100 + 2 / 102) / 3
    assert value("AQWV(beta=40)", [Q1, Q2, Q3], 102) == pytest.approx(expected)


def test_only_what_reaches_the_threshold_is_a_yes():
    # at 0.65 q1 keeps a, q2 keeps c, q3 keeps y
    expected = 1 - 0.25 - 40 * (0 + 0 + 1 / 102) / 3
    assert value("AQWV(beta=40, threshold=0.65)", [Q1, Q2, Q3], 102) == pytest.approx(expected)
    # a score equal to the threshold is a yes
    assert value("AQWV(threshold=0.9)", [Q1], 102) == pytest.approx(0.5)
    # silence misses everything and raises no alarm
    assert value("AQWV(threshold=1)", [Q1, Q2, Q3], 102) == pytest.approx(0.0)


def test_the_best_threshold_as_worked_by_hand():
    # the falling scores: .9 a (+1/4), .8 y (-40/306), .7 c (+1/2), .6 x (-40/300), .1 z
    outcomes = [judge(ranking, grades) for ranking, grades in (Q1, Q2, Q3)]
    assert best_threshold(outcomes, 102, beta=40.0) == 0.7
    assert value("MQWV(beta=40)", [Q1, Q2, Q3], 102) == pytest.approx(0.75 - 40 / 306)


def test_where_every_yes_is_wrong_silence_is_best():
    queries = [(rank("q", {"x": 0.9, "y": 0.5}), {"a": 1})]
    outcomes = [judge(ranking, grades) for ranking, grades in queries]
    assert best_threshold(outcomes, 10, beta=40.0) == np.inf
    assert value("MQWV", queries, 10) == 0.0


@pytest.mark.parametrize(
    ("collection", "queries", "with_relevant", "miss", "false_alarm", "modified"),
    [
        ("sw-en analysis1", 300, 150, 0.617761, 0.006770, 0.246838),
        ("tl-en analysis1", 300, 125, 0.393086, 0.007941, 0.448095),
    ],
)
def test_the_published_averages_of_elastic4clir_give_its_modified_value(
    collection, queries, with_relevant, miss, false_alarm, modified
):
    """Its README prints both means and, for beta = 20, the value that they give."""
    misses = np.full(queries, np.nan)
    misses[:with_relevant] = miss
    rates = ErrorRates(misses, np.full(queries, false_alarm))
    assert rates.weighted_value(20.0) == pytest.approx(modified, abs=3e-5), collection
    assert rates.values(20.0).mean() == pytest.approx(modified, abs=3e-5)


@settings(max_examples=100, deadline=None)
@given(cases(), SCORES)
def test_the_values_average_to_the_weighted_value(queries, threshold):
    outcomes = [judge(ranking, grades) for ranking, grades in queries]
    rates = error_rates(outcomes, 50, threshold)
    assert rates.values(40.0).mean() == pytest.approx(rates.weighted_value(40.0))
    assert -40 <= rates.weighted_value(40.0) <= 1


@settings(max_examples=100, deadline=None)
@given(cases())
def test_where_every_query_has_relevant_documents_a_value_is_the_query_s_own(queries):
    outcomes = [judge(r, g) for r, g in queries if any(grade > 0 for grade in g.values())]
    if not outcomes:
        return
    rates = error_rates(outcomes, 50, None)
    own = 1 - rates.miss - 40 * rates.false_alarm
    assert rates.values(40.0) == pytest.approx(own)


@settings(max_examples=150, deadline=None)
@given(cases())
def test_the_sweep_finds_what_trying_every_threshold_finds(queries):
    outcomes = [judge(ranking, grades) for ranking, grades in queries]
    for beta in (0.0, 5.0, 40.0):
        tried = [np.inf, *{hit.score for ranking, _ in queries for hit in ranking.hits}]
        best = max(error_rates(outcomes, 50, t).weighted_value(beta) for t in tried)
        found = best_threshold(outcomes, 50, beta)
        assert error_rates(outcomes, 50, found).weighted_value(beta) == pytest.approx(best)


@settings(max_examples=100, deadline=None)
@given(cases(), SCORES)
def test_the_maximum_is_never_below_an_actual_value(queries, threshold):
    highest = value("MQWV(beta=40)", queries, 50)
    assert highest >= value(f"AQWV(beta=40,threshold={threshold})", queries, 50) - 1e-9
    assert highest >= value("AQWV(beta=40)", queries, 50) - 1e-9
    assert -1e-9 <= highest <= 1 + 1e-9


def test_finding_all_and_nothing_else_is_worth_one():
    queries = [(rank("q", {"a": 1.0, "b": 0.5}), {"a": 1, "b": 2, "c": 0})]
    assert value("AQWV", queries, 10) == 1.0


def test_a_collection_of_relevant_documents_only_has_no_false_alarm():
    assert value("AQWV", [(rank("q", {"a": 1.0}), {"a": 1})], 1) == 1.0


def test_the_spread_is_that_of_the_two_means():
    """Against the plain formula: queries with relevant documents are a random half."""
    rng = np.random.default_rng(3)
    miss = np.where(rng.random(4000) < 0.5, rng.random(4000), np.nan)
    rates = ErrorRates(miss, np.zeros(4000))
    defined = miss[~np.isnan(miss)]
    spread = defined.var(ddof=1) / len(defined)
    assert rates.values(40.0).var(ddof=1) / 4000 == pytest.approx(spread, rel=0.01)


def test_the_size_of_the_collection_is_needed():
    with pytest.raises(ConfigError, match=r"AQWV.beta=40. needs the number of documents"):
        value("AQWV(beta=40)", [Q1], None)


def test_a_size_that_cannot_be_is_refused():
    with pytest.raises(UserError, match=r"ranks or judges 3 documents, but .* said to hold 2"):
        value("AQWV", [Q1], 2)


def test_a_negative_beta_is_refused():
    with pytest.raises(ConfigError, match="beta must be 0 or more, got -1"):
        parse_measure("MQWV(beta=-1)")
