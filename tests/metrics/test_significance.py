"""Intervals and tests, against scipy and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dragoman.errors import ConfigError
from dragoman.metrics.significance import (
    bootstrap_interval,
    grouped_bootstrap_interval,
    holm,
    paired_bootstrap_test,
    permutation_test,
    student_test,
)


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_the_interval_is_that_of_scipy(rng):
    values = rng.beta(2, 3, size=80)
    found = bootstrap_interval(values, rng, draws=20_000)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    assert found.low == pytest.approx(theirs.low, abs=0.003)
    assert found.high == pytest.approx(theirs.high, abs=0.003)


def test_a_wider_confidence_gives_a_wider_interval(rng):
    values = rng.random(50)
    narrow = bootstrap_interval(values, np.random.default_rng(0), confidence=0.5)
    wide = bootstrap_interval(values, np.random.default_rng(0), confidence=0.99)
    assert wide.low < narrow.low < values.mean() < narrow.high < wide.high


def test_the_same_seed_gives_the_same_interval_in_blocks_or_not(rng, monkeypatch):
    values = rng.random(60)
    whole = bootstrap_interval(values, np.random.default_rng(4), draws=500)
    monkeypatch.setattr("dragoman.metrics.significance.BOOTSTRAP_BLOCK", 60 * 8)
    assert bootstrap_interval(values, np.random.default_rng(4), draws=500) == whole


def test_groups_of_one_value_are_values(rng):
    values = rng.random(60)
    plain = bootstrap_interval(values, np.random.default_rng(4), draws=20_000)
    grouped = grouped_bootstrap_interval(
        values, rng.permutation(60) * 7, np.random.default_rng(5), draws=20_000
    )
    assert grouped.low == pytest.approx(plain.low, abs=0.003)
    assert grouped.high == pytest.approx(plain.high, abs=0.003)


def test_copies_within_groups_do_not_narrow_the_interval(rng):
    values = rng.random(60)
    once = grouped_bootstrap_interval(values, np.arange(60), np.random.default_rng(4))
    copies = grouped_bootstrap_interval(
        values.repeat(9), np.arange(60).repeat(9), np.random.default_rng(4)
    )
    assert (copies.low, copies.high) == pytest.approx((once.low, once.high))


def test_groups_count_by_their_sizes(rng):
    values, groups = np.array([0.0, 1.0, 1.0, 1.0]), np.array([5, 9, 9, 9])
    found = grouped_bootstrap_interval(values, groups, rng, draws=5_000)
    assert (found.low, found.high) == (0.0, 1.0)  # a group alone, twice, or 3 of 4
    one = grouped_bootstrap_interval(values, np.zeros(4, int), rng)
    assert (one.low, one.high) == (0.75, 0.75)
    with pytest.raises(ConfigError, match="at least one value"):
        grouped_bootstrap_interval(np.zeros(0), np.zeros(0, int), rng)


def test_one_value_is_its_own_interval(rng):
    found = bootstrap_interval(np.array([0.25]), rng)
    assert (found.low, found.high) == (0.25, 0.25)


def test_no_value_has_no_interval(rng):
    with pytest.raises(ConfigError, match="at least one value"):
        bootstrap_interval(np.empty(0), rng)


def test_student_is_scipy_s_paired_test(rng):
    first, second = rng.random(40), rng.random(40)
    assert student_test(first, second) == stats.ttest_rel(first, second).pvalue


def test_student_by_hand():
    # differences 1, 2, 3: mean 2, standard error 1/sqrt(3), t = 2 sqrt(3), 2 degrees of freedom
    found = student_test(np.array([1.0, 2.0, 3.0]), np.zeros(3))
    assert found == pytest.approx(2 * stats.t.sf(2 * np.sqrt(3), 2))


def test_student_without_spread():
    same = np.array([0.5, 0.25, 1.0])
    assert student_test(same, same) == 1.0
    assert student_test(same + 0.5, same) == 0.0
    assert student_test(np.array([1.0]), np.array([0.0])) == 1.0
    assert student_test(np.empty(0), np.empty(0)) == 1.0


def test_permutation_p_value_is_that_of_scipy(rng):
    first = rng.random(12)
    second = first - rng.normal(0.1, 0.2, 12)
    exact = stats.permutation_test(
        (first - second,),
        np.mean,
        permutation_type="samples",
        n_resamples=np.inf,
        alternative="two-sided",
    ).pvalue
    assert permutation_test(first, second, rng, draws=50_000) == pytest.approx(exact, abs=0.01)


def test_permutation_by_hand(rng):
    # all eight sign patterns of 1, 1, 1: two of them reach a sum of 3
    found = permutation_test(np.ones(3), np.zeros(3), rng, draws=80_000)
    assert found == pytest.approx(2 / 8, abs=0.01)


def test_permutation_never_says_zero_and_says_one_for_equal_runs(rng):
    assert permutation_test(np.ones(200), np.zeros(200), rng) == 1 / 10_001
    assert permutation_test(np.ones(9), np.ones(9), rng) == 1.0
    assert permutation_test(np.empty(0), np.empty(0), rng) == 1.0


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=1, max_size=20), st.integers(0, 5))
def test_permutation_does_not_care_which_run_comes_first(differences, seed):
    values, zeros = np.array(differences), np.zeros(len(differences))
    there = permutation_test(values, zeros, np.random.default_rng(seed), draws=500)
    back = permutation_test(zeros, values, np.random.default_rng(seed), draws=500)
    assert there == pytest.approx(back)
    assert 0 < there <= 1


def test_paired_bootstrap_is_scipy_s_bootstrap(rng):
    first = rng.random(40)
    second = first - rng.normal(0.03, 0.2, 40)
    drawn = stats.bootstrap(
        (first - second,), np.mean, n_resamples=20_000, method="percentile", rng=rng
    ).bootstrap_distribution
    found = paired_bootstrap_test(first, second, rng, draws=20_000)
    assert 0.01 < found < 0.5
    assert found == pytest.approx((drawn <= 0).mean(), abs=0.01)


def test_paired_bootstrap_by_hand(rng):
    # of the four samples of 1 and -1 only (1, 1) is above 0
    found = paired_bootstrap_test(np.array([1.0, 0.0]), np.array([0.0, 1.0]), rng, draws=40_000)
    assert found == pytest.approx(3 / 4, abs=0.01)


def test_paired_bootstrap_is_one_sided_and_says_one_for_equal_runs(rng):
    assert paired_bootstrap_test(np.ones(200), np.zeros(200), rng) == 1 / 10_001
    assert paired_bootstrap_test(np.zeros(200), np.ones(200), rng) == 1.0
    assert paired_bootstrap_test(np.ones(9), np.ones(9), rng) == 1.0
    assert paired_bootstrap_test(np.empty(0), np.empty(0), rng) == 1.0


def test_holm_by_hand():
    # sorted .005 .01 .03 .04; times 4 3 2 1: .02 .03 .06 .04, then never falling
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_only_raises(p_values):
    adjusted = holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[i] for i in order] == sorted(adjusted)
