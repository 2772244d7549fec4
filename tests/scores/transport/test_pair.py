from itertools import pairwise

import numpy as np
import ot
import pytest
from hypothesis import given, settings
from scipy.spatial.distance import cdist

from dragoman.scores.transport import WeightedBag, plan
from transport_examples import bags, random_bag

EPSILONS = [1.0, 0.1, 0.02, 0.01]


def reference(query, document, epsilon):
    """The plan of POT; its iteration in the log domain, to the end."""
    (x, a), (y, b) = query.support(), document.support()
    cost = cdist(x, y)
    if epsilon is None:
        return ot.emd(a, b, cost), cost
    return ot.sinkhorn(a, b, cost, epsilon, "sinkhorn_log", 50_000, stopThr=1e-11), cost


@pytest.mark.parametrize("epsilon", [None, *EPSILONS])
@pytest.mark.parametrize("seed", range(3))
def test_the_plan_is_the_one_of_pot(epsilon, seed):
    rng = np.random.default_rng(seed)
    query, document = random_bag(rng, 7), random_bag(rng, 11)
    expected, cost = reference(query, document, epsilon)
    found = plan(query, document, epsilon)
    assert found.distance == pytest.approx((expected * cost).sum(), abs=1e-8)
    assert found.error < 1e-8
    if epsilon is not None:
        assert found.plan == pytest.approx(expected, abs=1e-8)


def test_the_entropic_distance_is_what_sinkhorn2_returns():
    rng = np.random.default_rng(5)
    query, document = random_bag(rng, 9), random_bag(rng, 6)
    (x, a), (y, b) = query.support(), document.support()
    expected = ot.sinkhorn2(a, b, cdist(x, y), 0.1, "sinkhorn_stabilized", 5000, 1e-12)
    assert plan(query, document, 0.1).distance == pytest.approx(expected, abs=1e-8)


def test_a_tiny_epsilon_neither_overflows_nor_differs_much_from_exact_transport():
    rng = np.random.default_rng(6)
    query, document = random_bag(rng, 12), random_bag(rng, 15)
    exact, found = plan(query, document, None), plan(query, document, 0.0005)
    assert np.isfinite(found.plan).all()
    assert (
        exact.distance - found.error <= found.distance < exact.distance + 0.0005 * np.log(12 * 15)
    )


def test_a_huge_epsilon_gives_the_product_of_the_weights():
    rng = np.random.default_rng(7)
    query, document = random_bag(rng, 4), random_bag(rng, 5)
    product = np.outer(query.support()[1], document.support()[1])
    assert plan(query, document, 1e6).plan == pytest.approx(product, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(bags(), bags())
def test_there_costs_as_much_as_back(query, document):
    for epsilon in (None, 0.1):
        there, back = plan(query, document, epsilon), plan(document, query, epsilon)
        assert there.distance == pytest.approx(back.distance, abs=1e-7)


@settings(max_examples=40, deadline=None)
@given(bags(), bags())
def test_rows_and_columns_sum_to_the_weights_and_nothing_goes_to_words_without_any(query, document):
    for epsilon in (None, 0.1):
        moved = plan(query, document, epsilon).plan
        weights, others = query.weights / query.weights.sum(), document.weights
        assert moved.sum(axis=1) == pytest.approx(weights, abs=1e-7)
        assert moved.sum(axis=0) == pytest.approx(others / others.sum(), abs=1e-7)
        assert not moved[query.weights == 0].any()
        assert not moved[:, others == 0].any()


@settings(max_examples=40, deadline=None)
@given(bags(), bags())
def test_distances_grow_with_epsilon_from_exact_to_the_product(query, document):
    (x, a), (y, b) = query.support(), document.support()
    rising = [
        plan(query, document, None).distance,
        *(plan(query, document, epsilon).distance for epsilon in (0.03, 0.1, 0.5, 5)),
        float(a @ cdist(x, y) @ b),
    ]
    assert all(low <= high + 1e-7 for low, high in pairwise(rising))


@settings(max_examples=40, deadline=None)
@given(bags(), bags(), bags())
def test_exact_distances_obey_the_triangle_inequality(one, two, three):
    direct = plan(one, three, None).distance
    assert direct <= plan(one, two, None).distance + plan(two, three, None).distance + 1e-7


@settings(max_examples=40, deadline=None)
@given(bags())
def test_a_bag_is_at_distance_0_of_itself(bag):
    assert plan(bag, bag, None).distance == pytest.approx(0, abs=1e-7)


def test_one_word_has_one_way_to_go():
    rng = np.random.default_rng(8)
    query, document = random_bag(rng, 1), random_bag(rng, 4)
    (x, _), (y, b) = query.support(), document.support()
    for epsilon in (None, 0.1, 0.003):
        assert plan(query, document, epsilon).distance == pytest.approx(float(cdist(x, y)[0] @ b))


def test_nothing_can_be_moved_onto_a_bag_without_weight():
    full = random_bag(np.random.default_rng(9), 3)
    empty = WeightedBag(np.empty((0, 8), np.float32), np.empty(0, np.float32))
    weightless = WeightedBag(full.points, np.zeros(3, np.float32))
    for epsilon in (None, 0.1):
        assert plan(full, empty, epsilon).distance == np.inf
        assert plan(weightless, full, epsilon).distance == np.inf
        assert plan(full, weightless, epsilon).plan.tolist() == [[0.0] * 3] * 3
