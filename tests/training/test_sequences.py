import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.training.sequences import Sequences, gather_positions

texts = st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=1, max_size=6)


def test_a_bag_has_every_word_once_with_its_share():
    bags = Sequences.pack([[4, 2, 4, 4], [], [1]]).bags()
    assert bags.words.tolist() == [2, 4, 1]
    assert bags.weights.tolist() == pytest.approx([0.25, 0.75, 1])
    assert bags.starts.tolist() == [0, 2, 2, 3]


def test_padding_has_the_places_that_are_left():
    bags = Sequences.pack([[4, 2], []]).bags(padded_to=5, padding=0)
    assert bags.words.tolist() == [0, 2, 4, 0]
    assert bags.weights.tolist() == pytest.approx([0.6, 0.2, 0.2, 1.0])


@settings(max_examples=50, deadline=None)
@given(texts)
def test_shares_of_a_text_sum_to_one(words):
    bags = Sequences.pack(words).bags()
    for row, text in enumerate(words):
        total = bags.weights[bags.starts[row] : bags.starts[row + 1]].sum()
        assert total == pytest.approx(1 if text else 0, abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(texts, st.data())
def test_gathered_places_are_the_words_of_the_rows(words, data):
    packed = Sequences.pack(words)
    rows = np.array(data.draw(st.lists(st.integers(0, len(words) - 1), max_size=6)), dtype=int)
    at, starts = gather_positions(packed.starts, rows)
    assert packed.words[at].tolist() == [word for row in rows for word in words[row]]
    assert np.diff(starts).tolist() == [len(words[row]) for row in rows]
