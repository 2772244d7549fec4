"""Model 1's kernel alone; its rounds are compared with the reference in ``test_alignment``."""

from dataclasses import replace

import numpy as np
import pytest

from corpora import KOEHN, packed
from dragoman.lexicons.alignment import model1
from dragoman.lexicons.alignment.aligner import ExpectedCounts, _first_model
from dragoman.lexicons.alignment.cooccurrence import cooccurrence


def expectations(bitext, model):
    counts = ExpectedCounts.empty(model, agree=False)
    likelihoods = model1.expectations(
        *(0, len(bitext), bitext.source, bitext.source_starts, bitext.target, bitext.target_starts),
        *(bitext.weights, model.pairs.slots, model.pairs.blocks, model.forward, model.backward),
        *(model.null_forward, model.null_backward, False, counts.forward, counts.backward),
        *(counts.null_forward, counts.null_backward),
    )
    return counts, likelihoods


def test_every_word_is_counted_once(tmp_path):
    bitext = packed(KOEHN, tmp_path)
    counts, _ = expectations(bitext, _first_model(bitext, cooccurrence(bitext, tmp_path, 1)))
    assert counts.forward.sum() + counts.null_forward.sum() == pytest.approx(len(bitext.target))
    assert counts.backward.sum() + counts.null_backward.sum() == pytest.approx(len(bitext.source))


def test_weights_multiply_counts_and_likelihoods(tmp_path):
    bitext = packed(KOEHN, tmp_path)
    model = _first_model(bitext, cooccurrence(bitext, tmp_path, 1))
    once, likelihoods = expectations(bitext, model)
    tripled = replace(bitext, weights=np.full(3, 3, dtype=np.int32))
    thrice, thrice_likelihoods = expectations(tripled, model)
    assert thrice.forward == pytest.approx(3 * once.forward)
    assert thrice_likelihoods == pytest.approx([3 * value for value in likelihoods])
