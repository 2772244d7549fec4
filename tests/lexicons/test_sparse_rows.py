import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.sparse import csr_array

from dragoman.errors import ConfigError
from dragoman.lexicons import sparse_rows


def matrices(rows_=5, columns=6):
    cell = st.one_of(st.just(0.0), st.floats(1 / 64, 1.0, width=32))
    return arrays.arrays(np.float32, (rows_, columns), elements=cell).map(csr_array)


@given(matrices())
def test_rows_sum_to_one_or_stay_empty(matrix):
    sums = sparse_rows.row_sums(sparse_rows.normalised(matrix))
    filled = np.diff(sparse_rows.as_table(matrix).indptr) > 0
    assert sums[filled] == pytest.approx(1, abs=1e-6)
    assert (sums[~filled] == 0).all()


@given(matrices(), st.floats(0, 0.5), st.floats(0.1, 1), st.integers(1, 6))
@settings(max_examples=50)
def test_pruned_rows_are_the_best_of_each(matrix, threshold, mass, top):
    whole = sparse_rows.normalised(matrix)
    kept = sparse_rows.pruned(whole, threshold=threshold, mass=mass, top=top)
    for before, after in zip(whole.toarray(), kept.toarray(), strict=True):
        best_first = sorted((-value, column) for column, value in enumerate(before) if value > 0)
        expected, total = [], 0.0
        for negative, column in best_first:
            if expected and (len(expected) >= top or total >= mass - 1e-6 or -negative < threshold):
                break
            expected.append(column)
            total += -negative
        assert set(np.flatnonzero(after)) == set(expected)
        if expected:
            assert after.sum() == pytest.approx(1, abs=1e-5)


def test_pruning_by_hand():
    row = csr_array(np.array([[0.5, 0.3, 0.15, 0.05]], dtype=np.float32))
    assert sparse_rows.pruned(row, threshold=0, mass=0.8, top=9).toarray()[0] == pytest.approx(
        [0.625, 0.375, 0, 0]
    )
    assert sparse_rows.pruned(row, threshold=0.1, mass=1, top=9).nnz == 3
    assert sparse_rows.pruned(row, threshold=0, mass=1, top=1).toarray()[0] == pytest.approx(
        [1, 0, 0, 0]
    )
    assert sparse_rows.pruned(row, threshold=0, mass=1, top=9).nnz == 4


def test_ties_go_to_the_earlier_word():
    row = csr_array(np.full((1, 4), 0.25, dtype=np.float32))
    assert sparse_rows.pruned(row, threshold=0, mass=1, top=2).indices.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"threshold": 1.0}, "threshold must be in"),
        ({"mass": 0.0}, "mass must be in"),
        ({"top": 0}, "top must be at least 1, got 0"),
    ],
)
def test_pruning_out_of_range(setting, message):
    row = csr_array(np.ones((1, 1), dtype=np.float32))
    with pytest.raises(ConfigError, match=message):
        sparse_rows.pruned(row, **{"threshold": 0.0, "mass": 1.0, "top": 1, **setting})


def test_a_prior_counts_by_its_weight():
    learnt = csr_array(np.array([[1.0, 0.0], [0.0, 0.0]], dtype=np.float32))
    prior = csr_array(np.array([[0.0, 1.0], [0.0, 2.0]], dtype=np.float32))
    mixed = sparse_rows.with_prior(learnt, np.array([15, 0]), prior, weight=5.0).toarray()
    assert mixed == pytest.approx(np.array([[0.75, 0.25], [0.0, 1.0]]))


def test_a_prior_without_weight_is_refused():
    one = csr_array(np.ones((1, 1), dtype=np.float32))
    with pytest.raises(ConfigError, match=r"weight must be above 0, got 0\.0"):
        sparse_rows.with_prior(one, np.array([1]), one, 0.0)


@given(matrices())
def test_values_at_gives_every_stored_value(matrix):
    table = sparse_rows.as_table(matrix)
    pattern = sparse_rows.as_table(csr_array(np.ones(table.shape, dtype=np.float32)))
    assert (sparse_rows.values_at(table, pattern).reshape(table.shape) == table.toarray()).all()
