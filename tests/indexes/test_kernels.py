"""The two forms of each kernel: the same scores, and compiled before the first query."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes.kernels import compiled, numpy_forms

DOCUMENTS = 40
KERNELS = {name: kernel for name, kernel in vars(compiled).items() if hasattr(kernel, "signatures")}


def made_postings(seed, terms):
    """Arrays of ``score_postings`` but the sums: terms with weights, documents rising in each."""
    rng = np.random.default_rng(seed)
    ends = np.cumsum(rng.integers(0, 30, terms)).astype(np.int64)
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    owners = [
        np.sort(rng.choice(DOCUMENTS, end - start, replace=False))
        for start, end in zip(starts, ends, strict=True)
    ]
    norms = rng.random(DOCUMENTS).astype(np.float32)
    norms[rng.random(DOCUMENTS) < 0.2] = np.inf  # deleted
    counts = (rng.random(int(ends[-1])) * 4).astype(np.float16)
    documents = np.concatenate(owners).astype(np.int32)
    return starts, ends, rng.random(terms).astype(np.float32), documents, counts, norms


@given(st.integers(0, 10_000), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_both_forms_add_up_the_same_sums(seed, terms):
    postings = made_postings(seed, terms)
    sums = np.zeros((2, DOCUMENTS), np.float32)
    numpy_forms.score_postings(*postings, sums[0])
    compiled.score_postings(*postings, sums[1])
    assert sums[0].tolist() == sums[1].tolist()
    assert not sums[0][np.isinf(postings[-1])].any()


@given(st.integers(0, 10_000), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_both_forms_add_the_highest_weight_of_each_group(seed, terms):
    starts, ends, weights, documents, *_ = made_postings(seed, terms)
    groups = np.sort(np.random.default_rng(seed).integers(0, 3, terms))
    order = np.lexsort((-weights, groups))
    expected = np.zeros(DOCUMENTS, np.float32)
    for group in range(3):
        best = np.zeros(DOCUMENTS, np.float32)
        for term in order[groups[order] == group]:
            here = documents[starts[term] : ends[term]]
            best[here] = np.maximum(best[here], weights[term])
        expected += best
    left_out = np.arange(0, DOCUMENTS, 3)
    expected[left_out] = 0
    for form in (numpy_forms, compiled):
        sums, last = np.zeros(DOCUMENTS, np.float32), np.full(DOCUMENTS, -1, np.int32)
        last[left_out] = np.iinfo(np.int32).max
        given_terms = (one[order] for one in (starts, ends, groups, weights))
        form.score_maxima(*given_terms, documents, last, sums)
        assert sums.tolist() == expected.tolist()


@given(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75]) | st.floats(0, 1, width=32), max_size=200),
    st.integers(1, 50),
)
@settings(max_examples=100, deadline=None)
def test_the_highest_are_among_what_either_form_gives(drawn, k):
    scores = np.array(drawn, np.float32)
    least = np.sort(scores)[::-1][:k].min(initial=1.0)
    wanted = {*np.flatnonzero((scores >= least) & (scores > 0)).tolist()}
    for form in (numpy_forms, compiled):
        places = form.highest(scores, k).tolist()
        assert places == sorted(places)
        assert wanted <= {*places}
        assert (scores[places] > 0).all()


@given(st.integers(0, 10_000), st.integers(0, 20), st.sampled_from([1, 7, 384]))
@settings(max_examples=60, deadline=None)
def test_both_forms_multiply_rows_alike(seed, count, size):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((count, size)).astype(np.float16)
    query = rng.standard_normal(size).astype(np.float32)
    expected = rows.astype(np.float64) @ query.astype(np.float64)
    for form in (numpy_forms, compiled):
        whole = form.span_products(rows, 0, count, query)
        assert whole == pytest.approx(expected, abs=1e-3)


@given(st.integers(0, 10_000), st.integers(1, 6), st.sampled_from([1, 7, 384]))
@settings(max_examples=60, deadline=None)
def test_both_forms_pool_the_rows_of_a_document_alike(seed, documents, size):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, documents).astype(np.int64)
    rows = rng.standard_normal((int(sizes.sum()), size)).astype(np.float16)
    query = rng.standard_normal(size).astype(np.float32)
    firsts = np.cumsum(sizes) - sizes
    parts = np.split(rows.astype(np.float64), firsts[1:])
    means = [part.mean(axis=0) for part in parts]
    for form in (numpy_forms, compiled):
        best, pooled = form.pooled_products(rows, firsts, sizes, query)
        assert best == pytest.approx([(part @ query).max() for part in parts], abs=1e-3)
        expected = [mean @ query / np.linalg.norm(mean) for mean in means]
        assert pooled == pytest.approx(expected, rel=1e-2, abs=1e-2)


def test_the_mean_of_opposite_rows_has_no_direction():
    rows = np.array([[1, 0], [-1, 0]], np.float16)
    query = np.array([1, 1], np.float32)
    one, two = np.array([0]), np.array([2])
    for form in (numpy_forms, compiled):
        assert form.pooled_products(rows, one, two, query)[1].tolist() == [0.0]


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_is_compiled_before_the_first_query(name):
    assert KERNELS[name].signatures
    assert not KERNELS[name]._can_compile, "an explicit signature leaves nothing to compile later"


def test_the_machine_code_is_kept_on_disk():
    code = (
        "from dragoman.indexes.kernels import compiled;"
        "print(compiled._score_postings.stats.cache_hits.total())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(printed.stdout) == 1
