import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dragoman.ranking.ties import without_ties


def test_scores_that_differ_stay_as_they_are():
    assert without_ties([3.0, 2.5, -1.25]) == [3.0, 2.5, -1.25]


def test_equal_scores_are_lowered_in_their_order():
    first, second, third = without_ties([1.0, 1.0, 1.0])
    assert first == 1.0
    assert 1.0 > np.float32(second) > np.float32(third) > 1.0 - 1e-6


def test_scores_that_are_equal_at_single_precision_are_ties():
    assert np.float32(1.0) == np.float32(1.0 - 1e-12)
    assert np.diff(np.float32(without_ties([1.0, 1.0 - 1e-12]))) < 0


@given(st.lists(st.floats(-1e6, 1e6), max_size=40))
def test_single_precision_keeps_the_order(scores):
    ranked = sorted(scores, reverse=True)
    lowered = without_ties(ranked)
    assert np.all(np.diff(np.float32(lowered)) < 0)
    assert np.allclose(lowered, ranked, rtol=1e-4, atol=1e-30)
