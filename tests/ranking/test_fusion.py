import numpy as np
import pytest

from dragoman.ranking.fusion import reciprocal_ranks


def test_reciprocal_ranks_are_those_of_the_paper():
    assert reciprocal_ranks(np.array([0.1, 0.9, 0.5])) == pytest.approx([1 / 63, 1 / 61, 1 / 62])
    assert reciprocal_ranks(np.array([1.0, 1.0])) == pytest.approx([1 / 61, 1 / 62])
