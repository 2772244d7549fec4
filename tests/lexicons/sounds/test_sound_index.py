"""Names by sound: the answers of ``same_names`` in either form, whatever the script."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import compilation
from dragoman.lexicons.sounds import similarity
from dragoman.lexicons.sounds.blocks import is_word, sound_blocks
from dragoman.lexicons.sounds.neighbours import same_names
from dragoman.lexicons.sounds.sound_index import SoundIndex, key_number, sound_arrays
from dragoman.lexicons.sounds.transliteration import sound_key

WORDS = (
    *("obama", "osama", "washington", "vashington", "panther", "panthers", "pantera", "2016"),
    *("обама", "вашингтон", "αθηνα", "ουασινγκτον", "بانثرز", "اوباما", "विक्टोरिया", "victoria"),
    *("मिशेल", "वर्ष", "東京", "กรุงเทพ", "straße", "strasse"),
    *("k" * 70, "tok" * 30, "acgt" * 3000, ""),
)
LETTERS = "abdeiknoprstzβδθкнтبنتर्टกท"

words_of_all_scripts = st.text(LETTERS, min_size=2, max_size=9)


@pytest.fixture(params=[False, True], ids=["rapidfuzz", "compiled"])
def form(request, monkeypatch):
    monkeypatch.setattr(compilation, "is_enabled", lambda: request.param)


def index_of(words):
    return SoundIndex(sound_arrays(words))


def by_definition(word, words):
    """Of the words that share a block of sounds, those that may be the same name."""
    blocks = {*sound_blocks(word)} if is_word(word) else set()
    near = {other for other in words if is_word(other) and blocks & {*sound_blocks(other)}}
    return same_names(word, near)


@pytest.mark.usefixtures("form")
@pytest.mark.parametrize("word", [*WORDS, "panterz", "вошингтон", "mitchell", "warschaus"])
def test_the_answers_are_those_of_comparing_strings(word):
    assert index_of(WORDS).same_names(word) == by_definition(word, WORDS)


@pytest.mark.parametrize("compiled", [False, True])
@given(words=st.lists(words_of_all_scripts, unique=True, max_size=60), word=words_of_all_scripts)
@settings(max_examples=80, deadline=None)
def test_random_words_get_the_same_answers(compiled, words, word):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compilation, "is_enabled", lambda: compiled)
        index = index_of(words)
        for wanted in (word, *words[:5]):
            assert index.same_names(wanted) == by_definition(wanted, words)


@pytest.mark.usefixtures("form")
def test_every_word_of_a_large_block_counts():
    middles = [f"{a}{b}{c}" for a in "aeiou" for b in "aeiouy" for c in "aeiouy"]
    words = [f"t{one}p{other}" for one in middles[:40] for other in middles[:40]]
    index = index_of(words)
    for word in (words[0], words[-1], "tip"):
        assert index.same_names(word) == by_definition(word, words)


@pytest.mark.usefixtures("form")
@pytest.mark.parametrize(
    ("word", "name"), [("обама", "obama"), ("вашингтон", "washington"), ("بانثرز", "panthers")]
)
def test_names_are_found_across_scripts(word, name):
    assert index_of(["obama", "washington", "panthers"]).same_names(word)[0][0] == name


@pytest.mark.usefixtures("form")
def test_numbers_and_empty_words_have_no_neighbours():
    index = index_of(WORDS)
    assert index.same_names("2016") == index.same_names("") == []


def test_the_arrays_do_not_depend_on_the_order_of_the_words():
    forwards, backwards = sound_arrays(WORDS), sound_arrays(WORDS[::-1])
    for name, array in forwards.items():
        assert np.array_equal(array, backwards[name]), name


@pytest.mark.usefixtures("form")
def test_no_words_have_no_neighbours():
    assert index_of(()).same_names("obama") == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("panther", "panthers", False), ("panther", "pantera", True), ("обама", "obama", True)],
)
def test_words_have_one_number_when_they_sound_the_same(one, other, same):
    assert (key_number(sound_key(one)) == key_number(sound_key(other))) is same


def test_the_comparison_is_compiled_before_the_first_query():
    assert similarity.similar_rows.signatures
    assert not similarity.similar_rows._can_compile, (
        "an explicit signature leaves nothing to compile later"
    )
