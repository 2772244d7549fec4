"""Token vectors that find translations without layers."""

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.training.pretraining.batches import pad_sides
from dragoman.training.pretraining.config import schedule
from dragoman.training.pretraining.token_vectors import TokenVectorBatches, TokenVectorObjective
from dragoman.training.trainer import Trainer
from toy_pretraining import CONFIG, toy_data, toy_model

PAIRS = toy_data().training


def test_an_epoch_entered_late_is_the_same():
    batches = TokenVectorBatches(PAIRS, CONFIG)
    whole = [rows.tolist() for rows in batches.epoch(2)]
    assert len(whole) == len(batches) == 3
    assert [rows.tolist() for rows in batches.epoch(2, 1, 2)] == whole[1::2]
    assert [rows.tolist() for rows in batches.epoch(1)] != whole


def test_only_what_the_first_layer_reads_is_trained():
    model = toy_model()
    rows = np.arange(10)
    loss = TokenVectorObjective(PAIRS, 0.05)(model, rows)
    loss.backward()
    trained = {name for name, one in model.named_parameters() if one.grad is not None}
    assert trained == {f"encoder.embeddings.{name}" for name in (
        "word_embeddings.weight",
        "position_embeddings.weight",
        "token_type_embeddings.weight",
        "LayerNorm.weight",
        "LayerNorm.bias",
    )}  # fmt: skip


def test_states_before_any_layer_are_the_encoders_own():
    model = toy_model().eval()
    lines = pad_sides(PAIRS.firsts, PAIRS.seconds, np.arange(4))
    found = model.encoder(
        input_ids=model._tensor(lines.tokens),
        token_type_ids=model._tensor(lines.types),
        position_ids=model._tensor(lines.positions),
        attention_mask=model._tensor(lines.real),
        output_hidden_states=True,
    )
    assert found.hidden_states[0].equal(model.embeddings(lines))


def test_it_learns_to_find_translations():
    model = toy_model()
    batches = TokenVectorBatches(PAIRS, CONFIG)
    train = schedule(epochs=8, steps=len(batches), learning_rate=0.03)
    fitting = Trainer(model, batches, TokenVectorObjective(PAIRS, 0.05), train)
    fitting.run()
    assert fitting.epochs[-1].loss < 0.6 * fitting.epochs[0].loss
