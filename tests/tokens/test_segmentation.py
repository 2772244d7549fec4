import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.tokens.segmentation import (
    UNSPACED,
    Apostrophe,
    bigrams,
    chunks,
    clean,
    is_plain_word,
    runs,
    spaced_words,
)


@pytest.mark.parametrize(
    ("apostrophe", "expected"),
    [
        (Apostrophe.KEEPS, ["rock'n'roll"]),
        (Apostrophe.SPLITS, ["rock", "n", "roll"]),
        (Apostrophe.CUTS, ["rock"]),
    ],
)
def test_an_apostrophe_does_what_the_language_says(apostrophe, expected):
    assert spaced_words("rock'n'roll", apostrophe) == expected
    assert spaced_words("'rock'n'roll'", apostrophe) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1,234", ["1234"]),
        ("1.234.567", ["1234567"]),
        ("1'000'000", ["1000000"]),
        ("1,234.5", ["1234.5"]),
        ("1.234,5", ["1234.5"]),
        ("3,14", ["3.14"]),
        ("0.123", ["0.123"]),
        ("2.13.0", ["2.13.0"]),
        ("1,2,3", ["1", "2", "3"]),
        ("10,5cm", ["10", "5cm"]),
        ("2020.01.02", ["2020.01.02"]),
    ],
)
def test_numbers(written, expected):
    assert spaced_words(written, Apostrophe.KEEPS) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("C++", ["C++"]),
        ("C#", ["C#"]),
        ("C++11", ["C", "11"]),
        ("word#", ["word"]),
        ("a+b", ["a", "b"]),
        ("example.com", ["example", "com"]),
        ("U.S.A", ["USA"]),
        ('צה"ל', ["צהל"]),
        ('say"hi', ["say", "hi"]),
        ("a·b", ["a", "b"]),
        ("l·l", ["l·l"]),
        ("...", []),
    ],
)
def test_joiners_join_only_where_writing_does(written, expected):
    assert spaced_words(written, Apostrophe.KEEPS) == expected


def test_bigrams_by_hand():
    assert bigrams("日本語") == ["日本", "本語"]
    assert bigrams("日") == ["日"]
    assert bigrams("") == []
    assert bigrams("ที่นี่") == ["ที่นี่"]  # two letters, each with its marks
    assert bigrams("ខ្មែរ") == ["ខ្មែរ"]  # a subscript consonant belongs to the one above


def test_scripts_part_company_inside_a_chunk():
    assert list(runs("Python怎么装2")) == [("Python", False), ("怎么装", True), ("2", False)]


@given(st.text(st.characters(codec="utf-8"), max_size=40))
@settings(max_examples=300, deadline=None)
def test_chunks_hold_every_letter_and_digit_of_the_text(text):
    kept = [char for char in "".join(chunks(text)) if char.isalnum()]
    assert chunks(" ".join(chunks(text))) == chunks(text)
    if text.isascii():
        assert kept == [char for char in text if char.isalnum()]


@given(
    st.text(st.characters(categories=["L", "Mn", "Mc", "Nd", "Cf", "Po"]), min_size=1, max_size=9)
)
@settings(max_examples=300, deadline=None)
def test_a_plain_word_is_one_that_nothing_would_cut(text):
    for chunk in chunks(text):
        if is_plain_word(chunk):
            assert not UNSPACED.search(chunk)
            assert spaced_words(clean(chunk), Apostrophe.SPLITS) == [chunk]
