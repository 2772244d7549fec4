import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix, vstack

from dragoman.errors import ConfigError, InputError
from dragoman.scores.transport import Corpus, WeightedBag, distances
from transport_examples import random_corpus, sphere


def weights_by_word(corpus, row):
    return dict(
        zip(corpus.document_words(row).tolist(), corpus.document(row).weights.tolist(), strict=True)
    )


def test_only_used_points_are_kept_and_documents_keep_their_words():
    points = sphere(np.random.default_rng(1), 6)
    bags = csr_matrix(np.array([[0, 2, 0, 0, 6, 0], [0, 0, 0, 0, 1, 0]], np.float32))
    corpus = Corpus.build(points, bags)
    assert sorted(corpus.words.tolist()) == [1, 4]
    assert weights_by_word(corpus, 0) == {1: 0.25, 4: 0.75}
    assert corpus.document(1).points.tolist() == [points[4].tolist()]
    assert corpus.words[0] == 4  # the more frequent first


def test_zeros_and_repeated_columns_count_once():
    repeated = csr_array(([1.0, 0.0, 1.0, 2.0], [2, 1, 2, 0], [0, 4]), shape=(1, 3))
    corpus = Corpus.build(sphere(np.random.default_rng(2), 3), repeated)
    assert weights_by_word(corpus, 0) == {2: 0.5, 0: 0.5}
    assert repeated.nnz == 4  # the caller's matrix is left as it was


def test_rows_without_weight_are_unknown_wherever_they_stand():
    bags = csr_array(np.array([[0, 0], [1, 1], [0, 0], [0, 3], [0, 0]], np.float32))
    corpus = Corpus.build(sphere(np.random.default_rng(3), 2), bags)
    assert corpus.unknown.tolist() == [0, 2, 4]
    assert weights_by_word(corpus, 3) == {1: 1.0}


def test_appending_gives_what_building_at_once_gives():
    rng = np.random.default_rng(4)
    points = sphere(rng, 40)
    first = csr_array(rng.random((10, 25)) * (rng.random((10, 25)) < 0.3)).tocsr()
    second = csr_array(rng.random((12, 40)) * (rng.random((12, 40)) < 0.3)).tocsr()
    widened = csr_array((first.data, first.indices, first.indptr), shape=(10, 40))
    grown = Corpus.build(points[:25], first).append(points, second)
    whole = Corpus.build(points, vstack([widened, second], format="csr"))
    query = WeightedBag(points[:3], np.ones(3, np.float32))
    assert len(grown) == len(whole) == 22
    for row in range(22):
        assert weights_by_word(grown, row) == weights_by_word(whole, row)
    assert distances(grown, query, 0.1) == pytest.approx(distances(whole, query, 0.1), abs=1e-6)


def test_taken_documents_are_the_same_documents():
    corpus, _ = random_corpus(np.random.default_rng(5))
    rows = np.array([7, 3, 0])
    some = corpus.take(rows)
    assert len(some) == 3
    assert len(some.points) < len(corpus.points)
    for place, row in enumerate(rows):
        assert weights_by_word(some, place) == weights_by_word(corpus, row)


def test_a_corpus_is_narrowed_only_where_that_leaves_points_out():
    corpus, _ = random_corpus(np.random.default_rng(5))
    every, few = np.arange(len(corpus)), np.array([7, 0])
    assert corpus.restrict(every)[0] is corpus
    some, places = corpus.restrict(few)
    assert len(some) == 2
    assert [weights_by_word(some, place) for place in places] == [
        weights_by_word(corpus, row) for row in few
    ]


def test_a_saved_corpus_opens_as_it_was(tmp_path):
    corpus, points = random_corpus(np.random.default_rng(6))
    corpus.save(tmp_path / "corpus")
    opened = Corpus.open(tmp_path / "corpus")
    query = WeightedBag(points[:4], np.ones(4, np.float32))
    assert distances(opened, query, 0.1).tolist() == distances(corpus, query, 0.1).tolist()
    assert isinstance(opened.points.base, np.memmap)


def test_a_folder_without_a_corpus_is_told(tmp_path):
    with pytest.raises(InputError, match="expected a corpus of format 1"):
        Corpus.open(tmp_path)


def test_bags_need_a_point_for_every_column():
    with pytest.raises(ConfigError, match="Bags of 3 columns"):
        Corpus.build(sphere(np.random.default_rng(7), 2), csr_array(np.ones((1, 3))))


def test_negative_weights_are_refused():
    with pytest.raises(ConfigError, match="finite and 0 or more"):
        Corpus.build(sphere(np.random.default_rng(8), 2), csr_array(np.array([[1.0, -1.0]])))
