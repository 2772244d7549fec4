"""First sentences, and queries made of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.text.collections.sentences import (
    WORD,
    first_sentence,
    fold_text,
    sentences,
    without_title_words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One here. Two there.", ["One here.", "Two there."]),
        ("It reads files, e.g. PNG ones. Quick!", ["It reads files, e.g. PNG ones.", "Quick!"]),
        (
            "Set in 500 B.C. Greece, i.e. Athens. Fun.",
            ["Set in 500 B.C. Greece, i.e. Athens.", "Fun."],
        ),
        ("Version 2.5 is out. See node.js docs.", ["Version 2.5 is out.", "See node.js docs."]),
        ("Это игра. Она быстрая.", ["Это игра.", "Она быстрая."]),
        ("これはゲームです。速いです。", ["これはゲームです。", "速いです。"]),
        ("È rapido. Élan vital.", ["È rapido.", "Élan vital."]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_sentences(text, expected):
    assert sentences(text) == expected


@given(st.text(alphabet="ab. !?。AÉя\n", max_size=60))
def test_no_letter_is_lost_or_made_up(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_the_first_sentence_is_taken_from_the_first_paragraph_that_has_one():
    assert first_sentence(["", "A first one. A second.", "Other."]) == "A first one."
    assert first_sentence([]) == ""


@pytest.mark.parametrize(
    ("sentence", "title", "expected"),
    [
        # Sasaki et al.: the title's words go, the rest stays in order
        (
            "Gimp is an advanced picture editor for photo retouching.",
            "gimp GNU Image Manipulation Program",
            "is an advanced picture editor for photo retouching",
        ),
        (
            "A free, real-time strategy game of ancient warfare with elephants and catapults.",
            "0ad Real-time strategy game of ancient warfare",
            "A free with elephants and catapults",
        ),
        ("Foo is the bar.", "foo bar", ""),  # nothing is left to ask
        ("FOO reads Images quickly everywhere.", "foo", "reads Images quickly everywhere"),
    ],
)
def test_without_title_words(sentence, title, expected):
    assert without_title_words(sentence, title) == expected


@given(st.text(max_size=80), st.text(max_size=40))
def test_a_query_holds_no_word_of_the_title(sentence, title):
    query = without_title_words(sentence, title)
    title_words = {word.casefold() for word in WORD.findall(title)}
    assert not title_words & {word.casefold() for word in query.split()}


def test_folding_evens_out_case_and_space():
    assert fold_text("  The\tFiles \n") == fold_text("the files")
