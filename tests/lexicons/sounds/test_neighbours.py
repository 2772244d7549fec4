import pytest

from dragoman.lexicons.sounds.neighbours import (
    LARGEST_BLOCK,
    SpellingIndex,
    nearest_spelling,
    same_names,
)

WORDS = ("obama", "washington", "house", "houses", "hudumu", "panthers", "2016")


@pytest.mark.parametrize(("word", "nearest"), [("housesed", "houses"), ("anahudumu", "hudumu")])
def test_inflected_words_find_the_word_that_shares_a_beginning_or_an_end(word, nearest):
    assert nearest_spelling(word, SpellingIndex(WORDS).candidates(word))[0] == nearest


def test_spellings_are_of_words_that_are_long_enough_and_not_too_many():
    assert SpellingIndex(["sea", "2016a"]).candidates("2016a") == set()
    assert SpellingIndex(["seas", "sea"]).candidates("sea") == set()
    many = [f"seas{'abcdefghij'[n % 10] * (n + 1)}" for n in range(LARGEST_BLOCK + 1)]
    assert SpellingIndex(many).candidates("seaside") == set(many[:-1])


def test_words_that_are_too_different_are_no_neighbours():
    assert nearest_spelling("water", ["wanderer"]) is None
    assert nearest_spelling("water", ["waters"]) == ("waters", pytest.approx(10 / 11))


@pytest.mark.parametrize(
    ("word", "name"), [("обама", "obama"), ("вашингтон", "washington"), ("بانثرز", "panthers")]
)
def test_names_are_recognised_across_scripts(word, name):
    assert [other for other, _ in same_names(word, WORDS)] == [name]


def test_more_letters_must_be_equal_where_consonants_sound_different():
    # each shares four letters of six in order, the first one all consonants
    assert same_names("banana", ["benuna", "bamama"]) == [("benuna", pytest.approx(2 / 3))]


def test_likeness_is_symmetric():
    for one in WORDS[:6]:
        for other in ("обама", "вашингтон", "بانثرز", "hause"):
            there, back = same_names(one, [other]), same_names(other, [one])
            assert [alike for _, alike in there] == [alike for _, alike in back]
