import numpy as np
import pytest

from dragoman.errors import ConfigError
from dragoman.training.negatives import sample_negatives

EXCLUDED, STARTS = np.array([0, 1, 2, 7, 5]), np.array([0, 3, 4, 5])


def test_nothing_excluded_is_drawn_and_nothing_twice():
    drawn = sample_negatives(EXCLUDED, STARTS, 8, 5, np.random.default_rng(0))
    assert drawn.shape == (3, 5)
    assert sorted(drawn[0].tolist()) == [3, 4, 5, 6, 7]  # all that is left
    assert 7 not in drawn[1]
    assert 5 not in drawn[2]
    assert all(len(set(row)) == 5 for row in drawn.tolist())


def test_draws_are_even():
    starts = np.zeros(4001, dtype=int)
    drawn = sample_negatives(np.array([], dtype=int), starts, 10, 3, np.random.default_rng(0))
    shares = np.bincount(drawn.ravel(), minlength=10) / drawn.size
    assert shares == pytest.approx([0.1] * 10, abs=0.01)


def test_the_same_generator_draws_the_same():
    first, second = (
        sample_negatives(EXCLUDED, STARTS, 100, 7, np.random.default_rng(3)) for _ in range(2)
    )
    assert first.tolist() == second.tolist()


def test_more_than_there_are_is_refused():
    with pytest.raises(ConfigError, match="cannot draw 6 negatives: of 8 documents, 3"):
        sample_negatives(EXCLUDED, STARTS, 8, 6, np.random.default_rng(0))
