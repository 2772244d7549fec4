"""Short trainings: their gradient norms, losses and values, on a toy collection."""

import math
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.experiments.smooth import stability_runs
from dragoman.experiments.smooth.plan import TINY, stability
from dragoman.experiments.smooth.stability_runs import (
    FirstVectors,
    StabilityResult,
    bounded_gap,
    mean_loss,
    run_stability,
    train_one_epoch,
)
from dragoman.systems.smooth import theory
from dragoman.systems.smooth.config import SmoothModelConfig
from dragoman.systems.smooth.losses import SmoothOrdinalSearchLoss
from dragoman.systems.smooth.objective import SmoothObjective, build_loss
from dragoman.systems.smooth.training import build_dataset, initial_model, training_batches
from dragoman.systems.smooth.training_data import JudgedPairs, read_training_data
from dragoman.systems.smooth.vocabulary import SmoothTokenizer
from dragoman.text.collection import Collection
from small_graded import write_collection


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = write_collection(tmp_path_factory.mktemp("graded"))
    return read_training_data(Collection.open(folder), SmoothTokenizer(SmoothModelConfig()))


@pytest.fixture(scope="module")
def vectors():
    rows = np.random.default_rng(0).standard_normal((10, 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    own = np.full(5, 3.0)
    english = WordVectors("en", tuple(f"thing{n}" for n in range(5)), rows[:5], lengths=own)
    italian = WordVectors("it", tuple(f"cosa{n}" for n in range(5)), rows[5:], lengths=own)
    return {"en": english, "it": italian}


def drawn(**settings):
    """The first training of the tiny scale, with other settings of its loop."""
    training = stability(TINY, [FirstVectors.DRAWN])[0]
    config = training.config
    return replace(training, config=replace(config, train=replace(config.train, **settings)))


def test_every_combination_is_trained_once_and_only_once(data, tmp_path, monkeypatch):
    trainings = stability(TINY, [FirstVectors.DRAWN])
    assert len({training.name for training in trainings}) == len(trainings) == 2 * 2 * 2 * 2
    first = run_stability(trainings, data, {}, tmp_path)
    monkeypatch.setattr(stability_runs, "train_one_epoch", lambda *_: pytest.fail("trained again"))
    again = run_stability(trainings, data, {}, tmp_path)
    for training, result in first.items():
        assert again[training].norms.tolist() == result.norms.tolist()
        assert again[training].values.tolist() == result.values.tolist()
        assert again[training].gap == result.gap
    other = replace(trainings[0], config=replace(trainings[0].config, thresholds=(0.1, 0.5)))
    assert run_stability([other], data, {}, tmp_path, only_done=True) == {}
    with pytest.raises(pytest.fail.Exception, match="trained again"):
        run_stability([other], data, {}, tmp_path)


@pytest.mark.parametrize(("clip", "trained"), [(100.0, 1), (1e-3, 2)])
def test_a_clip_that_never_acts_is_not_trained(data, tmp_path, monkeypatch, clip, trained):
    plain, clipped = drawn(max_gradient_norm=0.0), drawn(max_gradient_norm=clip)
    expected = train_one_epoch(clipped, build_dataset(data, clipped.config, {}), {})
    seen = []
    monkeypatch.setattr(
        stability_runs,
        "train_one_epoch",
        lambda training, *rest: seen.append(training) or train_one_epoch(training, *rest),
    )
    found = run_stability([plain, clipped], data, {}, tmp_path)[clipped]
    assert len(seen) == trained
    assert found.norms.tolist() == expected.norms.tolist()
    assert found.values.tolist() == expected.values.tolist()


def test_the_first_norm_is_that_of_the_gradient_before_clipping(data):
    training = drawn(max_gradient_norm=1e-3)
    config = training.config
    dataset = build_dataset(data, config, {})
    model = initial_model(dataset, config, {})
    loss = build_loss(config, data.classes)
    batch = next(iter(training_batches(dataset, config).epoch(0)))
    SmoothObjective(dataset.queries, dataset.documents, loss)(model, batch).backward()
    gradients = [parameter.grad.to_dense().ravel() for parameter in model.parameters()]
    expected = float(torch.cat(gradients).norm())
    assert expected > 1e-3
    found = train_one_epoch(training, dataset, {})
    assert found.norms[0] == pytest.approx(expected, rel=1e-5)


def test_the_losses_are_means_over_pairs():
    pairs = JudgedPairs(np.zeros(3, dtype=int), np.arange(3), np.array([0, 1, 2]))
    scores = np.array([0.4, 0.4, 0.4])
    # .2 above the first interval, inside of the second, .3 below the third
    found = mean_loss(scores, pairs, SmoothOrdinalSearchLoss())
    assert found == pytest.approx((0.04 + 0 + 0.09) / 3)


def test_a_training_that_diverges_ranks_nothing(data):
    training = drawn(learning_rate=1e38)
    result = train_one_epoch(training, build_dataset(data, training.config, {}), {})
    assert result.diverged
    assert result.values.tolist() == [0.0] * len(np.unique(data.pairs["test"].queries))
    assert result.train_loss == math.inf


def test_given_vectors_begin_with_length_eight_or_one_or_their_own(data, vectors, monkeypatch):
    lengths = {}

    def measured(model, *_):
        table = model.documents.table.weight.detach()
        rows = model.document_words.rows(vectors["it"].words, "it")
        lengths[training.first] = table[rows].norm(dim=1).tolist()

    monkeypatch.setattr(stability_runs, "run_epoch", lambda model, *_, **__: measured(model) or [])
    monkeypatch.setattr(stability_runs, "_measure", lambda *_: None)
    for first in (FirstVectors.GIVEN, FirstVectors.SHORT, FirstVectors.OWN):
        training = stability(TINY, [first])[0]
        train_one_epoch(training, build_dataset(data, training.config, vectors), vectors)
    assert lengths[FirstVectors.GIVEN] == pytest.approx([8.0] * 5)
    assert lengths[FirstVectors.SHORT] == pytest.approx([1.0] * 5)
    assert lengths[FirstVectors.OWN] == pytest.approx([3.0] * 5)


def test_theorem_3_has_a_bound_for_the_smooth_cosine_alone():
    plain, *_, smooth = stability(TINY, [FirstVectors.DRAWN])
    result = StabilityResult(np.ones(7), False, 100, 0.1, 0.3, np.ones(2))
    assert result.gap == pytest.approx(0.2)
    assert bounded_gap(plain, result) == math.inf
    expected = theory.sosl_generalisation_gap(
        100, 7, epsilon=1.0, thresholds=smooth.config.thresholds, step=0.01, delta=0.05
    )
    assert bounded_gap(smooth, result) == expected
