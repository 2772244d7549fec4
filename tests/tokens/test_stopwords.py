import pytest
import stopwordsiso

from dragoman.text.languages import canonical
from dragoman.tokens.analyzer import Analyzer
from dragoman.tokens.stopwords import CONTENT_WORDS, MOST_LETTERS, full_list, stop_words, version


@pytest.mark.parametrize("language", sorted(stopwordsiso.langs()))
def test_every_list_is_under_a_canonical_code(language):
    assert canonical(language) == language
    assert full_list(language) == stopwordsiso.stopwords(language)
    assert stop_words(language) < full_list(language) or language == "th"
    assert all(0 < sum(map(str.isalpha, w)) <= MOST_LETTERS for w in stop_words(language))


def test_function_words_stop_and_subjects_do_not():
    assert {"the", "of", "and", "is"} <= stop_words("en")
    assert not {"computer", "world", "invention"} & stop_words("en")
    assert {"computer", "world", "invention"} <= full_list("en")


@pytest.mark.parametrize("language", CONTENT_WORDS)
def test_short_words_that_name_a_subject_are_listed_and_stay(language):
    assert CONTENT_WORDS[language] <= full_list(language)
    assert not CONTENT_WORDS[language] & stop_words(language)
    analyse = Analyzer()
    assert all(analyse(word, language) for word in CONTENT_WORDS[language])


def test_a_house_is_no_stop_word():
    for language, house in (("hi", "घर"), ("ru", "дом"), ("vi", "nhà")):
        assert Analyzer()(house, language)


def test_a_language_without_list_has_none():
    assert full_list("luo") == stop_words("luo") == frozenset()


def test_the_version_is_named():
    assert version().startswith("stopwordsiso 0.")
