"""Sketches against what they are made of, worked out bit by bit."""

import numpy as np
import pytest

from dragoman.indexes import sketches
from dragoman.indexes.sketches import Drawing, outline_words, packed, words_for


@pytest.mark.parametrize("size", [1, 63, 64, 65, 130])
def test_bits_fill_words_from_the_lowest(size):
    bits = np.random.default_rng(size).random((3, size)) > 0.5
    words = packed(bits)
    assert words.shape == (3, words_for(size))
    for row, mine in zip(bits, words, strict=True):
        number = sum(int(word) << (64 * place) for place, word in enumerate(mine))
        assert number == sum(1 << place for place, bit in enumerate(row) if bit)


@pytest.mark.parametrize("block", [7, 1000])
def test_a_guess_has_the_vectors_own_length_in_its_direction(monkeypatch, block):
    monkeypatch.setattr(sketches, "BLOCK", block)
    vectors = np.random.default_rng(2).standard_normal((50, 20)).astype(np.float16)
    drawing = Drawing.of(vectors)
    assert drawing.center == pytest.approx(vectors.astype(float).mean(axis=0), abs=1e-5)
    signs, outlines = np.zeros((50, 1), np.uint64), np.zeros((1, 50), np.uint64)
    factors = np.zeros(50, np.float32)
    drawing.draw(vectors, signs, outlines, factors)
    off = vectors.astype(np.float32) - drawing.center
    guesses = factors[:, None] * drawing.spread * np.where(off > 0, 1, -1)
    assert (off * guesses).sum(axis=1) == pytest.approx((off**2).sum(axis=1), rel=1e-4)
    widest_first = np.argsort(-drawing.spread, kind="stable")
    assert signs.tolist() == packed(np.ascontiguousarray((off > 0)[:, widest_first])).tolist()
    assert outlines.tolist() == signs.T.tolist()


def test_an_outline_is_the_first_half_of_a_sketch():
    vectors = np.random.default_rng(3).standard_normal((9, 300)).astype(np.float16)
    signs = np.zeros((9, words_for(300)), np.uint64)
    outlines = np.zeros((outline_words(300), 9), np.uint64)
    Drawing.of(vectors).draw(vectors, signs, outlines, np.zeros(9, np.float32))
    assert outlines.tolist() == signs[:, :3].T.tolist()


def test_vectors_that_are_all_alike_or_none_have_no_factor():
    vectors = np.ones((3, 5), np.float16)
    signs, factors = np.ones((3, 1), np.uint64), np.ones(3, np.float32)
    Drawing.of(vectors).draw(vectors, signs, np.ones((1, 3), np.uint64), factors)
    assert signs.tolist() == [[0], [0], [0]]
    assert factors.tolist() == [0.0, 0.0, 0.0]
    assert Drawing.of(vectors[:0]).spread.tolist() == [0.0] * 5
