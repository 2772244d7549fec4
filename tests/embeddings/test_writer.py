import numpy as np
import pytest

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.embeddings.writer import WordVectorsWriter


def test_blocks_come_back_as_one_matrix(tmp_path):
    rows = np.eye(5, dtype=np.float32)
    with WordVectorsWriter(tmp_path / "en", "en", {"seed": 1}) as writer:
        writer.write(["a", "b"], rows[:2])
        writer.write(["c", "d", "e"], rows[2:])
    opened = WordVectors.open(tmp_path / "en")
    assert list(opened.words) == list("abcde")
    np.testing.assert_array_equal(opened.matrix, rows)


def test_an_interrupted_writing_leaves_nothing(tmp_path):
    def interrupted():
        with WordVectorsWriter(tmp_path / "en", "en", {}) as writer:
            writer.write(["a"], np.eye(1, 3, dtype=np.float32))
            raise KeyboardInterrupt("stopped")

    with pytest.raises(KeyboardInterrupt, match="stopped"):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_the_header_has_room_for_a_million_rows(tmp_path):
    row = np.eye(1, 2, dtype=np.float32)
    with WordVectorsWriter(tmp_path / "en", "en", {}) as writer:
        block = np.repeat(row, 100_000, axis=0)
        for number in range(11):
            writer.write([f"{number}-{i}" for i in range(100_000)], block)
    assert WordVectors.open(tmp_path / "en").matrix.shape == (1_100_000, 2)
