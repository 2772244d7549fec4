import numpy as np
import pytest

from dragoman.embeddings.encoder_vectors import cache_name, encode_words
from dragoman.encoders.family import EncoderFamily


class Counting:
    """A family that remembers what it was asked to encode."""

    def __init__(self, family):
        self.family, self.asked = family, []

    def __getattr__(self, name):
        return getattr(self.family, name)

    def encode(self, texts, *advance):
        self.asked += [text.body for text in texts]
        return self.family.encode(texts, *advance)


@pytest.fixture
def family(toy):
    teacher = toy("en", {"water": 0, "fire": 1, "tree": 2})
    return Counting(EncoderFamily(teacher, [toy("sw", {"maji": 0, "moto": 1})]))


def test_words_of_all_languages_share_a_space(family, tmp_path):
    english = encode_words(["fire", "water"], "en", family, cache=tmp_path)
    swahili = encode_words(["maji", "moto"], "sw", family, cache=tmp_path)
    assert (english.language, swahili.language) == ("en", "sw")
    nearest = (swahili.matrix @ english.matrix.T).argmax(axis=1)
    assert [english.words[row] for row in nearest] == ["water", "fire"]


def test_rows_have_length_one_and_the_order_asked_for(family, tmp_path):
    found = encode_words(["tree", "water", "tree"], "en", family, cache=tmp_path)
    assert list(found.words) == ["tree", "water"]
    assert found.matrix.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found.matrix, axis=1), 1, rtol=1e-6)


def test_only_new_words_are_encoded(family, tmp_path):
    first = encode_words(["water", "fire"], "en", family, cache=tmp_path)
    told = []
    second = encode_words(
        ["tree", "water"],
        "en",
        family,
        cache=tmp_path,
        advance=lambda n=1: told.append(n),
    )
    assert family.asked == ["water", "fire", "tree"]
    assert sum(told) == 1
    np.testing.assert_array_equal(second.matrix[1], first.matrix[0])


def test_a_word_without_letters_has_no_vector(family, tmp_path):
    assert list(encode_words(["!", "water"], "en", family, cache=tmp_path).words) == ["water"]
    assert len(encode_words(["!"], "sw", family, cache=tmp_path)) == 0


def test_another_reader_keeps_its_words_elsewhere(toy, tmp_path):
    teacher = toy("en", {"water": 0})
    alone, taught = EncoderFamily(teacher), EncoderFamily(teacher, [toy("sw", {"maji": 0})])
    assert cache_name("sw", alone) != cache_name("sw", taught)
    assert cache_name("en", alone) == cache_name("en", taught)


def test_the_cache_is_dragomans_own_unless_named(family, tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path))
    encode_words(["water"], "en", family)
    assert (tmp_path / "words" / cache_name("en", family)).is_dir()


def test_german_words_are_read_in_both_spellings(family, tmp_path):
    told = []
    encode_words(
        ["water"],
        "de",
        family,
        cache=tmp_path,
        advance=lambda steps=1: told.append(steps),
    )
    assert family.asked == ["water", "Water"]
    assert sum(told) == 1
