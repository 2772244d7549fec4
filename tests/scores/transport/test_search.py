import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, vstack

from dragoman.errors import ConfigError
from dragoman.scores.transport import Corpus, WeightedBag, distances, nearest, plan
from transport_examples import random_bag, random_corpus, sphere


def brute_force(corpus, query, k, epsilon):
    """Every distance in float64; equal documents are solved alike, so that their ties are exact."""
    found = np.array(
        [plan(query, corpus.document(row), epsilon).distance for row in range(len(corpus))]
    )
    order = np.argsort(found, kind="stable")[:k]
    return order, found[order]


@pytest.mark.parametrize("words", [1, 4, 25, 70])
@pytest.mark.parametrize("epsilon", [None, 1.0, 0.1, 0.03, 0.01])
def test_the_nearest_are_those_of_brute_force(words, epsilon):
    rng = np.random.default_rng(words)
    corpus, _ = random_corpus(rng, documents=150)
    query = random_bag(rng, words)
    for k in (1, 7):
        rows, expected = brute_force(corpus, query, k, epsilon)
        found = nearest(corpus, query, k, epsilon)
        assert found.rows.tolist() == rows.tolist()
        assert found.distances == pytest.approx(expected, abs=1e-5)
        assert found.report.documents == 150
        assert found.report.unknown == 1
        report = found.report
        assert report.bounded + report.certified + report.solved == 149
        assert report.solved >= k


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 30), st.sampled_from([2, 8, 50])
)
def test_search_and_brute_force_agree_on_any_data(seed, k, words, dimension):
    rng = np.random.default_rng(seed)
    corpus, points = random_corpus(rng, documents=130, dimension=dimension)
    shared = points[rng.choice(len(points), words)]
    query = WeightedBag(shared, rng.random(words).astype(np.float32))
    for epsilon in (0.1, None):
        expected = brute_force(corpus, query, k, epsilon)
        found = nearest(corpus, query, k, epsilon)
        assert found.rows.tolist() == expected[0].tolist()


def test_most_documents_of_a_corpus_with_contrast_are_never_solved():
    rng = np.random.default_rng(1)
    topics = sphere(rng, 8, 32)
    points = topics.repeat(40, axis=0) + 0.12 * rng.normal(size=(320, 32))
    points = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)
    bags = np.zeros((2000, 320), np.float32)
    for row, topic in enumerate(rng.integers(0, 8, 2000)):
        bags[row, 40 * topic + rng.choice(40, 12, replace=False)] = rng.random(12)
    corpus = Corpus.build(points, csr_array(bags))
    query = WeightedBag(points[:6], np.ones(6, np.float32))
    for epsilon in (0.1, None):
        found = nearest(corpus, query, 10, epsilon)
        assert found.report.pruned > 0.9
        rows, _ = brute_force(corpus, query, 10, epsilon)
        assert found.rows.tolist() == rows.tolist()


def test_equal_documents_stand_in_the_order_of_their_rows():
    rng = np.random.default_rng(2)
    points = sphere(rng, 30)
    bag = csr_array((rng.random((1, 30)) * (rng.random((1, 30)) < 0.3)).astype(np.float32))
    corpus = Corpus.build(points, vstack([bag] * 200, format="csr"))
    query = random_bag(rng, 5)
    for epsilon in (0.1, None):
        found = nearest(corpus, query, 9, epsilon)
        assert found.rows.tolist() == list(range(9))
        assert len(set(found.distances.tolist())) == 1


def test_near_ties_are_told_apart_in_float64():
    rng = np.random.default_rng(3)
    points = sphere(rng, 20)
    weights = rng.random(20)
    tilt = rng.normal(size=20) * 1e-6
    bags = np.array([weights + step * tilt for step in rng.permutation(100)], np.float32)
    corpus = Corpus.build(points, csr_array(bags))
    query = random_bag(rng, 6)
    found = nearest(corpus, query, 5, 0.1)
    rows, expected = brute_force(corpus, query, 5, 0.1)
    assert found.rows.tolist() == rows.tolist()
    assert found.distances.tolist() == expected.tolist()
    assert found.report.float64 >= 5


def test_documents_without_a_known_word_come_last():
    points = sphere(np.random.default_rng(4), 3)
    bags = np.array([[0, 0, 0], [0, 1, 1], [0, 0, 0], [1, 0, 0]], np.float32)
    corpus = Corpus.build(points, csr_array(bags))
    query = WeightedBag(points[:1], np.ones(1, np.float32))
    for epsilon in (0.1, None):
        found = nearest(corpus, query, 4, epsilon)
        assert found.rows.tolist() == [3, 1, 0, 2]
        assert found.distances.tolist()[2:] == [np.inf, np.inf]
        assert found.report.unknown == 2
        assert nearest(corpus, query, 3, epsilon).rows.tolist() == [3, 1, 0]
        assert nearest(corpus, query, 9, epsilon).rows.tolist() == [3, 1, 0, 2]


def test_a_query_without_words_finds_the_first_rows_far_away():
    corpus, points = random_corpus(np.random.default_rng(5), documents=8)
    found = nearest(corpus, WeightedBag(points[:2], np.zeros(2, np.float32)), 3, 0.1)
    assert found.rows.tolist() == [0, 1, 2]
    assert np.isinf(found.distances).all()


def test_only_the_rows_asked_for_are_found():
    rng = np.random.default_rng(6)
    corpus, _ = random_corpus(rng, documents=150)
    query, rows = random_bag(rng, 8), np.array([90, 2, 3, 40, 41, 42, 7])
    for epsilon in (0.1, None):
        found = nearest(corpus, query, 3, epsilon, rows)
        some = np.sort(rows)
        order = np.argsort(distances(corpus, query, epsilon, some), kind="stable")[:3]
        assert found.rows.tolist() == some[order].tolist()
        assert found.report.documents == 7
        assert found.report.unknown == 1


def test_threads_change_nothing():
    rng = np.random.default_rng(7)
    corpus, _ = random_corpus(rng, documents=900)
    query = random_bag(rng, 8)
    for epsilon in (0.1, None):
        one, three = (nearest(corpus, query, 5, epsilon, threads=count) for count in (1, 3))
        assert one.rows.tolist() == three.rows.tolist()
        assert one.distances.tolist() == three.distances.tolist()


def test_nothing_is_asked_of_nothing():
    query = random_bag(np.random.default_rng(8), 3)
    found = nearest(Corpus.empty(8), query, 5, 0.1)
    assert found.rows.tolist() == []
    assert found.report.pruned == 0
    corpus, _ = random_corpus(np.random.default_rng(8))
    assert nearest(corpus, query, 0, 0.1).rows.tolist() == []


def test_k_is_not_negative():
    corpus, points = random_corpus(np.random.default_rng(9))
    with pytest.raises(ConfigError, match="k must be 0 or more"):
        nearest(corpus, WeightedBag(points[:1], np.ones(1, np.float32)), -1, 0.1)
