import numpy as np
import pytest
from scipy.sparse import csr_array, random_array
from scipy.sparse.linalg import svds

from dragoman.embeddings.bilingual.factorization import ppmi, truncated_svd


@pytest.fixture
def matrix():
    return csr_array(random_array((120, 80), density=0.1, rng=np.random.default_rng(3)))


def test_ppmi_is_its_formula():
    counts = np.array([[4.0, 1.0], [0.0, 5.0]])
    smoothed = counts.sum(axis=0) ** 0.75
    smoothed /= smoothed.sum()
    words = counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        expected = np.maximum(np.log(counts / (words * smoothed)), 0)
    np.testing.assert_allclose(ppmi(csr_array(counts)).toarray(), expected, rtol=1e-6)


def test_without_smoothing_independent_words_have_no_information():
    counts = np.outer([1.0, 2.0, 3.0], [4.0, 5.0])
    assert np.abs(ppmi(csr_array(counts), smoothing=1.0).toarray()).max() < 1e-6


def test_the_ppmi_of_nothing_is_nothing():
    assert ppmi(csr_array((3, 2))).nnz == 0


def test_singular_values_are_scipys(matrix):
    found = truncated_svd(matrix.astype(np.float32), 10, np.random.default_rng(0))
    expected = np.sort(svds(matrix, 10, return_singular_vectors=False))[::-1]
    np.testing.assert_allclose(found.values, expected, rtol=5e-3)


def test_the_factors_of_a_matrix_of_low_rank_give_it_back():
    rng = np.random.default_rng(1)
    low = csr_array((rng.normal(size=(40, 5)) @ rng.normal(size=(5, 30))).astype(np.float32))
    left, values, right = truncated_svd(low, 5, rng)
    np.testing.assert_allclose(left * values @ right.T, low.toarray(), atol=1e-4)
    np.testing.assert_allclose(left.T @ left, np.eye(5), atol=1e-5)


def test_the_same_generator_gives_the_same_factors(matrix):
    one, other = (truncated_svd(matrix, 4, np.random.default_rng(7)) for _ in range(2))
    np.testing.assert_array_equal(one.left, other.left)


def test_signs_do_not_depend_on_the_generator(matrix):
    one, other = (truncated_svd(matrix, 3, np.random.default_rng(seed)) for seed in (1, 2))
    assert (np.sum(one.left * other.left, axis=0) > 0.9).all()


def test_a_rank_above_the_matrix_gives_as_many_as_there_are():
    found = truncated_svd(csr_array(np.eye(3, dtype=np.float32)), 50, np.random.default_rng(0))
    assert found.left.shape == (3, 3)
