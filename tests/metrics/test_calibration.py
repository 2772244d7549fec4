"""Calibration against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression

from dragoman.errors import ConfigError
from dragoman.metrics.calibration import (
    Scaling,
    expected_error,
    fit_logistic,
    fit_scaling,
    reliability,
)


def drawn(seed=0, n=4000, slope=1.0, offset=0.0):
    """Logits whose true probabilities are sigmoid(slope * logit + offset)."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 2, n)
    return logits, (rng.random(n) < expit(slope * logits + offset)).astype(float)


def test_the_diagram_is_that_of_scikit_learn():
    logits, labels = drawn()
    observed, predicted = calibration_curve(labels, expit(logits), n_bins=10)
    ours = reliability(expit(logits), labels)
    assert ours.observed == pytest.approx(observed)
    assert ours.predicted == pytest.approx(predicted)
    assert ours.counts.sum() == len(labels)


def test_the_expected_error_by_hand():
    probabilities, labels = np.array([0.1, 0.1, 0.9, 1.0]), np.array([0.0, 1.0, 1.0, 1.0])
    diagram = reliability(probabilities, labels, bins=2)
    assert diagram.counts.tolist() == [2, 2]
    assert diagram.expected_error == pytest.approx((2 * 0.4 + 2 * 0.05) / 4)


def test_an_empty_bin_is_not_a_number_and_costs_nothing():
    diagram = reliability(np.array([0.05, 0.05]), np.array([0.0, 0.0]))
    assert np.isnan(diagram.observed[1:]).all()
    assert diagram.expected_error == pytest.approx(0.05)


@pytest.mark.parametrize(("slope", "offset"), [(0.4, -1.5), (2.0, 0.5)])
def test_scaling_finds_the_truth_and_lowers_the_error(slope, offset):
    logits, labels = drawn(1, 8000, slope, offset)
    found = fit_scaling(logits, labels)
    assert (found.slope, found.offset) == pytest.approx((slope, offset), abs=0.12)
    before = expected_error(Scaling().probabilities(logits), labels)
    after = expected_error(found.probabilities(logits), labels)
    assert after < before / 3


def test_the_regression_is_that_of_scikit_learn():
    rng = np.random.default_rng(3)
    features = rng.normal(size=(500, 3))
    labels = (rng.random(500) < expit(features @ [1.0, -2.0, 0.5] - 0.3)).astype(float)
    reference = LogisticRegression(C=1e6, tol=1e-8, max_iter=1000).fit(features, labels)
    ours = fit_logistic(features, labels)
    assert ours[:-1] == pytest.approx(reference.coef_[0], abs=1e-3)
    assert ours[-1] == pytest.approx(reference.intercept_[0], abs=1e-3)


def test_one_kind_of_truth_and_a_turned_order_change_nothing():
    logits, labels = drawn(4, 200)
    assert fit_scaling(logits, np.ones(200)) == Scaling()
    assert fit_scaling(-logits, labels) == Scaling()


@given(st.lists(st.floats(-30, 30), min_size=2, max_size=30), st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_scaling_keeps_the_order(values, seed):
    logits = np.array(values)
    labels = (np.random.default_rng(seed).random(len(logits)) < 0.5).astype(float)
    scaled = fit_scaling(logits, labels).probabilities(np.sort(logits))
    assert (np.diff(scaled) >= 0).all()
    assert ((scaled >= 0) & (scaled <= 1)).all()


def test_no_bins_are_refused():
    with pytest.raises(ConfigError, match="bins must be 1 or more"):
        reliability(np.array([0.5]), np.array([1.0]), bins=0)
