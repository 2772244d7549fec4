import numpy as np
import pytest

from dragoman.embeddings.readers.numberbatch import parse_uri, read_numberbatch
from dragoman.errors import InputError
from dragoman.text.files import Faults
from published import MATRIX, WORDS, uris, write_text


def test_words_come_without_their_uris(tmp_path):
    path = write_text(tmp_path / "numberbatch-19.08.txt.gz", words=uris())
    rows = list(read_numberbatch(path, Faults()))
    assert [row.word for row in rows] == list(WORDS)
    np.testing.assert_array_equal(np.stack([row.vector for row in rows]), MATRIX)


def test_languages_are_told_apart(tmp_path):
    mixed = [*uris("fr")[:2], *uris("el")[2:3], *uris("zh")[3:4], *uris("en")[4:]]
    path = write_text(tmp_path / "numberbatch.txt", words=mixed)
    rows = read_numberbatch(path, Faults(), lambda _, language: language == "fr")
    assert [row.word for row in rows] == ["chat", "l'eau"]


def test_a_sense_behind_the_word_is_left_out(tmp_path):
    assert parse_uri(tmp_path, 1, "/c/en/bank/n/wn/group") == ("en", "bank")


@pytest.mark.parametrize("key", ["chat", "/c/fr", "/c//chat", "/d/fr/chat", "/c/fr/"])
def test_a_key_that_is_no_uri_is_named(key, tmp_path):
    with pytest.raises(InputError, match="expected a ConceptNet uri, as in /c/fr/chat"):
        parse_uri(tmp_path, 1, key)
