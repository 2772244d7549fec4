import json
from dataclasses import replace

import numpy as np
import pytest

from dragoman.embeddings.word_vectors import WordVectors, is_word_vectors
from dragoman.encoders.sentence_encoder import normalized
from dragoman.errors import ConfigError, InputError
from dragoman.lexicons.vocabulary import ABSENT


@pytest.fixture
def vectors():
    matrix = normalized(np.random.default_rng(0).normal(size=(4, 3)))
    return WordVectors("el", ("μία", "γάτα", "ice cream", "l'eau"), matrix, {"source": "here"})


def test_a_word_that_is_not_here_has_no_row(vectors):
    assert vectors.rows(["γάτα", "dog", "μία"]).tolist() == [1, ABSENT, 0]


def test_of_a_word_that_comes_twice_the_first_counts():
    vectors = WordVectors("en", ("a", "b", "a"), np.eye(3, dtype=np.float32))
    assert vectors.rows(["a"]).tolist() == [0]


def test_what_is_saved_is_opened_again_without_reading_the_matrix(vectors, tmp_path):
    vectors.save(tmp_path / "el")
    opened = WordVectors.open(tmp_path / "el")
    assert is_word_vectors(tmp_path / "el")
    assert isinstance(opened.matrix, np.memmap)
    np.testing.assert_array_equal(opened.matrix, vectors.matrix)
    assert tuple(opened.words) == vectors.words
    assert (opened.language, opened.facts) == ("el", {"source": "here"})


def test_the_matrix_is_an_ordinary_npy_file(vectors, tmp_path):
    vectors.save(tmp_path / "el")
    np.testing.assert_array_equal(np.load(tmp_path / "el" / "matrix.npy"), vectors.matrix)


def test_restricted_keeps_the_order_of_the_vectors(vectors):
    lengths = np.arange(len(vectors), dtype=np.float64)
    kept = replace(vectors, lengths=lengths).restricted(["l'eau", "μία", "unknown"])
    assert kept.lengths.tolist() == vectors.rows(kept.words).tolist()
    assert kept.words == ("μία", "l'eau")
    np.testing.assert_array_equal(kept.matrix, vectors.matrix[[0, 3]])


def test_rows_that_are_not_of_length_one_are_not_saved(tmp_path):
    vectors = WordVectors("en", ("a",), np.full((1, 2), 2, dtype=np.float32))
    with pytest.raises(ConfigError, match=r"the vector of 'a' has length 2\.828; expected 1"):
        vectors.save(tmp_path / "en")
    assert not (tmp_path / "en").exists()


def test_a_line_end_in_a_word_is_not_saved(tmp_path):
    vectors = WordVectors("en", ("a\nb",), np.array([[1, 0]], dtype=np.float32))
    with pytest.raises(ConfigError, match="found a line end in the word"):
        vectors.save(tmp_path / "en")


def test_words_and_rows_must_be_as_many():
    with pytest.raises(ConfigError, match="found 2 words and a matrix of shape"):
        WordVectors("en", ("a", "b"), np.ones((1, 2), dtype=np.float32))


def test_double_precision_is_refused():
    with pytest.raises(ConfigError, match="must be float32, got float64"):
        WordVectors("en", ("a",), np.ones((1, 2)))


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"found no words.json; expected a folder of saved"):
        WordVectors.open(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "found format 'other' version 1"),
        ({"version": 9}, "version 9; expected 'dragoman-word-vectors' version 1"),
        ({"words": 7}, "expected 7 words and vectors of 3"),
    ],
)
def test_facts_that_do_not_fit_are_refused(vectors, tmp_path, change, message):
    vectors.save(tmp_path / "el")
    path = tmp_path / "el" / "words.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError, match=message):
        WordVectors.open(tmp_path / "el")


def test_a_pickled_matrix_is_refused(vectors, tmp_path):
    vectors.save(tmp_path / "el")
    np.save(tmp_path / "el" / "matrix.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="unreadable vectors"):
        WordVectors.open(tmp_path / "el")
