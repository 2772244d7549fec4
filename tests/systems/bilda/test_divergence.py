from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from dragoman.systems.bilda.divergence import BLOCK_ROWS, jensen_shannon, negative_entropy

shares = arrays(np.float64, (4, 6), elements=st.floats(0.001, 1)).map(
    lambda rows: rows / rows.sum(axis=1, keepdims=True)
)


@given(shares)
@settings(max_examples=50, deadline=None)
def test_both_are_what_scipy_says(rows):
    query, documents = rows[0], rows[1:]
    entropies = negative_entropy(query) - np.log(documents) @ query
    assert entropies == pytest.approx([entropy(query, d) for d in documents], abs=1e-9)
    found = jensen_shannon(np.log(documents), query)
    with np.errstate(invalid="ignore"):  # scipy's root of a rounding below 0
        expected = np.nan_to_num([jensenshannon(query, d) ** 2 for d in documents])
    assert found == pytest.approx(expected, abs=1e-9)


def test_a_text_of_no_topics_has_no_information():
    assert negative_entropy(np.zeros(5)) == 0
    assert negative_entropy(np.full(4, 0.25)) == pytest.approx(-np.log(4))


@given(shares)
@settings(max_examples=25, deadline=None)
def test_rounded_logarithms_give_nearly_the_same(rows):
    exact = jensen_shannon(np.log(rows), rows[0])
    halves = jensen_shannon(np.log(rows).astype(np.float16), rows[0])
    assert halves == pytest.approx(exact, abs=2e-3)
    assert halves.min() >= 0


def test_a_row_has_its_number_wherever_it_stands():
    rng = np.random.default_rng(3)
    rows = np.log(rng.dirichlet(np.full(30, 0.3), BLOCK_ROWS + 5) + 1e-6).astype(np.float16)
    rows[-1] = rows[0]
    query = rng.dirichlet(np.full(30, 0.3))
    together = jensen_shannon(rows, query)
    assert len(together) == len(rows)
    assert together[-1] == together[0]
    for row in (0, 1, BLOCK_ROWS - 1, BLOCK_ROWS):
        assert jensen_shannon(rows[row : row + 1], query)[0] == together[row]


@given(shares)
@settings(max_examples=25, deadline=None)
def test_jensen_shannon_is_symmetric_and_bounded(rows):
    for one, other in pairwise(rows):
        there = jensen_shannon(np.log(one)[None], other)[0]
        back = jensen_shannon(np.log(other)[None], one)[0]
        assert there == pytest.approx(back, abs=1e-9)
        assert 0 <= there <= np.log(2)
        assert jensen_shannon(np.log(one)[None], one)[0] == pytest.approx(0, abs=1e-9)
