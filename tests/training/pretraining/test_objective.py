"""The loss against transformers' own, and by hand."""

from dataclasses import replace
from math import log

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

import torch
from torch.nn import functional

from dragoman.encoders.transformer import mean_states
from dragoman.training.pretraining.batches import BatchKind, PretrainBatches
from dragoman.training.pretraining.config import ObjectiveConfig
from dragoman.training.pretraining.masking import MaskedTexts, pad_texts
from dragoman.training.pretraining.objective import (
    PretrainObjective,
    masked_loss,
    ranking_loss,
)
from dragoman.training.pretraining.teacher import TeacherVectors
from toy_pretraining import CONFIG, toy_data, toy_model, toy_vectors

MATERIAL = toy_data()


def batches(**changed):
    config = replace(CONFIG, objective=ObjectiveConfig(**changed))
    return list(PretrainBatches(MATERIAL, config, toy_vectors()).epoch(0))


def of_kind(kind, **changed):
    return next(batch for batch in batches(**changed) if batch.kind is kind)


def full_loss(model, states, batch):
    logits = model.logits(states.flatten(0, 1)[torch.from_numpy(batch.masked.indices)])
    return functional.cross_entropy(logits, torch.from_numpy(batch.masked.targets))


def test_with_all_tokens_as_candidates_it_is_the_whole_cross_entropy():
    model = toy_model().eval()
    batch = of_kind(BatchKind.CONCATENATED, drawn=100_000)
    assert len(batch.candidates) == MATERIAL.vocabulary
    with torch.no_grad():
        states = model.states(batch.masked.inputs)
        found = float(masked_loss(model, states, batch))
        assert found == pytest.approx(float(full_loss(model, states, batch)), rel=1e-4)


def test_samples_estimate_the_whole_cross_entropy():
    model = toy_model().eval()
    sampled, whole = [], []
    with torch.no_grad():
        for batch in batches(drawn=60):
            states = model.states(batch.masked.inputs)
            sampled.append(float(masked_loss(model, states, batch)))
            whole.append(float(full_loss(model, states, batch)))
    assert np.mean(sampled) == pytest.approx(np.mean(whole), rel=0.05)


def test_lines_without_hidden_tokens_cost_nothing():
    model = toy_model()
    batch = of_kind(BatchKind.SEPARATE)
    nothing = MaskedTexts(batch.masked.inputs, np.zeros(0, np.int64), np.zeros(0, np.int64))
    with torch.no_grad():
        states = model.states(batch.masked.inputs)
        assert float(masked_loss(model, states, replace(batch, masked=nothing))) == 0


def test_ranking_by_hand():
    firsts = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    seconds = torch.tensor([[3.0, 0.0], [1.0, 0.0]])
    alone = np.zeros((2, 2), dtype=bool)
    # cosines 1 1 / 0 0: both seconds look alike to a first, and the first one to both seconds
    there, back = log(2), (log(1 + np.exp(-2)) + log(1 + np.exp(2))) / 2
    found = float(ranking_loss(firsts, seconds, alone, 0.5))
    assert found == pytest.approx((there + back) / 2)
    same = np.array([[False, True], [True, False]])
    assert float(ranking_loss(firsts, seconds, same, 0.5)) == 0


def test_the_parts_of_the_loss_add_up():
    model = toy_model(taught=4).eval()
    batch = of_kind(BatchKind.SEPARATE)
    rng = np.random.default_rng(0)
    taught = TeacherVectors(
        np.arange(len(MATERIAL.training)) % 3 - 1, rng.normal(size=(2, 4)).astype(np.float16)
    )
    with torch.no_grad():
        parts = [
            float(PretrainObjective(MATERIAL.training, config, given)(model, batch))
            for config, given in (
                (ObjectiveConfig(ranking=0), None),
                (ObjectiveConfig(ranking=1), None),
                (ObjectiveConfig(ranking=0, teaching=1), taught),
                (ObjectiveConfig(ranking=2, teaching=3), taught),
            )
        ]
        states = model.states(batch.masked.inputs)
        means = mean_states(states, torch.from_numpy(batch.masked.inputs.real))
        known = [place for place, row in enumerate(batch.rows) if row % 3]
        wanted = torch.from_numpy(taught.vectors[[batch.rows[k] % 3 - 1 for k in known]]).float()
        cosines = [
            functional.cosine_similarity(model.repeats(means[[k + shift for k in known]]), wanted)
            for shift in (0, len(batch.rows))
        ]
    ranking, teaching = parts[1] - parts[0], parts[2] - parts[0]
    assert teaching == pytest.approx(1 - float(torch.cat(cosines).mean()), abs=1e-5)
    assert parts[3] == pytest.approx(parts[0] + 2 * ranking + 3 * teaching, rel=1e-4)


def test_only_pairs_read_apart_are_ranked():
    model = toy_model().eval()
    for kind in (BatchKind.CONCATENATED, BatchKind.PLAIN):
        batch = of_kind(kind)
        with torch.no_grad():
            with_ranking, without = (
                float(
                    PretrainObjective(MATERIAL.training, ObjectiveConfig(ranking=r))(model, batch)
                )
                for r in (5, 0)
            )
        assert with_ranking == without


def test_pairs_side_by_side_are_compared_by_their_mean_states():
    model = toy_model().eval()
    batch = of_kind(BatchKind.CONCATENATED)
    with torch.no_grad():
        parts = [
            float(PretrainObjective(MATERIAL.training, ObjectiveConfig(comparing=c))(model, batch))
            for c in (0, 1, 3)
        ]
        states = model.states(batch.masked.inputs)
        means = mean_states(states, torch.from_numpy(batch.masked.inputs.real))
        chances = torch.sigmoid(model.compares(means)[:, 0]).numpy()
    wanted = -np.log(np.where(batch.translations, chances, 1 - chances)).mean()
    assert parts[1] - parts[0] == pytest.approx(wanted, abs=1e-5)
    assert parts[2] - parts[0] == pytest.approx(3 * wanted, abs=1e-5)


def test_a_step_changes_only_the_vectors_it_reads():
    model = toy_model()
    batch = of_kind(BatchKind.SEPARATE, drawn=5)
    PretrainObjective(MATERIAL.training, ObjectiveConfig())(model, batch).backward()
    gradient = model.vectors.grad
    assert gradient.is_sparse
    rows = set(gradient.coalesce().indices()[0].tolist())
    read = set(batch.masked.inputs.tokens.ravel().tolist()) | set(batch.candidates.tolist())
    assert rows - {0} == read - {0}  # padding is not learnt


def test_a_text_far_from_its_line_start_reads_its_places():
    model = toy_model().eval()
    plain = MATERIAL.plain
    rows = np.array([0])
    with torch.no_grad():
        here = model.states(pad_texts(plain.tokens, rows))
        there = model.states(pad_texts(plain.tokens, rows, np.array([7])))
    assert not torch.allclose(here, there, atol=1e-4)
