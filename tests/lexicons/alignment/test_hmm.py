import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.lexicons.alignment import hmm
from plain_alignment import hmm_posteriors


def sentence(seed, words, states):
    rng = np.random.default_rng(seed)
    jumps = rng.random(2 * hmm.WIDEST + 1) + 0.1
    return rng.random((words, states)) + 0.01, rng.random(words) + 0.01, jumps / jumps.sum()


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=20, deadline=None)
def test_forward_backward_sums_over_every_path(seed, words, states):
    emissions, null, jumps = sentence(seed, words, states)
    jump_counts = np.zeros_like(jumps)
    found, nulls, likelihood = hmm.posteriors(emissions, null, jumps, 1, jump_counts)
    expected, expected_jumps, expected_likelihood = hmm_posteriors(
        emissions, null, jumps, hmm.NULL, hmm.WIDEST
    )
    assert found == pytest.approx(expected)
    assert nulls == pytest.approx(1 - expected.sum(axis=1))
    assert jump_counts == pytest.approx(expected_jumps, abs=1e-12)
    assert likelihood == pytest.approx(expected_likelihood)


def test_a_word_is_translated_at_most_once():
    emissions, null, jumps = sentence(1, words=30, states=20)
    found, _, _ = hmm.posteriors(emissions, null, jumps, 1, np.zeros_like(jumps))
    assert ((found.sum(axis=1) > 0) & (found.sum(axis=1) < 1)).all()


@pytest.mark.parametrize("states", [1, 2, 40])
def test_transitions_are_probabilities(states):
    moves = hmm.transitions(states, hmm.initial_jumps())
    assert moves.shape == (states + 1, states)
    assert moves.sum(axis=1) == pytest.approx(np.ones(states + 1))


def test_one_step_on_is_likeliest_to_begin_with():
    assert hmm.initial_jumps().argmax() == hmm.WIDEST + 1
