import numpy as np

from dragoman.ranking.rounding import rounded


def test_zero_has_no_sign():
    assert np.signbit(rounded(np.array([-0.0, -1e-9]))).tolist() == [False, False]


def test_scores_that_differ_by_noise_are_equal():
    assert rounded(np.array([0.3, 0.3 + 1e-8, 0.30001])).tolist() == [0.3, 0.3, 0.30001]
