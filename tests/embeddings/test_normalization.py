import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.embeddings.normalization import (
    StopWordList,
    WordTokenizer,
    WordTokenizerConfig,
    normalize_word,
)
from dragoman.errors import ConfigError


@pytest.mark.parametrize(
    ("word", "language", "spelt"),
    [
        ("Λόγος", "el", "λόγοσ"),
        ("Straße", "de", "straße"),  # case folding would make it strasse, which no file has
        ("IŞIK", "tr", "ışık"),
        ("İzmir", "tr", "izmir"),
        ("İzmir", "en", "izmir"),
        ("ﬁle", "en", "file"),
    ],
)
def test_a_word_has_one_spelling(word, language, spelt):
    assert normalize_word(word, language) == spelt


@given(st.text(max_size=20), st.sampled_from(["en", "el", "tr", "de", ""]))
@settings(max_examples=200, deadline=None)
def test_spelling_twice_changes_nothing(word, language):
    assert normalize_word(normalize_word(word, language), language) == normalize_word(
        word, language
    )


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("The cat's 3 cats sat on the mat, v. 2.0!", "en", ["cat", "cats", "sat", "mat"]),
        ("L’eau qu'il boit", "fr", ["eau", "boit"]),
        ("Ο λόγος της Ελλάδας είναι", "el", ["λόγοσ", "ελλάδασ"]),
        ("mp3 42 x", "en", ["mp3"]),
        ("", "en", []),
    ],
)
def test_the_papers_preparation(text, language, words):
    listed = WordTokenizer(WordTokenizerConfig(stop=StopWordList.LISTED))
    assert listed(text, language) == words


def test_every_part_can_be_switched_off():
    bare = WordTokenizerConfig(stop=StopWordList.NONE, numbers=True, shortest=1)
    assert WordTokenizer(bare)("The cat is 3", "en") == ["the", "cat", "is", "3"]


def test_the_short_list_keeps_long_stop_words():
    listed = WordTokenizer(WordTokenizerConfig(stop=StopWordList.LISTED))
    assert WordTokenizer()("the computer of the world", "en") == ["computer", "world"]
    assert listed("the computer of the world", "en") == []


def test_text_without_blanks_keeps_its_pieces():
    assert WordTokenizer(WordTokenizerConfig(stop=StopWordList.NONE))("北京 山", "zh") == [
        "北京",
        "山",
    ]


def test_signatures_differ_with_the_settings():
    kinds = [WordTokenizerConfig(stop=stop) for stop in StopWordList]
    kinds += [WordTokenizerConfig(numbers=True), WordTokenizerConfig(shortest=3)]
    assert len({WordTokenizer(config).signature for config in kinds}) == len(kinds)


def test_a_word_has_at_least_one_character():
    with pytest.raises(ConfigError, match="shortest must be at least 1, got 0"):
        WordTokenizerConfig(shortest=0)
