import numpy as np
import pytest
from scipy.special import digamma as scipy_digamma

from dragoman.lexicons.alignment.estimation import digamma, estimate

COUNTS, GROUPS = np.array([3.0, 1.0, 0.5]), np.array([0, 0, 1], dtype=np.int32)
TOTALS, SIZES = np.array([4.0, 0.5, 0.0]), np.array([2, 1, 0])


@pytest.mark.parametrize("x", [1e-3, 0.01, 0.5, 1.0, 5.9, 6.0, 100.0])
def test_digamma_is_scipy_s(x):
    assert digamma(x) == pytest.approx(scipy_digamma(x), rel=1e-9)


def test_without_a_prior_it_is_the_share():
    assert estimate(COUNTS, GROUPS, TOTALS, SIZES, 0.0) == pytest.approx([0.75, 0.25, 1.0])


def test_a_prior_discounts_small_counts_most():
    found = estimate(COUNTS, GROUPS, TOTALS, SIZES, 0.01)
    assert found[:2].sum() < 1
    assert found[0] / found[1] > 3
    assert found[0] == pytest.approx(np.exp(scipy_digamma(3.01) - scipy_digamma(4.02)), rel=1e-9)
