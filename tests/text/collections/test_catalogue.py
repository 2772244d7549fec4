"""What may be asked for."""

import pytest

from dragoman.errors import ConfigError, UnknownLanguage
from dragoman.text.collections.catalogue import BuildRequest, parse_languages


def test_languages_keep_the_tag_that_was_asked_for():
    assert parse_languages("en, ita,pt-BR") == {"en": "en", "it": "ita", "pt": "pt-BR"}
    assert BuildRequest(languages=parse_languages("it,en,de")).others == ("it", "de")


@pytest.mark.parametrize("text", ["it,de", "en", "", "en,en"])
def test_english_and_another_language_are_needed(text):
    with pytest.raises(ConfigError, match="expected en and at least one more"):
        parse_languages(text)


def test_two_tags_of_one_language_and_unknown_codes_are_refused():
    with pytest.raises(ConfigError, match="'pt' and 'pt-BR', both 'pt'"):
        parse_languages("en,pt,pt-BR")
    with pytest.raises(UnknownLanguage, match="zz9"):
        parse_languages("en,zz9")


def test_files_that_are_there_and_apt_exclude_each_other(tmp_path):
    with pytest.raises(ConfigError, match="--state with --lists or --debs"):
        BuildRequest(languages={"en": "en", "it": "it"}, state=tmp_path, lists=tmp_path)


def test_negatives_may_be_none_but_not_fewer():
    assert BuildRequest(languages={"en": "en", "it": "it"}, negatives=0).negatives == 0
    with pytest.raises(ConfigError, match="Found -1"):
        BuildRequest(languages={"en": "en", "it": "it"}, negatives=-1)
