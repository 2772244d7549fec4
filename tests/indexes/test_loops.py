"""The loops in numpy and compiled, against sums and sorting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import loops
from dragoman.indexes.sketches import Drawing, words_for


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


def documents(seed, count=90, size=70):
    """Vectors of documents with no to three passages, and their sketches."""
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], rng.integers(0, 4, count).cumsum()])
    vectors = (rng.standard_normal((starts[-1], size)) + 0.2).astype(np.float16)
    drawing = Drawing.of(vectors)
    signs = np.zeros((words_for(size), len(vectors)), np.uint64)
    factors = np.zeros(len(vectors), np.float32)
    drawing.draw(vectors, signs, factors)
    query = rng.standard_normal(size).astype(np.float32)
    return starts, vectors, drawing, signs, factors, query


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("seed", range(3))
def test_a_document_is_as_near_as_its_best_passage(seed):
    starts, vectors, *_, query = documents(seed)
    rows = np.random.default_rng(seed).permutation(len(starts) - 1)[:40]
    found = loops.best_products(starts, vectors, query, rows)
    halved = query.astype(np.float16).astype(np.float64)
    for row, score in zip(rows, found, strict=True):
        products = vectors[starts[row] : starts[row + 1]].astype(np.float64) @ halved
        assert score == pytest.approx(products.max(initial=-np.inf), abs=1e-4) or (
            np.isnan(score) and not len(products)
        )


@pytest.mark.usefixtures("way")
def test_a_query_of_another_length_is_refused():
    starts, vectors, *_, query = documents(1)
    with pytest.raises(ValueError, match="a vector of 69 numbers, expected 70"):
        loops.best_products(starts, vectors, query[1:], np.arange(3))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("count", [1, 12, 500])
def test_documents_with_the_highest_guesses_are_found(monkeypatch, seed, count):
    monkeypatch.setattr(loops, "_compiled", [])
    loops.compile_loops()
    starts, vectors, drawing, signs, factors, query = documents(seed)
    rows = (11, 77)
    sketches = signs, factors, drawing.spread
    found, scores = loops.nearest(starts, vectors, sketches, query, rows, count)
    first, last = starts[list(rows)]
    guesses = guessed(vectors, drawing, query)[first:last]
    least = np.sort(guesses)[-min(count, len(guesses))]
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[first:last]
    assert found.tolist() == np.unique(owners[guesses >= least]).tolist()
    assert scores == pytest.approx(loops.best_products(starts, vectors, query, found), abs=1e-5)


def guessed(vectors, drawing, query):
    """f * sum(w * b), with the weights w rounded to seven levels and a sign."""
    off = vectors.astype(np.float32) - drawing.center
    weights = query.astype(np.float16).astype(np.float32) * drawing.spread
    levels = np.floor(np.abs(weights) / np.abs(weights).max() * 7 + 0.5)
    sides = np.where(off > 0, 1.0, -1.0)
    factors = (off**2).sum(axis=1) / (np.abs(off) @ drawing.spread)
    return (sides @ (np.where(weights > 0, 1.0, -1.0) * levels)).astype(np.float32) * factors
