import numpy as np
import ot
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from dragoman.errors import ConfigError
from dragoman.scores.transport import Corpus, WeightedBag, distances
from transport_examples import random_bag, random_corpus, sphere


def by_pot(corpus, query, epsilon):
    x, a = query.support()
    found = []
    for row in range(len(corpus)):
        if row in corpus.unknown:
            found.append(np.inf)
            continue
        y, b = corpus.document(row).support()
        if epsilon is None:
            found.append(ot.emd2(a, b, cdist(x, y)))
        else:
            found.append(ot.sinkhorn2(a, b, cdist(x, y), epsilon, "sinkhorn_log", 20000, 1e-10))
    return np.array(found)


@pytest.mark.parametrize("words", [1, 3, 20, 40])
@pytest.mark.parametrize("epsilon", [None, 1.0, 0.1, 0.05, 0.015])
def test_distances_are_those_of_pot(words, epsilon):
    rng = np.random.default_rng(words)
    corpus, _ = random_corpus(rng, documents=6 if epsilon == 0.015 else 25)
    query = random_bag(rng, words)
    found = distances(corpus, query, epsilon)
    assert found == pytest.approx(by_pot(corpus, query, epsilon), abs=1e-5)
    assert np.isinf(found[3])
    assert found[0] == found[5]


def test_documents_whose_words_are_the_querys_come_out_right():
    points = sphere(np.random.default_rng(1), 5)
    weights = np.array([[1, 2, 3, 0, 0], [0, 0, 0, 1, 0], [0, 0, 1e-6, 0, 1]], np.float32)
    corpus = Corpus.build(points, csr_array(weights))
    query = WeightedBag(points[:3], np.array([1, 2, 3], np.float32))
    for epsilon in (None, 1.0, 0.2):
        found = distances(corpus, query, epsilon)
        assert found == pytest.approx(by_pot(corpus, query, epsilon), abs=1e-5)
    assert distances(corpus, query, None)[0] == pytest.approx(0, abs=1e-6)


def test_rows_come_in_the_order_asked_for():
    rng = np.random.default_rng(2)
    corpus, _ = random_corpus(rng)
    query, rows = random_bag(rng, 5), np.array([9, 3, 2, 9])
    every = distances(corpus, query, 0.1)  # BLAS rounds products of other sizes in other ways
    assert distances(corpus, query, 0.1, rows) == pytest.approx(every[rows], abs=2e-6)


def test_the_order_of_words_does_not_matter():
    rng = np.random.default_rng(3)
    corpus, _ = random_corpus(rng)
    query, order = random_bag(rng, 20), rng.permutation(20)
    turned = WeightedBag(query.points[order], query.weights[order])
    assert distances(corpus, turned, 0.1) == pytest.approx(distances(corpus, query, 0.1), abs=2e-6)


def test_threads_change_nothing():
    rng = np.random.default_rng(4)
    corpus, _ = random_corpus(rng, documents=600)
    query = random_bag(rng, 10)
    alone = distances(corpus, query, 0.1, threads=1)
    assert distances(corpus, query, 0.1, threads=3).tolist() == alone.tolist()


def test_what_float32_cannot_settle_is_settled_in_float64(monkeypatch):
    rng = np.random.default_rng(5)
    corpus, _ = random_corpus(rng, documents=12)
    query = random_bag(rng, 6)
    expected = distances(corpus, query, 0.1)
    monkeypatch.setattr("dragoman.scores.transport.all_distances.TOLERANCE", np.float32(0))
    assert distances(corpus, query, 0.1) == pytest.approx(expected, abs=1e-5)


def test_a_query_without_words_is_far_from_all():
    corpus, points = random_corpus(np.random.default_rng(6), documents=8)
    assert np.isinf(distances(corpus, WeightedBag(points[:2], np.zeros(2, np.float32)), 0.1)).all()
    assert np.isinf(distances(corpus, WeightedBag(points[:0], np.zeros(0, np.float32)), None)).all()


def test_an_empty_corpus_has_no_distances():
    query = random_bag(np.random.default_rng(7), 3)
    assert distances(Corpus.empty(8), query, 0.1).tolist() == []


def test_epsilon_is_checked():
    corpus, points = random_corpus(np.random.default_rng(8), documents=8)
    with pytest.raises(ConfigError, match="epsilon must be above 0"):
        distances(corpus, WeightedBag(points[:2], np.ones(2, np.float32)), -1.0)
