"""Measures against hand-worked and direct computations."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("transformers", reason="needs the extra neural")

import torch

from dragoman.training.pretraining.masking import pad_texts
from dragoman.training.pretraining.validation import (
    comparison_auc,
    first_rows_per_group,
    mean_state_vectors,
    pair_accuracy,
    perplexity,
    retrieval_accuracy,
)
from toy_pretraining import toy_data, toy_model, toy_vectors

HELD = toy_data().held_out


def test_accuracy_by_hand():
    firsts = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    seconds = np.array([[1.0, 0.0], [0.1, 0.9], [0.7, 0.7]])
    # there: 1st finds itself, 2nd finds itself, 3rd (.6 .78 .98) itself; back: all
    assert pair_accuracy(firsts, seconds) == 1
    turned = seconds[[1, 0, 2]]
    assert pair_accuracy(firsts, turned) == pytest.approx(1 / 3)


def test_vectors_that_are_all_alike_find_nothing():
    assert pair_accuracy(np.ones((5, 3)), np.ones((5, 3))) == 0


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 12), st.integers(0, 100))
def test_every_different_text_finds_itself(count, seed):
    vectors = np.random.default_rng(seed).normal(size=(count, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert pair_accuracy(vectors, vectors) == 1


def test_a_text_has_its_vector_whatever_is_read_with_it():
    model = toy_model()
    rows = np.arange(len(HELD))
    together = mean_state_vectors(model, HELD.firsts, rows)
    for row in rows[:4]:
        lines = pad_texts(HELD.firsts, np.array([row]))
        with torch.no_grad():
            alone = model.states(lines)[0].mean(dim=0).numpy()
        assert together[row] == pytest.approx(alone / np.linalg.norm(alone), abs=1e-5)


def test_retrieval_is_by_group():
    found = retrieval_accuracy(toy_model(), HELD, 3)
    assert set(found) == {"en-sw", "en-xx"}
    assert [one.pairs for one in found.values()] == [3, 3]
    assert all(0 <= one.accuracy <= 1 for one in found.values())


def test_translations_are_told_by_group_and_a_model_that_tells_nothing_tells_none():
    model = toy_model()
    found = comparison_auc(model, HELD, 100, toy_vectors())
    assert set(found) == {"en-sw", "en-xx"}
    assert all(0 <= area <= 1 for area in found.values())
    assert comparison_auc(model, HELD, 1, toy_vectors()) == {}
    with torch.no_grad():
        model.compares.weight.zero_()
    assert set(comparison_auc(model, HELD, 100, toy_vectors()).values()) == {0.0}


def test_a_model_that_counts_equal_tokens_tells_copies():
    class Counting(type(toy_model())):
        """Says of each line which part of the second text stands in the first."""

        def states(self, lines):
            shares = [
                np.isin(row[two], row[~two]).mean()
                for row, two in zip(lines.tokens, lines.types == 1, strict=True)
            ]
            states = torch.zeros((*lines.tokens.shape, self.vectors.shape[1]))
            states[:, :, 0] = torch.tensor(shares)[:, None]
            return states

    model = toy_model()
    model.__class__ = Counting
    with torch.no_grad():
        model.compares.weight.zero_()
        model.compares.weight[0, 0] = 1
    copies = replace(HELD, seconds=HELD.firsts)
    assert min(comparison_auc(model, copies, 100, toy_vectors()).values()) > 0.8


@pytest.mark.parametrize("together", [False, True])
def test_a_model_that_knows_nothing_is_as_surprised_as_chance(together):
    model = toy_model()
    with torch.no_grad():
        model.bias.zero_()
        model.vectors.zero_()
    rows = first_rows_per_group(HELD, 100)
    found = perplexity(model, HELD, rows, 0.3, concatenated=together)
    assert found == pytest.approx(toy_data().vocabulary, rel=1e-4)


def test_some_of_each_group():
    assert np.bincount(HELD.groups[first_rows_per_group(HELD, 2)]).tolist() == [2, 2]
