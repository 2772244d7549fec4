"""Bags of words: what a build's survey counted is given back to its encoding, or not at all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.lexicons.reading import Reader
from dragoman.lexicons.tables import Tables
from dragoman.systems.lexical import bags as bags_module
from dragoman.systems.lexical.bags import Bag, Bags, Survey
from dragoman.types import Text

TEXTS = [
    Text("Tide and tide, and the sea.", "en"),
    Text("La marea e il mare.", "it"),
    Text("", "en"),
    Text("The sea, the sea!", "en"),
]


@pytest.fixture(scope="module")
def count():
    return Bags(Reader(Tables()))


def surveyed(texts, count):
    survey = Survey()
    for text in texts:
        survey.add(text, count(text))
    return survey


def test_a_bag_counts_words_in_the_order_in_which_they_come():
    count = Bags(Reader(Tables()))
    bag = count(TEXTS[0])
    assert count.numbers("en").words == ["tide", "sea"]
    assert np.frombuffer(bag.numbers, np.intc).tolist() == [0, 1]
    assert np.frombuffer(bag.counts, np.intc).tolist() == [2, 1]
    assert bag.length == 3
    assert np.frombuffer(count(TEXTS[3]).numbers, np.intc).tolist() == [1]


def test_every_language_has_its_own_numbers(count):
    assert np.frombuffer(count(TEXTS[1]).numbers, np.intc).tolist() == [0, 1]


@pytest.mark.parametrize("in_memory", [0, 1, bags_module.IN_MEMORY])
def test_texts_that_come_again_in_their_order_get_their_bags(count, monkeypatch, in_memory):
    monkeypatch.setattr(bags_module, "IN_MEMORY", in_memory)
    survey = surveyed(TEXTS, count)
    assert [survey.take(text) for text in TEXTS] == [count(text) for text in TEXTS]
    assert survey.take(TEXTS[0]) is None  # each is given back once


@given(st.lists(st.integers(0, len(TEXTS) - 1), max_size=6))
@settings(max_examples=60)
def test_no_text_gets_the_bag_of_another(order):
    kept = {text: Bag(b"numb", b"coun", place) for place, text in enumerate(TEXTS)}
    survey = Survey()
    for text in TEXTS:
        survey.add(text, kept[text])
    for place in order:
        assert survey.take(TEXTS[place]) in (kept[TEXTS[place]], None)


def test_after_a_text_that_was_not_expected_no_bag_is_remembered(count):
    survey = surveyed(TEXTS, count)
    assert survey.take(TEXTS[0]) == count(TEXTS[0])
    assert survey.take(TEXTS[3]) is None
    assert survey.take(TEXTS[1]) is None


def test_the_same_words_in_another_language_are_another_text(count):
    survey = surveyed([Text("radio", "en")], count)
    assert survey.take(Text("radio", "it")) is None
