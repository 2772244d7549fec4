"""Means in which every group weighs the same."""

import numpy as np
import pytest

from dragoman.experiments.group_means import mean_of_groups, stratified_values, weighted_values

VALUES = {"de": np.array([1.0, 0.0, 1.0, 0.0]), "fr": np.array([1.0, 0.5])}


def test_both_forms_have_the_mean_of_the_groups_means():
    assert mean_of_groups(VALUES, ("de", "fr")) == 0.625
    assert weighted_values(VALUES, ("de", "fr")).mean() == pytest.approx(0.625)
    assert stratified_values(VALUES, ("de", "fr")).mean() == pytest.approx(0.625)
    assert weighted_values(VALUES, ("fr",)).tolist() == [1.0, 0.5]


def test_stratified_values_do_not_spread_between_groups():
    apart = {"de": np.ones(4), "fr": np.zeros(2)}
    assert np.ptp(stratified_values(apart, ("de", "fr"))) == 0
    assert np.ptp(weighted_values(apart, ("de", "fr"))) > 0
