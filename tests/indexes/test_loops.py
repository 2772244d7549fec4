"""The loops in numpy and compiled, against sums and sorting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import loops
from dragoman.indexes.arrays import Passages
from dragoman.indexes.compiled import likeliest
from dragoman.indexes.sketches import Drawing, outline_words, words_for


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
def test_the_highest_are_found_and_few_others(values, k):
    above = sorted((value for value in values if value > 0), reverse=True)
    least = above[:k][-1] if above else 1
    expected = [place for place, value in enumerate(values) if value >= least and value > 0]
    array = np.array(values, dtype=np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loops, "_compiled", [])
        assert loops.highest(array, k).tolist() == expected
        loops.compile_loops()
        found = loops.highest(array, k).tolist()
        assert {*found} >= {*expected}
        assert found == sorted({*found})
        assert all(values[place] > 0 for place in found)


def test_of_many_scores_hardly_more_are_found_than_asked_for(monkeypatch):
    monkeypatch.setattr(loops, "_compiled", [])
    loops.compile_loops()
    values = np.random.default_rng(8).random(20_000).astype(np.float32)
    for k in (1, 50, 3_000):
        found = loops.highest(values, k)
        assert {*found.tolist()} >= {*np.argsort(-values)[:k].tolist()}
        assert len(found) <= k + 30


def documents(seed, count=90, size=70):
    """Vectors of documents with no to three passages, and their sketches."""
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], rng.integers(0, 4, count).cumsum()])
    vectors = (rng.standard_normal((starts[-1], size)) + 0.2).astype(np.float16)
    query = rng.standard_normal(size).astype(np.float32)
    return starts, vectors, query


def sketched(starts, vectors):
    count, size = vectors.shape
    drawing = Drawing.of(vectors)
    signs = np.zeros((count, words_for(size)), np.uint64)
    outlines = np.zeros((outline_words(size), count), np.uint64)
    factors = np.zeros(count, np.float32)
    drawing.draw(vectors, signs, outlines, factors)
    return Passages(starts, vectors, signs, outlines, factors, drawing.spread).sketched, drawing


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("seed", range(3))
def test_a_document_is_as_near_as_its_best_passage(seed):
    starts, vectors, query = documents(seed)
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
    starts, vectors, query = documents(1)
    with pytest.raises(ValueError, match="a vector of 69 numbers, expected 70"):
        loops.best_products(starts, vectors, query[1:], np.arange(3))


NOBODY = np.zeros(0, np.bool_)


@pytest.fixture
def compiled(monkeypatch):
    monkeypatch.setattr(loops, "_compiled", [])
    loops.compile_loops()


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("gone", [(), (12, 40, 41)])
def test_where_all_look_near_the_nearest_are_found_for_each_query_in_its_span(seed, gone):
    starts, vectors, _ = documents(seed)
    rng = np.random.default_rng(seed)
    queries = rng.standard_normal((3, vectors.shape[1])).astype(np.float32)
    spans = np.array([(11, 77), (0, 90), (30, 31)])
    struck = np.zeros(len(starts) - 1, np.bool_)
    struck[list(gone)] = True
    passages, _ = sketched(starts, vectors)
    everyone = (1_000, 1_000)
    listed = loops.nearest(passages, struck if gone else NOBODY, queries, spans, everyone, 9)
    for query, (first, last), (rows, scores) in zip(queries, spans, listed, strict=True):
        here = np.arange(first, last)[~struck[first:last]]
        products = loops.best_products(starts, vectors, query, here)
        here, products = here[~np.isnan(products)], products[~np.isnan(products)]
        best = np.argsort(-products, kind="stable")[:9]
        assert rows.tolist() == here[best].tolist()
        assert scores.tolist() == products[best].tolist()


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("count", [1, 12])
def test_none_is_left_out_whose_sketch_is_among_the_likeliest(seed, count):
    starts, vectors, query = documents(seed)
    passages, drawing = sketched(starts, vectors)
    first, last = starts[[11, 77]]
    ((rows, scores),) = loops.nearest(
        passages, NOBODY, query[None], np.array([(11, 77)]), (1_000, count), 90
    )
    guesses = by_sketch(vectors, drawing, query)[first:last]
    least = np.sort(guesses)[-count]
    expected = {*passages.owners[first:last][guesses >= least].tolist()}
    assert {*rows.tolist()} >= expected
    assert len(rows) <= len(expected) + 3
    assert scores == pytest.approx(loops.best_products(starts, vectors, query, rows), abs=1e-6)
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)


def by_sketch(vectors, drawing, query):
    """f * sum(w * b), with the weights w rounded to seven levels and a sign."""
    off = vectors.astype(np.float32) - drawing.center
    weights = query.astype(np.float16).astype(np.float32) * drawing.spread
    levels = np.floor(np.abs(weights) / np.abs(weights).max() * 7 + 0.5)
    sides = np.where(off > 0, 1.0, -1.0)
    factors = (off**2).sum(axis=1) / (np.abs(off) @ drawing.spread)
    return (sides @ (np.where(weights > 0, 1.0, -1.0) * levels)).astype(np.float32) * factors


@pytest.mark.usefixtures("compiled")
def test_outlines_are_the_widest_half_of_the_dimensions_and_heavy_weights_alone():
    starts, vectors, query = documents(2, count=900)
    vectors = (vectors * np.linspace(0.2, 2.0, vectors.shape[1])).astype(np.float16)
    passages, drawing = sketched(starts, vectors)
    weights = query.astype(np.float16).astype(np.float32) * drawing.spread
    heavy = np.abs(weights) > 0.6 * np.abs(weights).mean()
    widest = np.argsort(-drawing.spread, kind="stable")[:64]  # a word of two
    off = vectors.astype(np.float32) - drawing.center
    sides = np.where(off > 0, 1.0, -1.0)[:, widest]
    factors = (off**2).sum(axis=1) / (np.abs(off) @ drawing.spread)
    guesses = (sides @ (np.sign(weights) * heavy)[widest]).astype(np.float32) * factors
    asked, hopeful, _ = likeliest.asked_bits(
        query.astype(np.float16).astype(np.float32), passages.order, passages.spread
    )
    found = likeliest.by_outlines(
        passages.outlines, passages.factors, asked, hopeful, 0, len(vectors)
    )
    assert found == pytest.approx(guesses, rel=1e-4, abs=1e-3)


@pytest.mark.usefixtures("compiled")
def test_queries_of_another_length_are_refused_by_a_pass():
    starts, vectors, query = documents(1)
    passages, _ = sketched(starts, vectors)
    with pytest.raises(ValueError, match="a vector of 69 numbers, expected 70"):
        loops.nearest(passages, NOBODY, query[None, 1:], np.array([(0, 9)]), (10, 10), 5)
