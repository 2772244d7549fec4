import numpy as np
import pytest
from scipy.special import digamma

from dragoman.lexicons.alignment.estimation import estimate

COUNTS, GROUPS = np.array([3.0, 1.0, 0.5, 0.0]), np.array([0, 0, 1, 2], dtype=np.int32)


def test_without_a_prior_it_is_the_share():
    assert estimate(COUNTS, GROUPS, 4, 0.0) == pytest.approx([0.75, 0.25, 1.0, 0.0])


def test_a_prior_discounts_small_counts_most():
    estimates = estimate(COUNTS, GROUPS, 4, 0.01)
    assert estimates[:2].sum() < 1
    assert estimates[0] / estimates[1] > 3
    assert estimates[0] == pytest.approx(np.exp(digamma(3.01) - digamma(4.02)), rel=1e-12)
