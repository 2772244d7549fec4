import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from dragoman.scores.row_distances import squared_distances

tables = arrays(np.float32, (5, 7), elements=st.floats(-4, 4, width=32))


@given(tables, st.lists(st.integers(0, 4), max_size=6))
@settings(max_examples=50, deadline=None)
def test_distances_of_chosen_rows_are_those_of_scipy(rows, chosen):
    vector, indices = rows[0].astype(np.float64), np.array(chosen, dtype=np.int64)
    expected = cdist(rows[indices], vector[None], "sqeuclidean")[:, 0]
    assert squared_distances(rows, indices, vector) == pytest.approx(expected)


@given(tables)
@settings(max_examples=25, deadline=None)
def test_a_distance_does_not_depend_on_the_other_rows(rows):
    vector = rows[1].astype(np.float64)
    together = squared_distances(rows, np.arange(5), vector)
    alone = [squared_distances(rows, np.array([row]), vector)[0] for row in range(5)]
    assert together.tolist() == alone


def test_rows_may_be_mapped_and_read_only(tmp_path):
    np.save(tmp_path / "rows.npy", np.eye(3, dtype=np.float32))
    rows = np.load(tmp_path / "rows.npy", mmap_mode="r")
    assert squared_distances(rows, np.arange(3), np.array([1.0, 2, 3])).tolist() == [13, 11, 9]
