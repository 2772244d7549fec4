import pickle

import numpy as np
import pytest

from dragoman.embeddings.readers.polyglot import read_polyglot
from dragoman.errors import InputError
from dragoman.text.files import Faults
from published import MATRIX, WORDS, write_polyglot, write_polyglot_of_python_2


@pytest.mark.parametrize("write", [write_polyglot, write_polyglot_of_python_2])
def test_words_and_rows_are_read(write, tmp_path):
    rows = list(read_polyglot(write(tmp_path / "polyglot-fr.pkl"), Faults()))
    assert [row.word for row in rows] == list(WORDS)
    np.testing.assert_array_equal(np.stack([row.vector for row in rows]), MATRIX)


def test_only_wanted_words_come(tmp_path):
    path = write_polyglot(tmp_path / "polyglot-fr.pkl")
    (row,) = read_polyglot(path, Faults(), lambda word, _: word == "chat")
    np.testing.assert_array_equal(row.vector, MATRIX[0])


@pytest.mark.parametrize("value", [("a",), (("a",), MATRIX), (WORDS, MATRIX[:, 0]), "a"])
def test_another_value_is_refused(value, tmp_path):
    (tmp_path / "polyglot.pkl").write_bytes(pickle.dumps(value, 2))
    with pytest.raises(InputError, match="expected a pair: words, and a matrix"):
        list(read_polyglot(tmp_path / "polyglot.pkl", Faults()))


def test_a_word_that_is_a_number_is_named(tmp_path):
    path = write_polyglot(tmp_path / "polyglot.pkl", words=(*WORDS[:4], 5))
    with pytest.raises(InputError, match="line 5: found a int; expected a word"):
        list(read_polyglot(path, Faults()))


def test_a_vector_that_is_not_finite_is_named(tmp_path):
    matrix = MATRIX.copy()
    matrix[1, 1] = np.nan
    path = write_polyglot(tmp_path / "polyglot.pkl", matrix=matrix)
    with pytest.raises(InputError, match='line 2: found a vector of "l\'eau"'):
        list(read_polyglot(path, Faults()))
