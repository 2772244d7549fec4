from itertools import islice, permutations

import pytest

from dragoman.systems.lexical.names import BLOCKED_ABOVE, MERGED_ABOVE, Names
from dragoman.systems.lexical.neighbours import (
    LARGEST_BLOCK,
    Neighbours,
    Spellings,
    nearest_names,
    nearest_spelling,
)
from dragoman.text.strings import Strings

WORDS = ("obama", "washington", "house", "houses", "hudumu", "panthers", "2016")


@pytest.fixture
def names():
    found = Names()
    found.observe(WORDS)
    return found


@pytest.mark.parametrize(("word", "nearest"), [("housesed", "houses"), ("anahudumu", "hudumu")])
def test_inflected_words_find_the_word_that_shares_a_beginning_or_an_end(word, nearest):
    assert nearest_spelling(word, Spellings(WORDS).candidates(word))[0] == nearest


def test_spellings_are_of_words_that_are_long_enough_and_not_too_many():
    assert Spellings(["sea", "2016a"]).candidates("2016a") == set()
    assert Spellings(["seas", "sea"]).candidates("sea") == set()
    many = [f"seas{'abcdefghij'[n % 10] * (n + 1)}" for n in range(LARGEST_BLOCK + 1)]
    assert Spellings(many).candidates("seaside") == set(many[:-1])


def test_words_that_are_too_different_are_no_neighbours():
    assert nearest_spelling("water", ["wanderer"]) is None
    assert nearest_spelling("water", ["waters"]) == ("waters", pytest.approx(10 / 11))


@pytest.mark.parametrize(
    ("word", "name"), [("обама", "obama"), ("вашингтон", "washington"), ("بانثرز", "panthers")]
)
def test_names_are_found_across_scripts(names, word, name):
    assert names.nearest(word)[0][0] == name


def test_numbers_and_empty_words_have_no_neighbours(names):
    assert names.nearest("2016") == names.nearest("") == []


def test_saved_and_loaded_and_grown_they_find_the_same(names, tmp_path):
    names.save(tmp_path, "en")
    again = Names.load(tmp_path, "en")
    assert again.nearest("обама") == names.nearest("обама")
    again.observe(["osama", "obama"])
    assert again.nearest("осама")[0][0] == "osama"


def test_words_that_join_stand_where_they_would_if_all_had_come_together():
    grown = Neighbours.of(Strings.pack(WORDS[:3])).with_more(WORDS[3:])
    together = Neighbours.of(Strings.pack(WORDS))
    assert list(grown.words) == list(together.words)
    assert grown.hashes.tobytes() == together.hashes.tobytes()
    assert grown.numbers.tobytes() == together.numbers.tobytes()


@pytest.mark.parametrize("count", [10, BLOCKED_ABOVE + 10])
def test_new_words_are_found_between_questions_however_many_there_are(count):
    names = Names()
    words = ["a".join(sounds) for sounds in islice(permutations("fklmnprst", 5), count)]
    for first in range(0, count, count // 2):
        names.observe(words[first : first + count // 2])
        assert names.nearest(words[first])[0] == (words[first], 1.0)
    assert all(names.nearest(word)[0] == (word, 1.0) for word in words[::100])


def test_an_answer_that_a_new_word_overtakes_is_not_remembered(names, monkeypatch):
    def while_words_come(word, candidates):
        names.observe(["osama"])
        return nearest_names(word, candidates)

    monkeypatch.setattr("dragoman.systems.lexical.names.nearest_names", while_words_come)
    assert "osama" not in dict(names.nearest("осама"))
    assert names.nearest("осама")[0] == ("osama", 1.0)


def test_many_new_words_join_the_packed_ones():
    names = Names()
    names.observe(f"{chr(97 + n % 26)}{'bdfgklmnprst'[n % 12]}{n}" for n in range(10))
    names.observe(
        "".join(chr(97 + (n // 26**p) % 26) for p in range(4)) for n in range(MERGED_ABOVE + 2)
    )
    names.observe(["obama"])
    assert names.nearest("обама")[0] == ("obama", 1.0)


def test_likeness_is_symmetric():
    for one in WORDS[:6]:
        for other in ("обама", "вашингтон", "بانثرز", "hause"):
            there, back = nearest_names(one, [other]), nearest_names(other, [one])
            assert [alike for _, alike in there] == [alike for _, alike in back]
