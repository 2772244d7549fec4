import pytest
import stopwordsiso

from dragoman.text.languages import canonical
from dragoman.tokens.stopwords import MOST_LETTERS, listed, stop_words, version


@pytest.mark.parametrize("language", sorted(stopwordsiso.langs()))
def test_every_list_is_under_a_canonical_code(language):
    assert canonical(language) == language
    assert listed(language) == stopwordsiso.stopwords(language)
    assert stop_words(language) < listed(language) or language == "th"
    assert all(0 < sum(map(str.isalpha, w)) <= MOST_LETTERS for w in stop_words(language))


def test_function_words_stop_and_subjects_do_not():
    assert {"the", "of", "and", "is"} <= stop_words("en")
    assert not {"computer", "world", "invention"} & stop_words("en")
    assert {"computer", "world", "invention"} <= listed("en")


def test_a_language_without_list_has_none():
    assert listed("luo") == stop_words("luo") == frozenset()


def test_the_version_is_named():
    assert version().startswith("stopwordsiso 0.")
