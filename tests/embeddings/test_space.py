import numpy as np
import pytest

from dragoman.embeddings.space import WordSpace
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError
from dragoman.lexicons.vocabulary import ABSENT

AXES = np.eye(8, dtype=np.float32)
ENGLISH = WordVectors("en", ("Transition", "cat", "transition", "chat"), AXES[:4])
FRENCH = WordVectors("fr", ("chat", "transition"), AXES[4:6])


@pytest.fixture
def space():
    return WordSpace.stack([FRENCH, ENGLISH])


def test_rows_of_all_languages_stand_in_one_matrix(space):
    assert space.languages == ("fr", "en")
    for word, language, axis in (("chat", "fr", 4), ("cat", "en", 1), ("chat", "en", 3)):
        (row,) = space.rows([word], language)
        np.testing.assert_array_equal(space.points[row], AXES[axis])


def test_words_spelt_alike_stand_for_the_first(space):
    (row,) = space.rows(["transition"], "en")
    assert space.words[row] == "Transition"


def test_an_unknown_word_or_language_has_no_row(space):
    assert space.rows(["dog"], "en").tolist() == [ABSENT]
    assert space.rows(["cat", "chat"], "de").tolist() == [ABSENT, ABSENT]


def test_identical_words_take_the_vector_of_the_larger_dictionary(space):
    collapsed = space.collapsed()
    for word in ("transition", "chat"):
        assert collapsed.rows([word], "fr") == space.rows([word], "en")
        assert collapsed.rows([word], "en") == space.rows([word], "en")
    assert collapsed.rows(["cat"], "fr").tolist() == [ABSENT]
    assert space.rows(["chat"], "fr") != space.rows(["chat"], "en")


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([], "found no word vectors"),
        ([ENGLISH, ENGLISH], "found a language twice in en, en"),
        ([ENGLISH, WordVectors("fr", ("a",), AXES[:1, :4])], "en: 8, fr: 4"),
    ],
)
def test_what_makes_no_space_is_refused(vectors, message):
    with pytest.raises(ConfigError, match=message):
        WordSpace.stack(vectors)
