import numpy as np
import pytest

from dragoman.lexicons.alignment import model1


def test_posteriors_are_shares_of_the_translation_probabilities():
    emissions, null = np.array([[0.3, 0.1], [0.0, 0.5]]), np.array([0.1, 0.5])
    posteriors, nulls, log_likelihood = model1.posteriors(emissions, null)
    assert posteriors == pytest.approx(np.array([[0.6, 0.2], [0.0, 0.5]]))
    assert nulls == pytest.approx([0.2, 0.5])
    assert log_likelihood == pytest.approx(np.log(0.5 / 3) + np.log(1.0 / 3))
