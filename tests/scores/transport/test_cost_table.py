import numpy as np
import pytest
from scipy.sparse import eye_array
from scipy.spatial.distance import cdist

from dragoman.errors import ConfigError
from dragoman.scores.transport import Corpus
from dragoman.scores.transport.cost_table import TILE, parallelize, tabulate, thread_count
from transport_examples import random_bag, random_corpus, sphere


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("words", [1, 16, 33])
def test_costs_and_kernel_are_those_of_scipy(threads, words, monkeypatch):
    monkeypatch.setattr("dragoman.scores.transport.cost_table.BLOCK", 320)  # several blocks
    rng = np.random.default_rng(words)
    corpus, _ = random_corpus(rng)
    points, weights = random_bag(rng, words).support()
    table = tabulate(corpus, points, weights, 0.1, threads)
    expected = cdist(corpus.points, points)
    assert table.cost.shape[1] % TILE == 0
    assert table.cost[:, :words] == pytest.approx(expected, abs=1e-6)
    assert table.kernel[:, :words] == pytest.approx(np.exp(-expected / 0.1), rel=2e-5)
    assert table.sums == pytest.approx(np.exp(-expected / 0.1) @ weights, rel=2e-5)
    assert table.extremes[:, 0] == pytest.approx(expected.min(axis=1), abs=1e-6)
    assert table.extremes[:, 1] == pytest.approx(expected.max(axis=1), abs=1e-6)
    assert (table.cost[:, words:] == table.cost[:, :1]).all()
    assert not table.weights[words:].any()


def test_distances_of_points_that_nearly_coincide_are_precise():
    rng = np.random.default_rng(4)
    points = sphere(rng, 50, 64)
    close = points[:5] + rng.normal(size=(5, 64)).astype(np.float32) * np.float32(1e-5)
    corpus = Corpus.build(points, eye_array(50, format="csr", dtype=np.float32))
    table = tabulate(corpus, close, np.full(5, 0.2), 0.1, 1)
    expected = cdist(corpus.points, close)
    assert expected.min() < 2e-4
    assert table.cost[:, :5] == pytest.approx(expected, abs=3e-7)
    same = tabulate(corpus, points[:1], np.ones(1), 0.1, 1)
    assert same.cost[corpus.words.tolist().index(0), 0] == 0


def test_points_need_not_have_length_one():
    rng = np.random.default_rng(5)
    points = sphere(rng, 20) * rng.random((20, 1)).astype(np.float32) * 2
    points[7] = 0
    corpus = Corpus.build(points, eye_array(20, format="csr", dtype=np.float32))
    table = tabulate(corpus, points[5:9], np.full(4, 0.25), 0.1, 1)
    assert table.cost[:, :4] == pytest.approx(cdist(corpus.points, points[5:9]), abs=1e-6)


@pytest.mark.parametrize(
    ("count", "threads", "grain"), [(0, 2, 4), (3, 2, 4), (100, 3, 7), (9, 1, 2)]
)
def test_work_is_shared_out_once_each(count, threads, grain):
    done = np.zeros(count, int)

    def work(begin, end):
        done[begin:end] += 1

    parallelize(work, count, threads, grain)
    assert (done == 1).all()


def test_what_fails_in_a_thread_is_not_swallowed():
    def fail(begin, end):
        raise ArithmeticError(f"{begin} to {end}")

    with pytest.raises(ArithmeticError, match="to"):
        parallelize(fail, 100, 2, 10)


def test_threads_are_counted_from_one():
    assert thread_count(None) >= 1
    with pytest.raises(ConfigError, match="threads must be 1 or more"):
        thread_count(0)
