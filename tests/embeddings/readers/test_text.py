import numpy as np
import pytest
from gensim.models import KeyedVectors

from dragoman.embeddings.readers.text import read_text
from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from published import MATRIX, WORDS, write_text


@pytest.mark.parametrize("name", ["wiki.vec", "wiki.vec.gz"])
@pytest.mark.parametrize("ending", ["\n", " \n", "\r\n"])
def test_gensim_reads_the_same_from_the_same_file(name, ending, tmp_path):
    path = write_text(tmp_path / name, ending=ending)
    theirs = KeyedVectors.load_word2vec_format(path)
    ours = list(read_text(path, Faults()))
    assert [row.word for row in ours] == theirs.index_to_key
    np.testing.assert_array_equal(np.stack([row.vector for row in ours]), theirs.vectors)


def test_glove_has_no_header(tmp_path):
    path = write_text(tmp_path / "glove.txt", header=False)
    theirs = KeyedVectors.load_word2vec_format(write_text(tmp_path / "with.vec"))
    ours = list(read_text(path, Faults()))
    assert [row.word for row in ours] == theirs.index_to_key
    np.testing.assert_array_equal(np.stack([row.vector for row in ours]), theirs.vectors)


def test_a_word_may_hold_blanks(tmp_path):
    path = write_text(tmp_path / "glove.vec", words=(". . .", *WORDS[1:]))
    assert next(read_text(path, Faults())).word == ". . ."


def test_only_wanted_words_are_parsed(tmp_path):
    path = tmp_path / "wiki.vec"
    path.write_text("2 3\nno x y z\nyes 1 2 3\n")
    (row,) = read_text(path, Faults(), lambda word, _: word == "yes")
    assert row.vector.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 3\na 1 2 3\nb 1 2\n", "line 3: found 3 fields; expected a word and 3 numbers"),
        ("2 3\na 1 2 3\nb 1 2 x\n", "line 3: found no number"),
        ("2 3\na 1 2 3\nb 1 nan 2\n", "line 3: found a vector of 'b' that is not finite"),
        ("2 999999\na 1\n", "line 1: found 999999 dimensions"),
        ("word\n", "line 1: found 0 dimensions"),
        ("", "found an empty file"),
    ],
)
def test_a_bad_line_is_named(text, message, tmp_path):
    path = tmp_path / "wiki.vec"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        list(read_text(path, Faults()))


def test_a_word_that_is_not_utf8_is_named_or_skipped(tmp_path):
    path = tmp_path / "wiki.vec"
    path.write_bytes(b"2 2\n\xff 1 2\nb 3 4\n")
    with pytest.raises(InputError, match="line 2: found a word with the byte 0xff"):
        list(read_text(path, Faults()))
    faults = Faults(OnError.SKIP)
    assert [row.word for row in read_text(path, faults)] == ["b"]
    assert faults.skipped == 1


def test_a_cut_archive_is_named(tmp_path):
    path = write_text(tmp_path / "wiki.vec.gz")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="found a broken archive"):
        list(read_text(path, Faults()))


def test_the_numbers_are_those_of_the_file(tmp_path):
    rows = list(read_text(write_text(tmp_path / "wiki.vec"), Faults()))
    np.testing.assert_array_equal(np.stack([row.vector for row in rows]), MATRIX)
