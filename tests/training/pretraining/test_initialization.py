"""The vectors that layers begin with."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

import torch

from dragoman.encoders.sentence_encoder import normalized
from dragoman.protocols import no_progress, no_stages
from dragoman.training.pretraining.config import PretrainInit, schedule
from dragoman.training.pretraining.initialization import INITIAL, initial_model
from dragoman.training.pretraining.validation import pair_accuracy
from toy_pretraining import CONFIG, toy_data, toy_model

MATERIAL = toy_data()


def begun(first, folder, stage=no_stages, **changed):
    config = replace(CONFIG, first=first, **changed)
    return initial_model(MATERIAL, config, 0, folder, stage)


def found_by_vectors(model):
    """How often the mean of a held-out text's vectors finds its translation."""
    vectors = model.vectors.detach().numpy()

    def means(side):
        ends = pairwise(side.starts.tolist())
        return normalized(np.array([vectors[side.words[a:b]].mean(axis=0) for a, b in ends]))

    return pair_accuracy(means(MATERIAL.held_out.firsts), means(MATERIAL.held_out.seconds))


def test_drawn_vectors_are_those_of_the_seed(tmp_path):
    assert torch.equal(begun(PretrainInit.RANDOM, tmp_path).vectors, toy_model().vectors)
    assert not list(tmp_path.iterdir())


def test_shared_vectors_find_more_than_drawn_ones_and_aligned_ones_more_still(tmp_path):
    train = schedule(epochs=6, steps=10, learning_rate=0.02)
    bags = replace(CONFIG.bags, train=train, steps=10, size=64)
    drawn = found_by_vectors(begun(PretrainInit.RANDOM, tmp_path))
    shared = found_by_vectors(begun(PretrainInit.SHARED, tmp_path))
    (tmp_path / INITIAL).unlink()
    aligned = found_by_vectors(begun(PretrainInit.ALIGNED, tmp_path, bags=bags))
    assert drawn < shared <= aligned


def test_what_was_made_is_kept_and_not_made_again(tmp_path):
    made = begun(PretrainInit.ALIGNED, tmp_path)
    assert (tmp_path / INITIAL).is_file()
    stages = []

    def told(name, total, /):
        stages.append(name)
        return no_progress

    again = begun(PretrainInit.ALIGNED, tmp_path, told)
    assert stages == []
    for one, two in zip(made.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, two)
