import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.scores.transport import WeightedBag, distances
from dragoman.scores.transport.cost_table import tabulate
from dragoman.scores.transport.kernels import c_transform
from dragoman.scores.transport.result import bounds_and_estimates
from dragoman.scores.transport.shared_potential import ROUNDING, is_worthwhile, shared_bounds
from transport_examples import random_bag, random_corpus


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.sampled_from([0.03, 0.1, 1.0]))
def test_no_bound_is_above_the_exact_distance(seed, words, epsilon):
    rng = np.random.default_rng(seed)
    corpus, _ = random_corpus(rng, documents=40)
    query = random_bag(rng, words)
    rows = np.setdiff1d(np.arange(len(corpus)), corpus.unknown)
    table = tabulate(corpus, *query.support(), epsilon, 1)
    bounds = shared_bounds(corpus, table, rows)
    assert (bounds <= distances(corpus, query, None)[rows] + ROUNDING).all()


def test_one_document_alone_is_bounded_almost_by_its_distance():
    rng = np.random.default_rng(4)
    corpus, _ = random_corpus(rng, documents=40)
    query = random_bag(rng, 12)
    table = tabulate(corpus, *query.support(), 0.1, 1)
    for row in (1, 2, 7):
        (bound,) = shared_bounds(corpus, table, np.array([row]))
        (distance,) = distances(corpus, query, None, np.array([row]))
        assert distance - 0.05 < bound <= distance + ROUNDING


def test_shared_bounds_are_tighter_than_relaxed_ones_where_a_query_has_many_words():
    rng = np.random.default_rng(5)
    corpus, _ = random_corpus(rng, documents=200)
    query = random_bag(rng, 40)
    table = tabulate(corpus, *query.support(), 0.1, 1)
    rows = np.setdiff1d(np.arange(len(corpus)), corpus.unknown)
    relaxed, _ = bounds_and_estimates(corpus, table)
    assert shared_bounds(corpus, table, rows).mean() > relaxed[rows].mean() + 0.02


def test_a_scaling_that_leaves_float32_bounds_nothing_wrongly():
    """Opposite points: the kernel of the pool is all zeros at its sharpness times ten."""
    rng = np.random.default_rng(6)
    corpus, points = random_corpus(rng, documents=20)
    query = WeightedBag(-points[:3] * 30, np.ones(3, np.float32))
    table = tabulate(corpus, *query.support(), 0.1, 1)
    bounds = shared_bounds(corpus, table, np.array([0, 1, 2]))
    assert np.isfinite(bounds).all()
    assert (bounds <= distances(corpus, query, None, np.array([0, 1, 2])) + 1e-3).all()


def test_the_least_of_every_row_is_that_of_numpy():
    rng = np.random.default_rng(7)
    cost = rng.random((50, 48)).astype(np.float32)
    potential = rng.normal(size=48).astype(np.float32)
    found = np.empty(50, np.float32)
    c_transform(cost, potential, found)
    assert found == pytest.approx((cost - potential).min(axis=1))


def test_few_documents_are_not_worth_it():
    corpus, _ = random_corpus(np.random.default_rng(8), documents=60)
    assert is_worthwhile(corpus, np.arange(60))
    assert not is_worthwhile(corpus, np.arange(3, 5))
