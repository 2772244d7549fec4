"""Near-copies by the runs of letters that texts share."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.indexes.search.copies import common_share, copies, run_counts
from dragoman.types import Document

TEXT = (
    "The tide rises and falls twice a day, because the moon pulls at the sea. Where the coast is a"
    " narrow bay, the water can rise by sixteen metres. Fishermen have known the times of high"
    " water for as long as there have been boats, and harbours print them in tables every year."
)
RUSSIAN = (
    "Прилив поднимается и спадает дважды в день, потому что луна притягивает море. В узком заливе"
    " вода может подняться на шестнадцать метров. Рыбаки знают время полной воды с тех пор, как"
    " появились лодки, и каждый год порты печатают таблицы приливов для моряков и рыбаков."
)
CHINESE = "潮水每天涨落两次，因为月亮吸引着海水。在狭窄的海湾里，水位可以上升十六米。" * 2


def document(text: str, title: str = "") -> Document:
    return Document("d", text, title, "en")


@pytest.mark.parametrize("text", [TEXT, RUSSIAN, CHINESE, "ja"])
def test_the_same_words_with_other_spaces_and_capitals_are_a_copy(text):
    other = "\n\n" + text.upper().replace(" ", "  \n")
    assert copies([document(text), document(other)]) == [(0, 1)]


@pytest.mark.parametrize("text", [TEXT, RUSSIAN])
def test_a_word_that_differs_makes_no_other_document_but_half_a_text_does(text):
    words = text.split()
    edited = " ".join([*words[:20], "x", *words[21:]])
    half = " ".join([*words[: len(words) // 2], *reversed(words[len(words) // 2 :])])
    assert copies([document(text), document(edited)]) == [(0, 1)]
    assert copies([document(text), document(half)]) == []


def test_texts_of_different_lengths_are_no_copies():
    assert copies([document(TEXT), document(TEXT + TEXT)]) == []


def test_different_titles_tell_equal_texts_apart_and_a_missing_title_does_not():
    titled = document(TEXT, "Tides in May")
    assert copies([titled, document(TEXT, "Tides in June")]) == []
    assert copies([titled, document(TEXT, "tides  in may")]) == [(0, 1)]
    assert copies([titled, document(TEXT)]) == [(0, 1)]


def test_documents_without_text_are_no_copies_of_each_other():
    assert copies([document(""), document(" "), document("", "Title")]) == []


def test_of_a_long_text_the_end_counts_as_well():
    long = " ".join(f"{TEXT} {number}" for number in range(100))
    other = long[: len(long) // 2] + " ".join(f"word{number}" for number in range(2_500))
    same_length = other[: len(long)]
    assert copies([document(long), document(same_length)]) == []
    assert copies([document(long), document(long)]) == [(0, 1)]


def test_pairs_are_positions_whatever_the_lengths():
    bread = "Bread rises because of yeast."
    texts = [TEXT + " More.", bread, TEXT, bread]
    assert copies([*map(document, texts)]) == [(0, 2), (1, 3)]


def test_a_lone_surrogate_is_a_letter_like_others():
    assert copies([document(TEXT + "\ud800"), document(TEXT + "\ud800")]) == [(0, 1)]


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_share_is_symmetric_and_one_for_the_same_text(text, other):
    mine, theirs = run_counts(text), run_counts(other)
    assert common_share(mine, theirs) == common_share(theirs, mine)
    assert 0 <= common_share(mine, theirs) <= 1
    assert common_share(mine, mine) == 1


@given(st.permutations([TEXT, TEXT + " x", RUSSIAN, CHINESE]))
def test_the_order_of_documents_does_not_matter(texts):
    places = {text: place for place, text in enumerate(texts)}
    pair = sorted([places[TEXT], places[TEXT + " x"]])
    assert copies([replace(document(text), doc_id=text[:3]) for text in texts]) == [tuple(pair)]
