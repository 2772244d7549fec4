import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes
from scipy.stats import ortho_group

from dragoman.embeddings.bilingual.procrustes import align_spaces, orthogonal_map
from dragoman.encoders.sentence_encoder import normalized
from dragoman.errors import ConfigError


def test_the_map_is_scipys():
    rng = np.random.default_rng(0)
    source, target = (rng.normal(size=(50, 8)).astype(np.float32) for _ in range(2))
    expected, _ = orthogonal_procrustes(source, target)
    np.testing.assert_allclose(orthogonal_map(source, target), expected, atol=1e-5)


def test_the_map_is_orthogonal():
    rng = np.random.default_rng(1)
    found = orthogonal_map(rng.normal(size=(9, 5)), rng.normal(size=(9, 5)))
    np.testing.assert_allclose(found @ found.T, np.eye(5), atol=1e-5)


def test_refinement_finds_the_rotation_that_few_pairs_only_hint_at():
    rng = np.random.default_rng(2)
    source = normalized(rng.normal(size=(400, 20)))
    rotation = ortho_group.rvs(20, random_state=3).astype(np.float32)
    target = normalized(source @ rotation + 0.03 * rng.normal(size=(400, 20)))
    pairs = np.repeat(np.arange(15)[:, None], 2, axis=1)
    steps = []
    rough = align_spaces(source, target, pairs, rounds=0)
    refined = align_spaces(source, target, pairs, rounds=5, advance=lambda n=1: steps.append(n))
    assert np.abs(refined - rotation).max() < 0.05 < np.abs(rough - rotation).max()
    assert sum(steps) == 5


def test_without_a_pair_there_is_nothing_to_start_from():
    with pytest.raises(ConfigError, match="found no pair of known translations"):
        align_spaces(np.eye(2), np.eye(2), np.zeros((0, 2), dtype=np.int64))
