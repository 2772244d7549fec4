"""Layers that begin by comparing."""

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

import torch

from dragoman.encoders.transformer import mean_states
from dragoman.training.pretraining.config import EncoderConfig
from dragoman.training.pretraining.cross_attention import initialize_cross_attention
from dragoman.training.pretraining.masking import pad_pairs, pad_texts
from dragoman.training.pretraining.model import random_model, set_token_vectors
from dragoman.training.sequences import Sequences

WORDS, SPECIAL, SIZE = 40, 5, 64


def model_with_likes():
    """Words of two languages, 5-44 and 45-84; a word and its translation have one vector."""
    config = EncoderConfig(pieces=100, size=SIZE, layers=2, heads=2, inner=32, longest=64)
    model = random_model(config, np.ones(SPECIAL + 2 * WORDS, dtype=np.int64), 0)
    vectors = np.random.default_rng(0).normal(size=(WORDS, SIZE)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    set_token_vectors(
        model, np.concatenate([np.zeros((SPECIAL, SIZE), np.float32), vectors, vectors])
    )
    initialize_cross_attention(model, torch.Generator().manual_seed(0))
    return model.eval()


def texts(count, seed=1):
    chosen = np.random.default_rng(seed).integers(SPECIAL, SPECIAL + WORDS, (count, 6))
    return Sequences.pack(chosen.tolist()), Sequences.pack((chosen + WORDS).tolist())


def test_translations_are_told_from_others_before_the_first_step():
    model = model_with_likes()
    firsts, seconds = texts(30)
    rows = np.arange(30)
    told = []
    with torch.no_grad():
        for others in (rows, np.roll(rows, 1)):
            for one, two in ((firsts, seconds), (seconds, firsts)):  # in either order
                lines = pad_pairs(one, rows, two, others)
                means = mean_states(model.states(lines), torch.from_numpy(lines.real))
                told.append(model.compares(means)[:, 0].numpy())
    right, wrong = np.concatenate(told[:2]), np.concatenate(told[2:])
    assert (right[:, None] > wrong).mean() > 0.97


def test_a_text_by_itself_is_read_as_its_words():
    model = model_with_likes()
    firsts, seconds = texts(30)
    rows = np.arange(30)
    with torch.no_grad():
        means = [
            mean_states(model.states(lines), torch.from_numpy(lines.real)).numpy()
            for lines in (pad_texts(firsts, rows), pad_texts(seconds, rows))
        ]
    means = [one - one.mean(axis=0) for one in means]
    assert (np.argmax(means[0] @ means[1].T, axis=1) == rows).all()


def test_the_second_text_alone_has_a_segment():
    first, second = model_with_likes().encoder.embeddings.token_type_embeddings.weight.detach()
    assert not first.any()
    assert float(second.norm()) > 0.5


def test_the_directions_are_those_of_the_generator():
    one, two = model_with_likes(), model_with_likes()
    assert torch.equal(one.compares.weight, two.compares.weight)
    initialize_cross_attention(two, torch.Generator().manual_seed(1))
    assert not torch.equal(one.compares.weight, two.compares.weight)
