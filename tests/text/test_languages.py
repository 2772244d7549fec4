import string

import langcodes
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError, UnknownLanguage
from dragoman.text import languages
from dragoman.text.languages import canonical, name, parse_list, parse_pair

ISO_639_1 = [
    first + second
    for first in string.ascii_lowercase
    for second in string.ascii_lowercase
    if langcodes.tag_is_valid(first + second)
]


@pytest.mark.parametrize(
    ("given_code", "expected"),
    [
        ("en", "en"),
        ("EN", "en"),
        (" de ", "de"),
        ("deu", "de"),
        ("ger", "de"),
        ("de-AT", "de"),
        ("pt_BR", "pt"),
        ("zh-Hant-TW", "zh"),
        ("zho", "zh"),
        ("cmn", "zh"),
        ("zh-cmn", "zh"),
        ("arb", "ar"),
        ("swh", "sw"),
        ("swa", "sw"),
        ("nob", "no"),
        ("nb-NO", "no"),
        ("nn", "no"),
        ("fil", "tl"),
        ("tgl", "tl"),
        ("iw", "he"),
        ("in", "id"),
        ("ji", "yi"),
        ("mo", "ro"),
        ("hbs", "sr"),
        ("srp", "sr"),
        ("pes", "fa"),
        ("zsm", "ms"),
        ("ekk", "et"),
        ("lvs", "lv"),
        ("npi", "ne"),
        ("uzn", "uz"),
        ("khk", "mn"),
        ("als", "sq"),
        ("som", "so"),
        ("yue", "yue"),
        ("ceb", "ceb"),
        ("i-klingon", "tlh"),
    ],
)
def test_codes_of_every_standard_come_out_canonical(given_code, expected):
    assert canonical(given_code) == expected


@pytest.mark.parametrize(
    "code", ["", "x", "qq", "xx", "qaa", "qtz", "und", "mul", "english", "e n", "en--", "12"]
)
def test_what_is_no_language_is_refused_by_name(code):
    with pytest.raises(UnknownLanguage, match="ISO 639-1"):
        canonical(code)


def test_codes_with_a_name_are_canonical_by_the_tables_of_all_codes():
    named = languages._names()
    assert [canonical(code.upper()) for code in named] == [*named]  # not to be found as it stands


@given(st.text(max_size=12))
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_language_or_refused(text):
    try:
        code = canonical(text)
    except UnknownLanguage:
        return
    assert canonical(code) == code


@pytest.mark.parametrize("code", ISO_639_1)
def test_two_letter_codes_have_a_name_and_agree_with_three_letters(code):
    assert name(code) not in {code, ""}
    assert canonical(langcodes.Language.get(code).to_alpha3()) == canonical(code)


def test_names():
    assert [name(code) for code in ("de", "swh", "zh-TW", "fil")] == [
        *("German", "Swahili", "Chinese", "Tagalog")
    ]
    assert name("tlh") == "tlh"  # no name in our table: the code says more than a guess


def test_a_pair_is_two_languages():
    assert parse_pair("en-swh") == ("en", "sw")
    for text in ("en", "en-sw-de", ""):
        with pytest.raises(ConfigError, match="two codes joined by a hyphen"):
            parse_pair(text)
    with pytest.raises(ConfigError, match="names English twice"):
        parse_pair("en-eng")
    with pytest.raises(UnknownLanguage, match="'qq'"):
        parse_pair("en-qq")


def test_a_list_names_each_language_once():
    assert parse_list("en, fra ,en-GB,sw,") == ("en", "fr", "sw")
    with pytest.raises(ConfigError, match="no language"):
        parse_list(" , ")
