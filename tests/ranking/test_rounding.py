import numpy as np

from dragoman.ranking.rounding import round_scores


def test_zero_has_no_sign():
    assert np.signbit(round_scores(np.array([-0.0, -1e-9]))).tolist() == [False, False]


def test_scores_that_differ_by_noise_are_equal():
    assert round_scores(np.array([0.3, 0.3 + 1e-8, 0.30001])).tolist() == [0.3, 0.3, 0.30001]
