"""The compiled sums and their gradient against torch's own embedding bag."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.training.embedding_table import EmbeddingTable, torch_sums
from dragoman.training.sequences import Sequences

texts = st.lists(st.lists(st.integers(0, 11), max_size=7), min_size=1, max_size=6)


def dense(gradient):
    return gradient.coalesce().to_dense().numpy()


@settings(max_examples=50, deadline=None)
@given(texts, st.data())
def test_sums_and_gradients_are_those_of_torch(words, data):
    bags = Sequences.pack(words).bags()
    rows = np.array(data.draw(st.lists(st.integers(0, len(words) - 1), min_size=1, max_size=8)))
    rng = np.random.default_rng(0)
    table = EmbeddingTable(rng.standard_normal((12, 5), dtype=np.float32))
    weight = table.weight.detach().clone().requires_grad_()
    given_gradient = torch.tensor(rng.standard_normal((len(rows), 5), dtype=np.float32))
    mine, theirs = table.sums(bags, rows), torch_sums(weight, bags, rows)
    np.testing.assert_allclose(mine.detach(), theirs.detach(), atol=1e-6)
    mine.backward(given_gradient)
    theirs.backward(given_gradient)
    np.testing.assert_allclose(dense(table.weight.grad), dense(weight.grad), atol=1e-5)


def test_the_gradient_names_only_the_rows_that_were_read():
    bags = Sequences.pack([[3, 3, 7], [1]]).bags()
    table = EmbeddingTable(np.ones((1000, 2), dtype=np.float32))
    table.sums(bags, np.array([0])).sum().backward()
    gradient = table.weight.grad
    assert gradient._indices()[0].tolist() == [3, 7]
    assert gradient._values()[:, 0].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_two_readings_before_one_backward_pass_add_up():
    bags = Sequences.pack([[1, 2], [2]]).bags()
    table = EmbeddingTable(np.ones((4, 2), dtype=np.float32))
    (table.sums(bags, np.array([0])) + table.sums(bags, np.array([1]))).sum().backward()
    assert dense(table.weight.grad)[:, 0].tolist() == pytest.approx([0, 0.5, 1.5, 0])


def test_a_text_without_words_is_zero():
    bags = Sequences.pack([[], [1]]).bags()
    table = EmbeddingTable(np.ones((2, 3), dtype=np.float32))
    assert table.sums(bags, np.array([0, 1])).tolist() == [[0, 0, 0], [1, 1, 1]]


def test_words_are_looked_up_in_order():
    table = EmbeddingTable(np.arange(8, dtype=np.float32).reshape(4, 2))
    assert table.look_up(np.array([2, 0, 2])).tolist() == [[4, 5], [0, 1], [4, 5]]
