"""The one-standard-error rule, folds and groups, by hand and by properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.tuning.choice import (
    FOLDS,
    Evidence,
    choose,
    choose_all,
    folds_of,
    group_queries,
    standard_errors,
    tried_values,
    weights_by_fold,
)

EVERY = slice(None)


def evidence(gains, values=(0.1, 0.2, 0.3, 0.4), default=0.2):
    gains = np.array(gains, float)
    return Evidence("keyword_weight", default, values, np.arange(len(gains)), gains)


def chosen(one, groups=None, among=EVERY):
    n = len(one.gains)
    mask = np.zeros(n, bool)
    mask[among] = True
    return choose(one, np.arange(n) if groups is None else np.array(groups), mask)


@given(st.floats(0, 1))
def test_tried_values_are_between_0_and_1_and_have_the_default(default):
    values = tried_values(default)
    assert default in values
    assert all(0 <= value <= 1 for value in values)
    assert [*values] == sorted({*values})
    assert min(values) < 0.1 + 1e-6
    assert max(values) > 0.9 - 1e-6


def test_values_around_a_default():
    assert tried_values(0.85) == (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)


def test_the_best_value_is_chosen_where_all_queries_agree():
    assert chosen(evidence([[0, 0, 0.1, 0.3]] * 5)) == 0.4


def test_of_values_within_one_standard_error_of_the_best_the_nearest_to_the_default_is_chosen():
    # 0.4 gains .25 on average, 0.3 gains .2; their difference has the error .35 / sqrt(4) ... > .05
    gains = [[0, 0, 0.2, 0.6], [0, 0, 0.2, -0.1], [0, 0, 0.2, 0.6], [0, 0, 0.2, -0.1]]
    assert chosen(evidence(gains)) == 0.3


def test_a_gain_below_its_standard_error_leaves_the_default():
    gains = [[0, 0, 0, 1], [0, 0, 0, -0.9]] * 3  # mean .05, error .42
    assert chosen(evidence(gains)) == 0.2


def test_equal_means_go_to_the_nearest():
    assert chosen(evidence([[0.5, 0, 0, 0.5]] * 4)) == 0.1


def test_only_the_queries_among_those_given_choose():
    gains = [[0, 0, 1, 0]] * 3 + [[1, 0, 0, 0]] * 3
    assert chosen(evidence(gains), among=slice(3)) == 0.3
    assert chosen(evidence(gains), among=slice(3, None)) == 0.1
    assert chosen(evidence(gains), among=slice(0)) == 0.2


def test_weights_that_stay_are_left_out():
    moved = Evidence("a", 0.2, (0.1, 0.2), np.arange(3), np.array([[1.0, 0]] * 3))
    stays = Evidence("b", 0.2, (0.1, 0.2), np.arange(3), np.array([[-1.0, 0]] * 3))
    assert choose_all([moved, stays], np.arange(3), np.ones(3, bool)) == {"a": 0.1}


def test_the_standard_error_of_single_queries_is_that_of_a_mean():
    values = np.random.default_rng(0).normal(size=(30, 2))
    expected = values.std(axis=0, ddof=1) / np.sqrt(30)
    assert standard_errors(values, np.arange(30)) == pytest.approx(expected)


def test_copies_of_a_query_do_not_lower_the_error():
    values = np.random.default_rng(0).normal(size=(30, 1))
    once = standard_errors(values, np.arange(30))
    assert standard_errors(np.repeat(values, 5, axis=0), np.arange(30).repeat(5)) == pytest.approx(
        once
    )


def test_one_group_has_no_error():
    assert standard_errors(np.ones((4, 2)), np.zeros(4, int)).tolist() == [np.inf, np.inf]


def test_queries_with_an_equal_key_of_any_kind_are_one_group():
    groups = group_queries(["a", "b", "a", "c", "d"], [1, 2, 3, 2, 4])
    assert groups[0] == groups[2]  # text
    assert groups[1] == groups[3]  # documents
    assert len({*groups.tolist()}) == 3


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(0, 5))
def test_no_group_is_in_two_folds(keys, seed):
    groups = group_queries(keys)
    folds = folds_of(groups, np.random.default_rng(seed))
    assert all(len({*folds[groups == group].tolist()}) == 1 for group in {*groups.tolist()})
    sizes = np.bincount([folds[groups == g][0] for g in {*groups.tolist()}], minlength=FOLDS)
    assert sizes.max() - sizes.min() <= 1


def test_a_fold_has_no_part_in_its_choice():
    gains = np.zeros((20, 4))
    gains[:, 2] = 1.0
    gains[3] = [0, 0, -100, 0]  # its own fold alone chooses by the others
    one = evidence(gains)
    folds = folds_of(np.arange(20), np.random.default_rng(0))
    by_fold = weights_by_fold([one], np.arange(20), folds)
    assert by_fold[folds[3]] == {"keyword_weight": 0.3}
    assert all(not weights for fold, weights in enumerate(by_fold) if fold != folds[3])
