"""Parts of several arrays in a new order, and ranges of sorted arrays that belong together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.storage import gathering
from dragoman.storage.gathering import Gathering, even_cuts, ranges, ranges_between, starts_of

SIZES = st.lists(st.integers(0, 4), min_size=1, max_size=8)


def test_ranges_follow_each_other():
    assert starts_of([2, 0, 3]).tolist() == [0, 2, 2, 5]
    assert ranges(np.array([10, 4]), np.array([2, 3])).tolist() == [10, 11, 4, 5, 6]


@pytest.mark.parametrize("at_once", [1, 24, 1 << 22])
@given(sizes=st.lists(SIZES, min_size=1, max_size=3), data=st.data())
def test_parts_are_copied_in_the_order_that_is_asked_for(at_once, sizes, data):
    starts = [starts_of(mine) for mine in sizes]
    arrays = [np.arange(2 * s[-1]).reshape(-1, 2) + 1000 * n for n, s in enumerate(starts)]
    every = [(owner, part) for owner, mine in enumerate(sizes) for part in range(len(mine))]
    order = data.draw(st.lists(st.sampled_from(every), max_size=12))
    owners = np.array([owner for owner, _ in order], np.int32)
    numbers = np.array([part for _, part in order], np.int32)
    parts = Gathering.of(owners, numbers, starts)
    expected = [arrays[o][starts[o][p] : starts[o][p + 1]].tolist() for o, p in order]
    first = data.draw(st.integers(0, len(order)))
    last = data.draw(st.integers(first, len(order)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "BYTES_AT_ONCE", at_once)
        copies = [row for chunk in parts.copies(arrays, first, last) for row in chunk.tolist()]
    assert copies == [row for part in expected[first:last] for row in part]
    assert np.diff(parts.starts).tolist() == [len(part) for part in expected]


def test_numbers_are_replaced_by_those_of_their_owner():
    parts = Gathering.of(np.array([1, 0]), np.array([0, 1]), [starts_of([1, 2]), starts_of([2])])
    arrays = [np.array([0, 1, 0]), np.array([1, 0])]
    new = [np.array([5, 6]), np.array([7, 8])]
    assert [c.tolist() for c in parts.copies(arrays, renumbered=new)] == [[8, 7, 6, 5]]


@given(st.lists(st.lists(st.integers(0, 50)).map(sorted), min_size=1, max_size=4))
def test_ranges_hold_every_entry_once_and_equal_keys_together(drawn):
    keys = [np.array(mine, np.uint32) for mine in drawn]
    cuts = even_cuts([mine[::2] for mine in keys])
    by_range = [*zip(*(ranges_between(mine, cuts) for mine in keys), strict=True)]
    found = [
        {key for mine, (first, last) in zip(drawn, bounds, strict=True) for key in mine[first:last]}
        for bounds in by_range
    ]
    assert sum(map(len, found)) == len({key for mine in drawn for key in mine})
    for number, mine in enumerate(keys):
        assert sum(bounds[number][1] - bounds[number][0] for bounds in by_range) == len(mine)


def test_ranges_of_large_arrays_are_about_as_large_as_wanted():
    rng = np.random.default_rng(0)
    keys = [np.sort(rng.integers(0, 1 << 32, size)) for size in (10_000, 50_000, 200)]
    cuts = even_cuts([mine[::100] for mine in keys])
    bounds = zip(*(ranges_between(mine, cuts) for mine in keys), strict=True)
    sizes = [sum(last - first for first, last in one) for one in bounds]
    assert max(sizes) <= 2 * 3 * 100
    assert len(sizes) == pytest.approx(60_200 / 300, rel=0.05)
