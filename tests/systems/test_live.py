"""Frequencies that change: what is read is what was counted, whenever it is added up."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.systems.lexical import live
from dragoman.systems.lexical.live import Frequencies

LAST = 2**32 - 1
DIMENSIONS = [0, 1, 7, LAST]
named = st.lists(st.sampled_from(DIMENSIONS), max_size=6)
changes = st.lists(st.tuples(named, st.sampled_from(["added", "taken", "read"])), max_size=12)


@given(changes, st.sampled_from([(0, 0), (3, 2), (3, 100), (100, 0), (100, 100)]))
@settings(max_examples=100)
def test_reading_never_depends_on_when_changes_are_added_up(changes, limits):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "LISTED", limits[0])
        patch.setattr(live, "MERGED_ABOVE", limits[1])
        frequencies, counted = Frequencies(), Counter()
        for named, change in [*changes, (DIMENSIONS, "read")]:
            if change == "read":
                assert [frequencies[one] for one in named] == [counted[one] for one in named]
            elif change == "added":
                frequencies.add(np.array(named, np.uint32), 1.0)
                counted.update(named)
            else:
                taken = Counter(named) & counted
                frequencies.add(np.array([*taken.elements()], np.uint32), -1.0)
                counted.subtract(taken)


def test_saved_and_loaded_and_changed_they_are_the_same(tmp_path):
    frequencies = Frequencies()
    frequencies.add(np.array([7, 7, LAST], np.uint32), 1.0)
    frequencies.add(np.array([LAST], np.uint32), -1.0)
    frequencies.save(tmp_path)
    assert np.load(tmp_path / "dimensions.npy").tolist() == [7]  # what nothing has is not written
    again = Frequencies.load(tmp_path)
    again.add(np.array([7, 8], np.uint32), 1.0)
    assert [again[7], again[8], again[LAST]] == [3.0, 1.0, 0.0]
