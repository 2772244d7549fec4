"""Top-k against a full sort, ties and cuts included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError, DragomanError
from dragoman.ranking.topk import tie_order, top_k

# few distinct values, so that ties fall on both sides of the cut
FEW = st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 0.5, np.inf])
SCORES = st.lists(st.one_of(FEW, st.floats(allow_nan=False)), max_size=40)


@settings(max_examples=200, deadline=None)
@given(SCORES, st.integers(0, 45), st.randoms(use_true_random=False))
def test_top_k_is_the_head_of_a_full_sort(scores, k, random):
    order = list(range(len(scores)))
    random.shuffle(order)
    full = sorted(range(len(scores)), key=lambda row: (-scores[row], order[row]))
    found = top_k(np.array(scores, dtype=np.float64), k, np.array(order, dtype=np.int64))
    assert found.tolist() == full[:k]


@settings(max_examples=100, deadline=None)
@given(st.lists(FEW, min_size=1, max_size=30), st.integers(1, 30), st.randoms())
def test_the_order_of_the_rows_does_not_matter(scores, k, random):
    doc_ids = [f"d{n}" for n in range(len(scores))]
    rows = list(range(len(scores)))
    random.shuffle(rows)
    moved_ids = [doc_ids[row] for row in rows]
    first = top_k(np.array(scores), k, tie_order(doc_ids))
    second = top_k(np.array(scores)[rows], k, tie_order(moved_ids))
    assert [doc_ids[row] for row in first] == [moved_ids[row] for row in second]


def test_equal_scores_stand_in_the_order_of_their_ids():
    doc_ids = ["b", "a", "d", "c"]
    found = top_k(np.array([1.0, 1.0, 2.0, 1.0]), 3, tie_order(doc_ids))
    assert [doc_ids[row] for row in found] == ["d", "a", "b"]


def test_without_ids_ties_stand_in_the_order_of_the_rows():
    assert top_k(np.zeros(5), 3).tolist() == [0, 1, 2]


def test_ids_are_ordered_as_strings_are():
    assert tie_order(["d10", "d9", "D1", "ä"]).tolist() == [1, 2, 0, 3]
    assert tie_order([]).tolist() == []


def test_a_score_that_is_not_a_number_is_refused():
    with pytest.raises(DragomanError, match="row 1 is not a number"):
        top_k(np.array([1.0, np.nan]), 1)


def test_a_negative_k_is_refused():
    with pytest.raises(ConfigError, match="k must be 0 or more, got -1"):
        top_k(np.array([1.0]), -1)
