from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from dragoman.systems.bilda.divergence import jensen_shannon, relative_entropies

shares = arrays(np.float64, (4, 6), elements=st.floats(0.001, 1)).map(
    lambda rows: (rows / rows.sum(axis=1, keepdims=True)).astype(np.float32)
)
ALL = np.arange(3)


@given(shares)
@settings(max_examples=50, deadline=None)
def test_both_are_what_scipy_says(rows):
    query, documents = rows[0].astype(np.float64), rows[1:]
    found = relative_entropies(np.log(documents), ALL, query)
    assert found == pytest.approx([entropy(query, d) for d in documents], abs=1e-6)
    found = jensen_shannon(documents, ALL, query)
    assert found == pytest.approx([jensenshannon(query, d) ** 2 for d in documents], abs=1e-6)


@given(shares)
@settings(max_examples=25, deadline=None)
def test_a_row_has_its_number_whoever_else_is_chosen(rows):
    query, logs = rows[0].astype(np.float64), np.log(rows)
    together = relative_entropies(logs, np.arange(4), query)
    for row in range(4):
        assert relative_entropies(logs, np.array([row]), query)[0] == together[row]
    assert together.min() >= 0
    assert together[0] == pytest.approx(0, abs=1e-6)


@given(shares)
@settings(max_examples=25, deadline=None)
def test_jensen_shannon_is_symmetric_and_bounded(rows):
    for one, other in pairwise(rows):
        there = jensen_shannon(one[None], np.array([0]), other.astype(np.float64))[0]
        back = jensen_shannon(other[None], np.array([0]), one.astype(np.float64))[0]
        assert there == pytest.approx(back, abs=1e-7)
        assert 0 <= there <= np.log(2)
