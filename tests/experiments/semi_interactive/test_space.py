"""How vectors fill their space, in points and numbers."""

import numpy as np
import pytest
from scipy.stats import entropy

from dragoman.experiments.semi_interactive.space import measure_space


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_points_keep_distances_where_three_components_are_all_there_is(rng):
    flat = rng.normal(size=(12, 3)) @ rng.normal(size=(3, 20))
    unit = flat / np.linalg.norm(flat, axis=1, keepdims=True)
    found = measure_space(flat, ["de"] * 12)
    points = np.array(found.points)
    there = np.linalg.norm(unit[:, None] - unit[None], axis=2)
    here = np.linalg.norm(points[:, None] - points[None], axis=2)
    assert here == pytest.approx(there, abs=1e-3)
    assert sum(found.shares) == pytest.approx(1)
    assert points.mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-3)


def test_the_mean_cosine_is_that_of_all_pairs(rng):
    vectors = rng.normal(0.5, 1.0, size=(9, 6))
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs = [unit[i] @ unit[j] for i in range(9) for j in range(9) if i != j]
    assert measure_space(vectors, ["de"] * 9).mean_cosine == pytest.approx(np.mean(pairs))


def test_effective_dimensions_by_hand(rng):
    # both ways along each of four axes: four equal components
    crossed = np.concatenate([np.eye(4), -np.eye(4)])
    assert measure_space(crossed, ["de"] * 8).dimensions == pytest.approx(4)
    vectors = rng.normal(size=(30, 5))
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    values = np.linalg.eigvalsh(np.cov(unit.T))
    assert measure_space(vectors, ["de"] * 30).dimensions == pytest.approx(np.exp(entropy(values)))


def test_variance_between_languages_is_all_where_each_is_one_point_and_none_where_they_mix(rng):
    apart = np.repeat(np.eye(3), 4, axis=0)
    labels = [code for code in ("de", "fr", "en") for _ in range(4)]
    assert measure_space(apart, labels).between == pytest.approx(1)
    mixed = np.tile(rng.normal(size=(4, 5)), (3, 1))
    assert measure_space(mixed, labels).between == pytest.approx(0, abs=1e-9)


def test_equal_vectors_have_no_space_and_are_no_error():
    found = measure_space(np.ones((4, 3)), ["de"] * 4)
    assert found.mean_cosine == pytest.approx(1)
    assert found.dimensions >= 1
