"""The loop with everything around it: resumed, interrupted, stopped early, validated."""

import json
import os
import signal
from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import ConfigError, DragomanError, InputError, UserError
from dragoman.training import trainer as module
from dragoman.training.config import TrainConfig
from dragoman.training.log import read_log
from dragoman.training.trainer import CHECKPOINT, LOG, Interrupted, Trainer
from training_examples import Examples, Scorer, parameters

CONFIG = TrainConfig(epochs=4, learning_rate=0.05, decay=0.9, max_gradient_norm=0.5, seed=3)


def fitted(folder=None, *, config=CONFIG, advance=None, validation=None):
    examples = Examples()
    fitting = Trainer(
        Scorer(),
        examples,
        examples.loss,
        config,
        folder=folder,
        validation=validation,
        advance=advance or (lambda steps=1: None),
    )
    fitting.resume()
    fitting.run()
    return fitting


def killed_after(steps):
    """An ``advance`` that presses Ctrl-C once, during the given step."""
    done = 0

    def advance(more=1):
        nonlocal done
        done += more
        if done == steps:
            os.kill(os.getpid(), signal.SIGINT)

    return advance


def test_the_loss_falls():
    epochs = fitted(config=replace(CONFIG, epochs=10)).epochs
    assert epochs[-1].loss < 0.5 * epochs[0].loss
    assert [epoch.steps for epoch in epochs] == [5] * 10


def test_the_same_training_twice_gives_the_same_bits():
    assert parameters(fitted().model) == parameters(fitted().model)


def test_another_seed_gives_another_model():
    other = replace(CONFIG, seed=4)
    assert parameters(fitted().model) != parameters(fitted(config=other).model)


@pytest.mark.parametrize("step", [1, 5, 7, 13])
def test_interrupted_and_resumed_it_ends_bit_for_bit_the_same(tmp_path, step):
    whole = fitted(tmp_path / "whole")
    with pytest.raises(Interrupted):
        fitted(tmp_path / "cut", advance=killed_after(step))
    assert (tmp_path / "cut" / CHECKPOINT).is_dir()
    resumed = fitted(tmp_path / "cut")
    assert parameters(resumed.model) == parameters(whole.model)
    assert [epoch.loss for epoch in resumed.epochs] == [epoch.loss for epoch in whole.epochs]
    for folder in ("whole", "cut"):
        assert not (tmp_path / folder / CHECKPOINT).exists()
    losses = [
        [line["loss"] for line in read_log(tmp_path / folder / LOG)] for folder in ("whole", "cut")
    ]
    assert losses[0] == losses[1]


def test_killed_twice_it_still_ends_the_same(tmp_path):
    whole = fitted()
    for step in (4, 12):
        with pytest.raises(Interrupted):
            fitted(tmp_path, advance=killed_after(step))
    assert parameters(fitted(tmp_path).model) == parameters(whole.model)


def test_a_checkpoint_goes_on_with_its_own_settings_only(tmp_path):
    with pytest.raises(Interrupted):
        fitted(tmp_path, advance=killed_after(3))
    with pytest.raises(ConfigError, match=r"began with learning_rate 0\.05; now it is 0\.1"):
        fitted(tmp_path, config=replace(CONFIG, learning_rate=0.1))


def test_a_damaged_checkpoint_is_refused(tmp_path):
    with pytest.raises(Interrupted):
        fitted(tmp_path, advance=killed_after(3))
    (tmp_path / CHECKPOINT / "model.safetensors").write_bytes(b"\x08")
    with pytest.raises(InputError, match="a whole safetensors file"):
        fitted(tmp_path)
    (tmp_path / CHECKPOINT / "state.json").write_text(json.dumps({"format": "other"}))
    with pytest.raises(InputError, match="found format 'other'"):
        fitted(tmp_path)


def test_it_stops_when_the_validation_no_longer_rises_and_keeps_the_best(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "SECONDS_BETWEEN_CHECKPOINTS", 0)
    values = iter([0.1, 0.5, 0.4, 0.3, 0.9])
    seen = []

    def validation():
        seen.append(None)
        return {"measure": next(values)}

    config = replace(CONFIG, epochs=9, patience=2)
    fitting = fitted(tmp_path, config=config, validation=validation)
    assert len(seen) == 4
    assert (fitting.progress.best, fitting.progress.best_epoch) == (0.5, 2)
    second = fitted(config=replace(config, epochs=2, patience=0))
    assert parameters(fitting.model) == parameters(second.model)
    assert [line["validation"]["measure"] for line in read_log(tmp_path / LOG)] == [
        0.1,
        0.5,
        0.4,
        0.3,
    ]


def test_the_best_epoch_survives_an_interruption(tmp_path):
    def validation_of(model_values):
        values = iter(model_values)
        return lambda: {"measure": next(values)}

    whole = fitted(validation=validation_of([0.9, 0.2, 0.3, 0.1]))
    with pytest.raises(Interrupted):
        fitted(tmp_path, advance=killed_after(8), validation=validation_of([0.9]))
    again = fitted(tmp_path, validation=validation_of([0.2, 0.3, 0.1]))
    assert again.progress.best_epoch == 1
    assert parameters(again.model) == parameters(whole.model)


def test_a_loss_that_is_no_number_stops_the_training():
    examples = Examples()
    fitting = Trainer(
        Scorer(), examples, lambda m, rows: examples.loss(m, rows) * torch.nan, CONFIG
    )
    with pytest.raises(DragomanError, match="nan in step 1 of epoch 1: the training has diverged"):
        fitting.run()


def test_no_epochs_leave_the_model_as_it_was():
    assert parameters(fitted(config=replace(CONFIG, epochs=0)).model) == parameters(Scorer())


def test_the_callers_generator_is_left_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    fitted()
    assert torch.equal(torch.rand(3), expected)


def test_the_signal_handler_is_put_back():
    before = signal.getsignal(signal.SIGINT)
    fitted()
    assert signal.getsignal(signal.SIGINT) is before


def test_bfloat16_trains_and_keeps_float32_parameters():
    half = fitted(config=replace(CONFIG, epochs=1, precision="bf16"))
    assert half.model.weight.dtype == torch.float32
    assert half.epochs[0].loss == pytest.approx(fitted().epochs[0].loss, rel=0.1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"epochs": -1}, "epochs and patience must be 0 or more"),
        ({"learning_rate": 0.0}, "learning_rate must be above 0"),
        ({"decay": 1.5}, "decay must be above 0 and at most 1"),
        ({"max_gradient_norm": -1.0}, "max_gradient_norm must be 0 or more"),
        ({"precision": "fp4"}, "Unknown precision 'fp4'. Known: bf16, no"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, message):
    with pytest.raises(UserError, match=message):
        TrainConfig(**wrong)
