import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dragoman.scores.row_products import products, squared_distances

tables = arrays(np.float32, (5, 7), elements=st.floats(-4, 4, width=32))


@given(tables, st.lists(st.integers(0, 4), max_size=6))
@settings(max_examples=50, deadline=None)
def test_chosen_rows_have_the_numbers_of_numpy(rows, chosen):
    vector, places = rows[0].astype(np.float64), np.array(chosen, dtype=np.int64)
    inside = rows[places].astype(np.float64)
    assert products(rows, places, vector) == pytest.approx(inside @ vector)
    expected = np.square(inside - vector).sum(axis=1)
    assert squared_distances(rows, places, vector) == pytest.approx(expected)


@given(tables)
@settings(max_examples=25, deadline=None)
def test_a_row_has_its_number_whoever_else_is_chosen(rows):
    vector = rows[1].astype(np.float64)
    for compute in (products, squared_distances):
        together = compute(rows, np.arange(5), vector)
        alone = [compute(rows, np.array([row]), vector)[0] for row in range(5)]
        assert together.tolist() == alone


def test_rows_may_be_mapped_and_read_only(tmp_path):
    np.save(tmp_path / "rows.npy", np.eye(3, dtype=np.float32))
    rows = np.load(tmp_path / "rows.npy", mmap_mode="r")
    assert products(rows, np.arange(3), np.array([1.0, 2, 3])).tolist() == [1, 2, 3]
