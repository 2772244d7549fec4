import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from dragoman.errors import InputError
from dragoman.lexicons.shipped_lexicons import PIVOT, shipped_languages
from dragoman.lexicons.surface_forms import (
    FILE,
    most_frequent_forms,
    pack_forms,
    shipped_forms,
    surface_form,
    unpack_forms,
)
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig

ANALYZER = Analyzer(AnalyzerConfig(stop=False))

words = st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1, max_size=200)


def test_the_form_written_most_often_is_shown():
    sentences = ["we see tides", "we see the tides", "the tide is high"]
    assert most_frequent_forms(sentences, [], "en", ANALYZER)["tide"] == "tides"


def test_of_equals_the_shorter_form_is_shown_then_the_first_by_letter():
    found = most_frequent_forms(["we walked and walks", "a boxes and a boxed"], [], "en", ANALYZER)
    assert found["walk"] == "walks"
    assert found["box"] == "boxed"


def test_the_capital_of_a_first_word_only_breaks_ties():
    sentences = ["Walks are long", "Walks are good", "I like walking", "Rome is old"]
    found = most_frequent_forms(sentences, ["bread"], "en", ANALYZER)
    assert found["walk"] == "walking"
    assert found["rome"] == "Rome"
    assert found["bread"] == "bread"


def test_a_stem_that_no_text_shows_has_no_form():
    assert most_frequent_forms([], [], "en", ANALYZER) == {}
    assert most_frequent_forms(["..."], [], "en", ANALYZER) == {}


@settings(max_examples=40)
@given(st.dictionaries(words, words, max_size=8), st.dictionaries(words, words, max_size=3))
def test_what_is_packed_is_unpacked(tmp_path_factory, first, second):
    path = tmp_path_factory.mktemp("forms") / "forms"
    path.write_bytes(pack_forms({"de": first, "fr": second}))
    for language, given_forms in (("de", first), ("fr", second)):
        kept = {stem: shown for stem, shown in given_forms.items() if stem != shown}
        assert unpack_forms(path, language) == kept
    assert unpack_forms(path, "it") == {}


def test_equal_forms_give_equal_bytes():
    given_forms = {"meer": "Meer", "mond": "Mond", "geh": "gehen"}
    backwards = dict(reversed(given_forms.items()))
    assert pack_forms({"de": given_forms}) == pack_forms({"de": backwards})


def test_a_broken_file_is_an_error_that_names_it(tmp_path):
    path = tmp_path / "forms"
    path.write_bytes(pack_forms({"de": {"meer": "Meer"}})[:-3])
    with pytest.raises(InputError, match="found a broken archive"):
        unpack_forms(path, "de")
    path.write_bytes(zstandard.compress(save({"version": np.array([9], dtype=np.uint8)})))
    with pytest.raises(InputError, match=r"found version \[9\]; expected version 1"):
        unpack_forms(path, "de")


def test_shipped_forms_are_small_and_serve_every_shipped_language():
    assert FILE.stat().st_size < 3_000_000
    for language in (PIVOT, *shipped_languages()):
        stemmed = bool(ANALYZER.describe(language).stemmer)
        assert len(shipped_forms(language)) > (1000 if stemmed else 0) or language in {
            "ja",
            "th",
            "zh",
        }


@pytest.mark.parametrize(
    ("language", "surface", "shown"),
    [("en", "happiness", "happy"), ("de", "meeren", "Meer"), ("fr", "nouvelles", "nouvelle")],
)
def test_shipped_forms_are_words_that_people_write(language, surface, shown):
    stem = ANALYZER(surface, language)[0]
    assert surface_form(stem, language) == shown


def test_a_stem_without_a_form_is_shown_as_it_is():
    assert surface_form("qqqq", "en") == "qqqq"
    assert surface_form("stem", "xx") == "stem"
