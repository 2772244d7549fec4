import numpy as np
import pytest

from dragoman.systems.bags.weighting import Weighting, word_weights


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Weighting.TF, [1, 1]),
        (Weighting.IDF, [np.log(4 / 3) + 1, np.log(4 / 1) + 1]),
        (Weighting.BARE_IDF, [np.log(4 / 3), np.log(4 / 1)]),
    ],
)
def test_weights_follow_the_formula(kind, expected):
    """Of three documents, two have the first word and none has the second."""
    assert word_weights(np.array([2, 0]), 3, kind) == pytest.approx(expected)
