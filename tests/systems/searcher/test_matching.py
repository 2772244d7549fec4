"""The algebra of section 7: attention and a dot product are softmax pooling of dot products."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.systems.searcher.config import Pooling
from dragoman.systems.searcher.matching import (
    generic_scores,
    pool,
    pool_array,
    pooled_scores,
    torch_pool,
)

LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=5)
POOLINGS = pytest.mark.parametrize("pooling", list(Pooling))


def drawn(lengths, seed, size=4):
    rng = torch.Generator().manual_seed(seed)
    starts = np.cumsum([0, *lengths], dtype=np.int64)
    queries = 3 * torch.randn(3, size, generator=rng)
    return queries, torch.randn(sum(lengths), size, generator=rng), starts


@given(LENGTHS, st.integers(0, 99))
@settings(max_examples=50, deadline=None)
def test_the_generic_form_with_dot_products_is_softmax_pooling(lengths, seed):
    queries, positions, starts = drawn(lengths, seed)
    generic = generic_scores(queries, positions, starts)
    simplified = pooled_scores(queries, positions, starts, Pooling.SOFTMAX)
    assert torch.allclose(generic, simplified, atol=1e-4)


@given(LENGTHS, st.integers(0, 99), st.sampled_from(list(Pooling)))
@settings(max_examples=50, deadline=None)
def test_compiled_pooling_and_its_gradient_are_those_of_torch(lengths, seed, pooling):
    queries, positions, starts = drawn(lengths, seed)
    given_by_loss = torch.randn(3, len(lengths), generator=torch.Generator().manual_seed(seed))
    gradients = []
    for one in (pool, torch_pool):
        dots = (queries @ positions.T).requires_grad_()
        pooled = one(dots, starts, pooling)
        (pooled * given_by_loss).sum().backward()
        gradients.append((pooled.detach(), dots.grad))
    for ours, reference in zip(*gradients, strict=True):
        assert torch.allclose(ours, reference, atol=1e-4)
    again = pool_array((queries @ positions.T).numpy(), starts, pooling)
    assert np.allclose(again, gradients[0][0].numpy(), atol=1e-6)


def test_softmax_pooling_by_hand():
    dots = torch.tensor([[0.0, np.log(3.0), 5.0]])
    pooled = pool(dots, np.array([0, 2, 3]), Pooling.SOFTMAX)
    assert pooled[0].tolist() == pytest.approx([0.75 * np.log(3.0), 5.0], abs=1e-6)
    assert pool(dots, np.array([0, 2, 3]), Pooling.MAXIMUM)[0].tolist() == pytest.approx(
        [np.log(3.0), 5.0]
    )


@given(LENGTHS, st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_a_pooled_value_lies_between_mean_and_maximum(lengths, seed):
    queries, positions, starts = drawn(lengths, seed)
    soft = pooled_scores(queries, positions, starts, Pooling.SOFTMAX)
    hard = pooled_scores(queries, positions, starts, Pooling.MAXIMUM)
    dots = queries @ positions.T
    means = torch.stack([dots[:, a:b].mean(dim=1) for a, b in pairwise(starts)], dim=1)
    assert (soft <= hard + 1e-4).all()
    assert (soft >= means - 1e-4).all()


@POOLINGS
def test_large_products_do_not_overflow(pooling):
    dots = torch.tensor([[1e4, -1e4, 500.0, 499.0]], requires_grad=True)
    pooled = pool(dots, np.array([0, 2, 4]), pooling)
    pooled.sum().backward()
    assert torch.isfinite(pooled).all()
    assert torch.isfinite(dots.grad).all()


def test_another_matcher_and_another_attention_can_be_plugged_in():
    queries, positions, starts = drawn([2, 3], 0)

    def first_word(terms, positions, begins):
        return positions[begins[:-1]].expand(len(terms), -1, -1)

    def negative_distance(terms, regions):
        return -(terms[:, None, :] - regions).norm(dim=2)

    scores = generic_scores(queries, positions, starts, first_word, negative_distance)
    assert scores.tolist() == pytest.approx(-torch.cdist(queries, positions[[0, 2]]).numpy())
