"""The E step alone; rounds of EM are compared with a reference in ``test_aligner``."""

from dataclasses import replace

import numpy as np
import pytest

from corpora import KOEHN, packed
from dragoman.lexicons.alignment.aligner import initial_model
from dragoman.lexicons.alignment.cooccurrence import cooccurrence
from dragoman.lexicons.alignment.expectation import ExpectedCounts, add_expected_counts


def expected_counts(bitext, model, *, with_hmm):
    counts = ExpectedCounts.empty(model.parameters, agree=False)
    add_expected_counts(
        *(0, len(bitext), bitext.texts, bitext.weights, model.pairs.slots, model.pairs.blocks),
        *(model.parameters, with_hmm, False, counts),
    )
    return counts


@pytest.fixture
def bitext(tmp_path):
    return packed(KOEHN, tmp_path)


@pytest.fixture
def model(bitext, tmp_path):
    return initial_model(bitext, cooccurrence(bitext, tmp_path, 1))


@pytest.mark.parametrize("with_hmm", [False, True])
def test_every_word_is_counted_once(bitext, model, with_hmm):
    counts = expected_counts(bitext, model, with_hmm=with_hmm)
    words = len(bitext.texts.target), len(bitext.texts.source)
    assert counts.forward.sum() + counts.null_forward.sum() == pytest.approx(words[0])
    assert counts.backward.sum() + counts.null_backward.sum() == pytest.approx(words[1])


@pytest.mark.parametrize("with_hmm", [False, True])
def test_weights_multiply_counts_and_likelihoods(bitext, model, with_hmm):
    once = expected_counts(bitext, model, with_hmm=with_hmm)
    tripled = replace(bitext, weights=np.full(3, 3, dtype=np.int32))
    thrice = expected_counts(tripled, model, with_hmm=with_hmm)
    for single, triple in zip(once, thrice, strict=True):
        assert triple == pytest.approx(3 * single)


def test_counts_are_added_and_shared_by_agreeing_directions(model):
    counts = ExpectedCounts.empty(model.parameters, agree=True)
    assert counts.backward is counts.forward
    ones = ExpectedCounts(*(np.ones_like(array) for array in counts))
    counts.add(ones)
    assert all((array == 1).all() for array in counts)
