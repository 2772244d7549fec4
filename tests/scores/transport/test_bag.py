import numpy as np
import pytest

from dragoman.errors import ConfigError
from dragoman.scores.transport.bag import WeightedBag, check_epsilon


def test_words_without_weight_are_dropped_and_the_rest_sums_to_one():
    points, weights = WeightedBag(np.eye(3, dtype=np.float32), np.array([1.0, 0.0, 3.0])).support()
    assert points.tolist() == [[1, 0, 0], [0, 0, 1]]
    assert weights.tolist() == [0.25, 0.75]


@pytest.mark.parametrize("weights", [[-1.0, 1.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_weights_that_are_no_weights_are_refused(weights):
    with pytest.raises(ConfigError, match="finite and 0 or more"):
        WeightedBag(np.eye(2, dtype=np.float32), np.array(weights))


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ConfigError, match=r"points \(n, d\) and weights \(n,\)"):
        WeightedBag(np.eye(2, dtype=np.float32), np.ones(3))


@pytest.mark.parametrize("epsilon", [0.0, -0.1, np.inf, np.nan])
def test_epsilon_is_above_0(epsilon):
    with pytest.raises(ConfigError, match="epsilon must be above 0"):
        check_epsilon(epsilon)
