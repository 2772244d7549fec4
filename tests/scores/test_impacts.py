import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import random_array

from dragoman.scores import kernels
from dragoman.scores.impacts import ImpactIndex, Rows, SparseVector

DIMENSIONS = 60


def index_of(matrix):
    rows = Rows(matrix.indptr, matrix.indices, matrix.data)
    count = matrix.shape[0]
    return ImpactIndex.from_rows(rows, np.arange(count), count, matrix.shape[1])


def made(count, seed, *, ties=False, density=0.2):
    matrix = random_array(
        (count, DIMENSIONS), density=density, format="csr", dtype=np.float32, rng=seed
    )
    matrix.sort_indices()
    if ties:
        matrix.data[:] = 0.5
    return matrix


def best_by_sorting(index, query, k):
    products = index.products(query)
    order = np.lexsort((np.arange(index.count), -products))[:k]
    order = order[products[order] > 0]
    return order.tolist(), products[order].tolist()


def a_query(seed, terms=8):
    rng = np.random.default_rng(seed)
    dimensions = rng.choice(DIMENSIONS, terms, replace=False)
    return SparseVector(dimensions, rng.random(terms).astype(np.float32) ** 4)


@given(st.integers(0, 10_000), st.integers(1, 40), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_best_are_those_of_a_full_sort(seed, k, ties):
    index = index_of(made(300, seed, ties=ties))
    query = a_query(seed)
    if ties:
        query = query._replace(weights=np.ones(len(query.weights), dtype=np.float32))
    found = index.search(query, k)
    assert (found.documents.tolist(), found.scores.tolist()) == best_by_sorting(index, query, k)


@pytest.mark.parametrize("k", [1, 10, 100])
def test_many_blocks_of_documents_are_searched_as_one(k):
    index = index_of(made(5 * kernels.BLOCK, 3, density=0.05))
    for seed in range(20):
        query = a_query(seed)
        found = index.search(query, k)
        expected = best_by_sorting(index, query, k)
        assert (found.documents.tolist(), found.scores.tolist()) == expected


def test_weights_that_are_not_above_zero_count_for_nothing():
    index = index_of(made(400, 9))
    query = a_query(9)
    held_back = query._replace(weights=np.where(np.arange(8) % 3 == 0, -1, query.weights))
    kept = held_back.weights > 0
    without = SparseVector(query.dimensions[kept], query.weights[kept])
    for found, expected in zip(index.search(held_back, 9), index.search(without, 9), strict=True):
        assert found.tolist() == expected.tolist()
    assert index.products(held_back).tolist() == index.products(without).tolist()


def test_products_are_those_of_a_dense_matrix():
    matrix = made(50, 1)
    query = a_query(1)
    dense = np.zeros(DIMENSIONS)
    dense[query.dimensions] = query.weights
    assert index_of(matrix).products(query) == pytest.approx(matrix.toarray() @ dense, abs=1e-6)


def test_scores_are_linear_in_the_query():
    index = index_of(made(100, 2))
    first, second = a_query(5, terms=3), a_query(6, terms=3)
    both = SparseVector(
        np.concatenate([first.dimensions, second.dimensions]),
        np.concatenate([first.weights, second.weights]),
    )
    expected = index.products(first) + index.products(second)
    assert index.products(both) == pytest.approx(expected, abs=1e-6)


def test_a_query_gets_the_same_answer_in_any_batch():
    index = index_of(made(500, 4))
    queries = [a_query(seed) for seed in range(12)]
    alone = [index.search(query, 7) for query in queries]
    together = index.search_many(queries, 7)
    assert [found.documents.tolist() for found in together] == [
        found.documents.tolist() for found in alone
    ]
    assert [f.scores.tolist() for f in together] == [f.scores.tolist() for f in alone]


def test_documents_take_the_numbers_they_are_given():
    rows = Rows(np.array([0, 1, 3]), np.array([0, 0, 1]), np.array([0.5, 0.25, 1.0]))
    index = ImpactIndex.from_rows(rows, np.array([4, 2]), 5, 2)
    found = index.search(SparseVector(np.array([0]), np.array([1.0])), 5)
    assert (found.documents.tolist(), found.scores.tolist()) == ([4, 2], [0.5, 0.25])


def test_joined_parts_keep_their_dimensions_apart():
    rows = Rows(np.array([0, 1]), np.array([0]), np.array([0.5]))
    first = ImpactIndex.from_rows(rows, np.array([0]), 2, 3)
    second = ImpactIndex.from_rows(rows, np.array([1]), 2, 1)
    both = ImpactIndex.joined([first, second])
    assert both.search(SparseVector(np.array([0]), np.ones(1)), 2).documents.tolist() == [0]
    assert both.search(SparseVector(np.array([3]), np.ones(1)), 2).documents.tolist() == [1]


@pytest.mark.parametrize(("k", "terms"), [(0, 3), (5, 0)])
def test_asking_for_nothing_gives_nothing(k, terms):
    found = index_of(made(20, 0)).search(a_query(0, terms), k)
    assert len(found.documents) == len(found.scores) == 0


def test_an_index_without_documents_finds_nothing():
    found = ImpactIndex.empty().search(SparseVector(np.zeros(0, int), np.zeros(0)), 3)
    assert len(found.documents) == 0


def test_saved_and_mapped_again_it_answers_alike(tmp_path):
    index = index_of(made(200, 8))
    index.save(tmp_path)
    again = ImpactIndex.load(tmp_path, 200)
    for seed in range(5):
        before, after = index.search(a_query(seed), 9), again.search(a_query(seed), 9)
        assert before.documents.tolist() == after.documents.tolist()
        assert before.scores.tolist() == after.scores.tolist()
