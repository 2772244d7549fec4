import numpy as np
import pytest
import zstandard
from safetensors.numpy import save

from dragoman.errors import InputError
from dragoman.lexicons.word_neighbours import (
    pack_neighbours,
    shipped_neighbours,
    unpack_neighbours,
)

WORDS = ("king", "queen", "water")
NEIGHBOURS = np.array([[1, 2], [0, 2], [0, 1]])
SIMILARITIES = np.array([[0.8, 0.2], [0.8, 0.0], [0.2, -0.1]])


@pytest.fixture
def packed(tmp_path):
    path = tmp_path / "neighbours"
    path.write_bytes(pack_neighbours(WORDS, NEIGHBOURS, SIMILARITIES))
    return path


def similar(neighbours, *words):
    """The neighbours of words with their similarities, in order."""
    numbers, similarities = neighbours.similar_to_any(words)
    named = [neighbours.words[number] for number in numbers.tolist()]
    return [*zip(named, similarities.tolist(), strict=True)]


def test_the_nearest_neighbours_come_first(packed):
    assert similar(unpack_neighbours(packed), "king") == [("queen", 0.8), ("water", 0.2)]


def test_neighbours_that_are_not_similar_are_left_out(packed):
    neighbours = unpack_neighbours(packed)
    assert similar(neighbours, "queen") == [("king", 0.8)]
    assert similar(neighbours, "water") == [("king", 0.2)]


def test_the_neighbours_of_several_words_are_ranked_together(packed):
    found = similar(unpack_neighbours(packed), "water", "king")
    assert found == [("queen", 0.8), ("king", 0.2), ("water", 0.2)]


def test_a_word_that_is_not_listed_has_no_neighbours(packed):
    assert similar(unpack_neighbours(packed), "ocean") == []


def test_equal_neighbours_give_equal_bytes(packed):
    assert packed.read_bytes() == pack_neighbours(WORDS, NEIGHBOURS, SIMILARITIES)


def test_another_version_is_refused(tmp_path):
    path = tmp_path / "neighbours"
    tensors = {"version": np.array([9], np.uint8)}
    path.write_bytes(zstandard.ZstdCompressor().compress(save(tensors)))
    with pytest.raises(InputError, match="version"):
        unpack_neighbours(path)


def test_shipped_neighbours_mean_nearly_the_same():
    shipped = shipped_neighbours()
    assert "monarch" in dict(similar(shipped, "king"))
    assert {"kitchen", "meal"} & dict(similar(shipped, "cook")).keys()
    assert all(0 < alike <= 1 for _, alike in similar(shipped, "water"))
