"""Names by sound, packed and compiled: the answers of ``nearest_names``, whatever the script."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.systems.lexical import comparing
from dragoman.systems.lexical.neighbours import (
    LARGEST_BLOCK,
    Neighbours,
    nearest_names,
)
from dragoman.systems.lexical.sounds import Sounds, sound_number
from dragoman.text.strings import Strings

WORDS = (
    *("obama", "osama", "washington", "vashington", "panther", "panthers", "pantera", "2016"),
    *("обама", "вашингтон", "αθηνα", "ουασινγκτον", "بانثرز", "اوباما", "विक्टोरिया", "victoria"),
    *(
        "मिशेल",
        "वर्ष",
        "東京",
        "กรุงเทพ",
        "straße",
        "strasse",
        "k" * 70,
        "tok" * 30,
        "acgt" * 3000,
        "",
    ),
)
LETTERS = "abdeiknoprstzβδθкнтبنتर्टกท"


def by_rapidfuzz(word, words):
    return nearest_names(word, Neighbours.of(Strings.pack(words)).candidates(word))


@pytest.mark.parametrize("word", [*WORDS, "panterz", "вошингтон", "mitchell", "warschaus"])
def test_the_answers_are_those_of_comparing_strings(word):
    assert Sounds.of(Strings.pack(WORDS)).nearest(word) == by_rapidfuzz(word, WORDS)


@given(
    st.lists(st.text(LETTERS, min_size=2, max_size=9), unique=True, max_size=60),
    st.text(LETTERS, min_size=2, max_size=9),
)
@settings(max_examples=80, deadline=None)
def test_random_words_get_the_same_answers(words, word):
    sounds = Sounds.of(Strings.pack(words))
    for asked in (word, *words[:5]):
        assert sounds.nearest(asked) == by_rapidfuzz(asked, words)


def test_of_a_large_block_the_first_words_count():
    middles = [f"{a}{b}{c}" for a in "aeiou" for b in "aeiouy" for c in "aeiouy"]
    words = [f"t{one}p{other}" for one in middles[:40] for other in middles[:40]]
    assert len(words) > LARGEST_BLOCK
    for word in (words[0], words[LARGEST_BLOCK + 1], "tip"):
        assert Sounds.of(Strings.pack(words)).nearest(word) == by_rapidfuzz(word, words)


def test_saved_and_mapped_again_they_answer_alike(tmp_path):
    words = Strings.pack(WORDS)
    sounds = Sounds.of(words)
    sounds.save(tmp_path, "en")
    again = Sounds.load(tmp_path, "en", words)
    for word in ("обама", "panterz", "بانثرز"):
        assert again.nearest(word) == sounds.nearest(word) != []


def test_no_words_have_no_neighbours():
    assert Sounds.of(Strings.pack(())).nearest("obama") == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("panther", "panthers", False), ("panther", "pantera", True), ("обама", "obama", True)],
)
def test_words_have_one_number_when_they_sound_the_same(one, other, same):
    assert (sound_number(one) == sound_number(other)) is same


def test_the_comparison_is_compiled_before_the_first_query():
    assert comparing.alike.signatures
    assert not comparing.alike._can_compile, "an explicit signature leaves nothing to compile later"
