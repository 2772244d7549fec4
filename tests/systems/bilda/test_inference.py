from itertools import product
from math import lgamma

import numpy as np
import pytest

from dragoman.systems.bilda.inference import infer

ALPHA = 0.4


def test_an_unseen_text_has_the_exact_mean_of_its_topics():
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.ones(3), 3)  # (distinct words, topics)
    words = np.array([0, 0, 1, 2], dtype=np.int64)
    expected, total = np.zeros(3), 0.0
    for state in product(range(3), repeat=4):
        counts = np.bincount(state, minlength=3)
        weight = np.exp(sum(lgamma(n + ALPHA) for n in counts))
        weight *= probabilities[words, state].prod()
        expected += weight * (counts + ALPHA) / (4 + 3 * ALPHA)
        total += weight
    topics = infer(probabilities, words, ALPHA, 100, 1, 40_000, np.uint64(1))
    assert topics == pytest.approx(expected / total, abs=0.01)
    assert topics.sum() == pytest.approx(1)
