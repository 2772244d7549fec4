import numpy as np
import pytest

from dragoman.embeddings.bilingual import csls
from dragoman.embeddings.bilingual.csls import csls_neighbours, mean_similarity, mutual_pairs
from dragoman.encoders.sentence_encoder import normalized


@pytest.fixture
def clouds():
    rng = np.random.default_rng(2)
    return normalized(rng.normal(size=(30, 4))), normalized(rng.normal(size=(25, 4)))


def crowding(vectors, others, nearest=10):
    return np.sort(vectors @ others.T, axis=1)[:, -nearest:].mean(axis=1)


def scores(source, target):
    """The whole matrix of the paper's formula."""
    similar = 2 * source @ target.T
    return similar - crowding(source, target)[:, None] - crowding(target, source)[None]


def test_crowding_is_the_mean_of_the_ten_nearest(clouds):
    np.testing.assert_allclose(mean_similarity(*clouds), crowding(*clouds), rtol=1e-5)


def test_with_fewer_than_ten_all_count(clouds):
    few = clouds[1][:3]
    found = mean_similarity(clouds[0], few)
    np.testing.assert_allclose(found, (clouds[0] @ few.T).mean(axis=1), rtol=1e-4, atol=1e-6)


def test_neighbours_are_the_best_of_the_whole_formula(clouds):
    source, target = clouds
    found = csls_neighbours(source, target, mean_similarity(target, source))
    assert found.tolist() == scores(source, target).argmax(axis=1).tolist()


def test_mutual_pairs_choose_each_other(clouds):
    whole = scores(*clouds)
    there, back = whole.argmax(axis=1), whole.argmax(axis=0)
    expected = [(i, int(j)) for i, j in enumerate(there) if back[j] == i]
    assert [tuple(pair) for pair in mutual_pairs(*clouds).tolist()] == expected


def test_blocks_change_nothing(clouds, monkeypatch):
    whole = mutual_pairs(*clouds)
    monkeypatch.setattr(csls, "BLOCK", 7)
    np.testing.assert_array_equal(mutual_pairs(*clouds), whole)


def test_a_word_that_is_near_to_all_is_held_back():
    """A hub between two words wins by cosine and loses by CSLS."""
    source = normalized(np.array([[1.0, 0.2, 0], [1.0, -0.2, 0], [1, 0, 0.1], [1, 0, -0.1]]))
    hub, right = [1.0, 0.0, 0.0], [1.0, 0.55, 0.0]
    target = normalized(np.array([hub, right]))
    assert (source[0] @ target.T).argmax() == 0
    assert csls_neighbours(source, target, mean_similarity(target, source, 4))[0] == 1
