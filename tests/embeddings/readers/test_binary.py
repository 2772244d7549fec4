import numpy as np
import pytest
from gensim.models import KeyedVectors

from dragoman.embeddings.readers.binary import read_binary
from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from published import MATRIX, WORDS, write_binary


@pytest.mark.parametrize("name", ["news.bin", "news.bin.gz"])
@pytest.mark.parametrize("line_ends", [True, False])
def test_gensim_reads_the_same_from_the_same_file(name, line_ends, tmp_path):
    path = write_binary(tmp_path / name, line_ends)
    theirs = KeyedVectors.load_word2vec_format(path, binary=True)
    ours = list(read_binary(path, Faults()))
    assert [row.word for row in ours] == theirs.index_to_key
    np.testing.assert_array_equal(np.stack([row.vector for row in ours]), theirs.vectors)


def test_what_gensim_writes_is_read(tmp_path):
    theirs = KeyedVectors(MATRIX.shape[1])
    theirs.add_vectors(list(WORDS), MATRIX)
    theirs.save_word2vec_format(tmp_path / "gensim.bin", binary=True)
    ours = list(read_binary(tmp_path / "gensim.bin", Faults()))
    assert [row.word for row in ours] == list(WORDS)
    np.testing.assert_array_equal(np.stack([row.vector for row in ours]), MATRIX)


def test_a_file_larger_than_a_block_is_read_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.embeddings.readers.binary.BLOCK", 7)
    monkeypatch.setattr("dragoman.embeddings.readers.binary.LONGEST_WORD", 20)
    ours = list(read_binary(write_binary(tmp_path / "news.bin"), Faults()))
    assert [row.word for row in ours] == list(WORDS)


def test_a_text_file_is_refused(tmp_path):
    (tmp_path / "news.bin").write_text("word 1 2 3\n")
    with pytest.raises(InputError, match=r"found no header; .* format 'text'"):
        list(read_binary(tmp_path / "news.bin", Faults()))


def test_a_cut_file_is_named(tmp_path):
    path = write_binary(tmp_path / "news.bin")
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(InputError, match="the end of the file or no blank at word 5"):
        list(read_binary(path, Faults()))


def test_a_word_that_is_not_utf8_is_skipped_and_counted(tmp_path):
    path = tmp_path / "news.bin"
    row = np.ones(2, dtype="<f4").tobytes()
    path.write_bytes(b"2 2\n\xff " + row + b"b " + row)
    faults = Faults(OnError.SKIP)
    assert [row.word for row in read_binary(path, faults)] == ["b"]
    assert faults.skipped == 1


def test_a_vector_that_is_not_finite_is_named(tmp_path):
    path = tmp_path / "news.bin"
    path.write_bytes(b"1 2\na " + np.array([1, np.inf], dtype="<f4").tobytes())
    with pytest.raises(InputError, match="line 1: found a vector of 'a' that is not finite"):
        list(read_binary(path, Faults()))
