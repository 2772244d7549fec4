"""No sampled gradient exceeds a stated bound, and the plain cosine does explode."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import ConfigError
from dragoman.systems.smooth import theory
from dragoman.systems.smooth.encoders import AveragePooling
from dragoman.systems.smooth.losses import SmoothOrdinalSearchLoss
from dragoman.systems.smooth.similarity import smooth_cosine
from dragoman.systems.smooth.vocabulary import TokenizedTexts
from dragoman.training.sequences import Sequences

seeds = st.integers(0, 10_000)
epsilons = st.floats(0.01, 3)
scales = st.sampled_from([1e-6, 1e-3, 0.1, 1.0, 100.0])
few = settings(max_examples=60, deadline=None)


def drawn(seed: int, scale: float, size: int = 5) -> "torch.Tensor":
    vector = np.random.default_rng(seed).standard_normal(size)
    return torch.tensor(scale * vector / np.linalg.norm(vector), dtype=torch.float64)


def gradient(x, z, epsilon):
    x = x.clone().requires_grad_()
    smooth_cosine(x[None], z[None], epsilon).sum().backward()
    return x.grad


@st.composite
def rising(draw):
    count = draw(st.integers(1, 4))
    values = draw(st.lists(st.integers(-99, 99), min_size=count, max_size=count, unique=True))
    return tuple(sorted(value / 100 for value in values))


@few
@given(seeds, seeds, scales, scales, epsilons)
def test_the_gradient_of_the_smooth_cosine_stays_below_its_bounds(a, b, here, there, epsilon):
    length = float(gradient(drawn(a, here), drawn(b + 20_000, there), epsilon).norm())
    assert length <= 1 / (here + epsilon) * (1 + 1e-9)
    assert length <= theory.cosine_lipschitz(epsilon) <= theory.paper_cosine_lipschitz(epsilon)


def test_the_bound_is_reached_at_the_origin():
    tiny, far = torch.tensor([0.0, 1e-9]), torch.tensor([1e6, 0.0])
    found = float(gradient(tiny.double(), far.double(), 0.5).norm())
    assert found == pytest.approx(theory.cosine_lipschitz(0.5), rel=1e-5)


def test_the_plain_cosine_explodes_where_the_smooth_one_does_not():
    across = torch.tensor([0.0, 1.0], dtype=torch.float64)
    lengths = [1e-1, 1e-3, 1e-5, 1e-7]
    plain, smooth = (
        [float(gradient(torch.tensor([n, 0.0]).double(), across, e).norm()) for n in lengths]
        for e in (0.0, 0.1)
    )
    assert plain == pytest.approx([1 / n for n in lengths], rel=1e-6)
    assert max(smooth) <= theory.cosine_lipschitz(0.1)
    assert theory.cosine_lipschitz(0.0) == math.inf
    assert theory.cosine_smoothness(0.0) == math.inf


@few
@given(seeds, seeds, scales, epsilons, st.floats(1e-4, 1))
def test_the_gradient_changes_no_faster_than_its_bound(a, b, here, epsilon, apart):
    x, z = drawn(a, here), drawn(b + 20_000, 3.0)
    y = x + drawn(a + 40_000, apart * epsilon)
    change = (gradient(x, z, epsilon) - gradient(y, z, epsilon)).norm() / (x - y).norm()
    assert float(change) <= theory.cosine_smoothness(epsilon) * (1 + 1e-6)


@few
@given(rising(), seeds)
def test_sosl_is_nowhere_steeper_higher_or_more_curved_than_said(thresholds, seed):
    loss = SmoothOrdinalSearchLoss(len(thresholds) + 1, thresholds)
    rng = np.random.default_rng(seed)
    scores = torch.tensor(rng.uniform(-1, 1, 200), requires_grad=True)
    for grade in range(len(thresholds) + 1):
        values = loss(scores, torch.full((200,), grade))
        (slopes,) = torch.autograd.grad(values.sum(), scores)
        assert float(slopes.abs().max()) <= theory.sosl_lipschitz(thresholds, grade) + 1e-6
        assert float(values.detach().max()) <= theory.sosl_bound(thresholds) + 1e-6
        moved = scores.detach().diff().abs()
        change = slopes.diff().abs() / moved
        assert float(change.max()) <= theory.sosl_smoothness() + 1e-4
    assert theory.sosl_lipschitz(thresholds) <= 4


@few
@given(seeds, st.floats(0.05, 2), st.sampled_from([1e-4, 0.1, 1.0]))
def test_no_gradient_of_the_table_exceeds_lemma_2(seed, epsilon, scale):
    """SOSL over SCS over average pooling, in the query's table."""
    rng = np.random.default_rng(seed)
    table = (scale * rng.standard_normal((6, 4))).astype(np.float32)
    tower = AveragePooling(table)
    words = Sequences.pack([rng.integers(0, 6, rng.integers(1, 5)).tolist()])
    document = torch.tensor(rng.standard_normal((1, 4)), dtype=torch.float32)
    thresholds = (0.2, 0.7)
    scores = smooth_cosine(
        tower(TokenizedTexts(words, words.bags()), np.array([0])), document, epsilon
    )
    loss = SmoothOrdinalSearchLoss(3, thresholds)(scores, torch.tensor([2]))
    loss.sum().backward()
    length = float(tower.table.weight.grad.coalesce().values().norm())
    assert length <= theory.loss_lipschitz(epsilon, thresholds) * (1 + 1e-5)


def test_the_smoothness_of_the_loss_composes():
    # by hand: cosine over tanh is 1/1 steep and 2 + .7698 curved; SOSL is 3.4 steep, 2 curved
    assert theory.sosl_lipschitz((0.2, 0.7)) == pytest.approx(3.4)
    curved = 2 * 1**2 + 3.4 * (2 + 4 / (3 * math.sqrt(3)))
    assert theory.loss_smoothness(1.0, (0.2, 0.7)) == pytest.approx(curved)


def test_theorem_3_by_hand():
    # beta = .001, n = 100, M = 4, delta = e^-2: 2 beta + (4 n beta + M) sqrt(2/200)
    gap = theory.generalisation_gap(100, 0.001, 4.0, math.exp(-2))
    assert gap == pytest.approx(0.002 + 4.4 * 0.1)


def test_stability_by_hand():
    # gamma c = 1: (1 + 1)/(n - 1) * sqrt(2 c L^2) * sqrt(T)
    found = theory.sgd_stability(11, 9, lipschitz=2.0, smoothness=2.0, step=0.5)
    assert found == pytest.approx(2 / 10 * math.sqrt(2 * 0.5 * 4) * 3)


def test_the_gap_closes_with_more_samples_and_opens_with_more_steps():
    def gap(samples: int, steps: int) -> float:
        return theory.sosl_generalisation_gap(
            samples, steps, epsilon=1.0, thresholds=(0.2, 0.7), step=0.01, delta=0.05
        )

    assert gap(10**9, 100) < gap(10**6, 100) < gap(10**3, 100)
    assert gap(10**6, 10**4) > gap(10**6, 100)


@pytest.mark.parametrize("delta", [0.0, 1.0, -1.0])
def test_a_probability_outside_of_its_range_is_refused(delta):
    with pytest.raises(ConfigError, match="0 < delta < 1"):
        theory.generalisation_gap(10, 0.1, 1.0, delta)


def test_impossible_constants_are_refused():
    with pytest.raises(ConfigError, match="2 samples"):
        theory.sgd_stability(1, 1, lipschitz=1, smoothness=1, step=1)
