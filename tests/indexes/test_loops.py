"""The loops in numpy and compiled, against sums and sorting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import loops


@pytest.fixture(params=["numpy", "compiled"])
def way(request, monkeypatch):
    monkeypatch.setattr(loops, "_compiled", [])
    if request.param == "compiled":
        loops.compile_loops()
    assert bool(loops._compiled) == (request.param == "compiled")


def postings(seed):
    rng = np.random.default_rng(seed)
    rows = np.concatenate([rng.permutation(20)[:7] for _ in range(6)]).astype(np.int32)
    return rows, rng.random(len(rows)).astype(np.float32)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("seed", range(3))
def test_postings_are_added_one_by_one(seed):
    rows, weights = postings(seed)
    rows.flags.writeable = weights.flags.writeable = False  # as they are when mapped
    firsts, asked = np.array([0, 14, 35]), np.array([1.5, 0.25, 3.0], dtype=np.float32)
    sums = np.zeros(20, np.float32)
    assert loops.add_postings(firsts, firsts + 7, asked, rows, weights, sums)
    expected = np.zeros(20, np.float32)
    for first, weight in zip(firsts, asked, strict=True):
        for place in range(first, first + 7):
            expected[rows[place]] += weight * weights[place]
    assert sums.tolist() == expected.tolist()


@pytest.mark.usefixtures("way")
def test_a_posting_without_a_place_is_told():
    rows, weights = postings(1)
    rows[3] = 20
    ends = np.array([7])
    one = np.ones(1, np.float32)
    assert not loops.add_postings(ends - 7, ends, one, rows, weights, np.zeros(20, np.float32))


scores = st.lists(st.integers(0, 6), max_size=30)


@given(scores, st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_the_highest_are_found_with_all_that_equal_the_last(values, k):
    above = sorted((value for value in values if value > 0), reverse=True)
    least = above[:k][-1] if above else 1
    expected = [place for place, value in enumerate(values) if value >= least and value > 0]
    array = np.array(values, dtype=np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loops, "_compiled", [])
        assert loops.highest(array, k).tolist() == expected
        loops.compile_loops()
        assert loops.highest(array, k).tolist() == expected
