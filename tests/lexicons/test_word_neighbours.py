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


def test_a_word_is_most_similar_to_itself(packed):
    similar = dict(unpack_neighbours(packed).similar("king"))
    assert similar == pytest.approx({"king": 1.0, "queen": 0.8, "water": 0.2})


def test_neighbours_that_are_not_similar_are_left_out(packed):
    neighbours = unpack_neighbours(packed)
    assert [word for word, _ in neighbours.similar("queen")] == ["queen", "king"]
    assert [word for word, _ in neighbours.similar("water")] == ["water", "king"]


def test_a_word_that_is_not_listed_is_similar_to_itself_alone(packed):
    assert unpack_neighbours(packed).similar("ocean") == (("ocean", 1.0),)


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
    assert "monarch" in dict(shipped.similar("king"))
    assert {"kitchen", "meal"} & dict(shipped.similar("cook")).keys()
    assert all(0 < alike <= 1 for _, alike in shipped.similar("water"))
