"""Which pairs exchange their second texts, and parts of texts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.training.pretraining.pair_negatives import (
    LONGEST,
    SHORTEST,
    mean_token_vectors,
    sample_spans,
    shared_text_mask,
    swap_partners,
)
from dragoman.training.sequences import Sequences


def test_pairs_with_a_text_in_common_are_no_negatives():
    found = shared_text_mask(np.array([1, 1, 2]), np.array([5, 6, 6]))
    assert found.tolist() == [[False, True, False], [True, False, True], [False, True, False]]


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 30), st.floats(0, 1), st.integers(0, 1000))
def test_pairs_exchange_two_by_two_and_never_with_equal_ones(count, share, seed):
    rng = np.random.default_rng(seed)
    same = shared_text_mask(rng.integers(0, 20, count), rng.integers(0, 20, count))
    partners = swap_partners(rng.random((count, count)), same, share, rng)
    every = np.arange(count)
    assert (partners[partners] == every).all()
    wrong = partners != every
    assert not same[every[wrong], partners[wrong]].any()
    assert wrong.sum() <= 2 * round(share * count / 2)


def test_the_wanted_share_is_exchanged_and_every_other_time_by_likeness():
    rng = np.random.default_rng(0)
    count = 200
    likeness = np.zeros((count, count))
    twins = np.arange(count) ^ 1  # 0 and 1 look alike, 2 and 3, ...
    likeness[np.arange(count), twins] = 1
    nothing = np.zeros((count, count), dtype=bool)
    partners = swap_partners(likeness, nothing, 0.5, rng)
    wrong = partners != np.arange(count)
    assert wrong.sum() == 100
    assert 0.3 < (partners == twins)[wrong].mean() < 0.7


def test_means_of_tokens_by_hand():
    vectors = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    texts = Sequences.pack([[1, 2], [2], [1, 1, 2]])
    found = mean_token_vectors(vectors, texts, np.array([2, 0]))
    assert found == pytest.approx(np.array([[2, 1], [1, 1]]) / np.sqrt([[5], [2]]))


def test_a_part_is_a_few_tokens_in_a_row():
    texts = Sequences.pack([range(10, 50), [], [7], range(100, 160)])
    rows = np.array([3, 2, 1, 0, 3])
    found = sample_spans(texts, rows, np.random.default_rng(0))
    assert len(found) == len(rows)
    for place, row in enumerate(rows):
        whole = texts.words[texts.starts[row] : texts.starts[row + 1]].tolist()
        part = found.words[found.starts[place] : found.starts[place + 1]].tolist()
        assert min(SHORTEST, len(whole)) <= len(part) <= min(LONGEST, len(whole))
        assert not part or part == whole[whole.index(part[0]) :][: len(part)]
