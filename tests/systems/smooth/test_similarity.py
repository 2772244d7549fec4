import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import ConfigError
from dragoman.systems.smooth.similarity import attainable_maximum, smooth_cosine, smooth_normalize

vectors = st.lists(st.floats(-3, 3), min_size=4, max_size=4)


@settings(max_examples=80, deadline=None)
@given(vectors, vectors, st.floats(0.01, 2))
def test_equation_1(x, z, epsilon):
    first, second = np.array(x), np.array(z)
    expected = first @ second
    expected /= (np.linalg.norm(first) + epsilon) * (np.linalg.norm(second) + epsilon)
    found = float(smooth_cosine(torch.tensor([x]), torch.tensor([z]), epsilon))
    assert found == pytest.approx(expected, abs=1e-5)
    assert -1 < found < 1
    assert found == float(smooth_cosine(torch.tensor([z]), torch.tensor([x]), epsilon))


def test_epsilon_0_is_the_plain_cosine_and_0_for_a_zero_vector():
    x = torch.tensor([[3.0, 4.0], [0.0, 0.0]], requires_grad=True)
    z = torch.tensor([[4.0, 3.0], [1.0, 1.0]])
    found = smooth_cosine(x, z, 0.0)
    assert found.tolist() == pytest.approx([24 / 25, 0.0])
    found.sum().backward()
    assert torch.isfinite(x.grad).all()


def test_a_longer_vector_scores_higher_with_the_same_angle():
    z = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    short, long = smooth_cosine(torch.tensor([[0.1, 0.0], [5.0, 0.0]]), z, 1.0).tolist()
    assert short < long


def test_the_smooth_cosine_is_an_inner_product_of_shortened_vectors():
    rng = np.random.default_rng(0)
    x, z = (torch.tensor(rng.standard_normal((6, 5))) for _ in range(2))
    product = (smooth_normalize(x, 0.7) @ smooth_normalize(z, 0.7).T).diagonal()
    assert product.tolist() == pytest.approx(smooth_cosine(x, z, 0.7).tolist())


@pytest.mark.parametrize("epsilon", [-0.1, math.inf, math.nan])
def test_an_impossible_epsilon_is_refused(epsilon):
    with pytest.raises(ConfigError, match="epsilon must be a number from 0 on"):
        smooth_normalize(torch.ones(1, 2), epsilon)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 80), st.floats(0, 2), st.integers(0, 99))
def test_no_vectors_of_tanh_exceed_the_attainable_maximum(dimension, epsilon, seed):
    signs = torch.randint(0, 2, (1, dimension), generator=torch.Generator().manual_seed(seed)) * 2.0
    corner = torch.tanh(20 * (signs - 1))  # the longest vector there is, and its own best match
    highest = float(smooth_cosine(corner, corner, epsilon))
    assert highest == pytest.approx(attainable_maximum(dimension, epsilon), abs=1e-5)
    shorter = corner * 0.9
    assert float(smooth_cosine(shorter, corner, epsilon)) <= highest + 1e-6


def test_the_papers_settings_end_below_its_thresholds_of_the_other_losses():
    assert attainable_maximum(64, 1.0) == pytest.approx(0.790, abs=1e-3)
