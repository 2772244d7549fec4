"""Logistic models against a hand-made example and their own definition."""

import numpy as np
import pytest

from dragoman.scores.logistic import LogisticModel


def test_log_odds_are_linear_in_the_features():
    assert LogisticModel(1.0, (2.0, -3.0)).log_odds([0.5, 1.0]) == pytest.approx(-1.0)


def test_a_model_without_features_has_the_odds_of_the_examples():
    holds = np.array([True] * 30 + [False] * 10)
    model = LogisticModel.fit(np.zeros((40, 1)), holds, np.ones(40))
    assert model.log_odds([0.0]) == pytest.approx(np.log(3), abs=1e-3)


def test_an_example_that_counts_twice_is_as_good_as_two():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(60, 2))
    holds = features[:, 0] + rng.normal(size=60) > 0
    counts = np.ones(60)
    counts[:20] = 2
    counted = LogisticModel.fit(features, holds, counts, penalty=1e-9)
    listed = LogisticModel.fit(
        np.vstack([features, features[:20]]),
        np.append(holds, holds[:20]),
        np.ones(80),
        penalty=1e-9,
    )
    assert counted.log_odds([1, 1]) == pytest.approx(listed.log_odds([1, 1]), abs=1e-3)


def test_the_true_coefficients_are_recovered():
    rng = np.random.default_rng(1)
    features = rng.normal(size=(40_000, 2)) * [1.0, 5.0] + [3.0, 0.0]
    odds = features @ [1.5, -0.2] - 4.0
    holds = rng.random(40_000) < 1 / (1 + np.exp(-odds))
    model = LogisticModel.fit(features, holds, np.ones(40_000))
    assert [model.bias, *model.weights] == pytest.approx([-4.0, 1.5, -0.2], abs=0.1)


def test_a_feature_that_never_changes_does_no_harm():
    holds = np.array([True, False] * 20)
    features = np.column_stack([holds * 2.0, np.full(40, 7.0)])
    model = LogisticModel.fit(features, holds, np.ones(40))
    assert model.log_odds([2.0, 7.0]) > 0 > model.log_odds([0.0, 7.0])


def test_a_wrong_number_of_features_is_an_error():
    with pytest.raises(ValueError, match=r"shorter|longer"):
        LogisticModel(0.0, (1.0,)).log_odds([1.0, 2.0])
