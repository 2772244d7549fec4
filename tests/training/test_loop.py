"""The learning rate of a step, which rises, then falls by epoch, and the norm of its gradient."""

import math

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch
from accelerate import Accelerator

from dragoman.errors import ConfigError
from dragoman.training.config import TrainConfig
from dragoman.training.loop import learning_rate, run_epoch
from dragoman.training.optimizer import RowAdam


def test_the_learning_rate_rises_evenly_and_then_stays():
    config = TrainConfig(learning_rate=0.4, warm_up=4)
    found = [learning_rate(config, 0, step) for step in range(1, 7)]
    assert found == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.4, 0.4])


def test_without_a_warm_up_the_first_step_is_whole_and_epochs_decay():
    config = TrainConfig(learning_rate=0.4, decay=0.5)
    assert learning_rate(config, 0, 1) == 0.4
    assert learning_rate(config, 2, 100) == pytest.approx(0.1)


def test_a_warm_up_of_less_than_no_steps_is_refused():
    with pytest.raises(ConfigError, match="warm_up must be 0 or more steps, got -1"):
        TrainConfig(warm_up=-1)


def test_clipping_at_infinity_measures_the_gradient_and_changes_nothing():
    def steps(most: float) -> tuple[list[float | None], list[float]]:
        model = torch.nn.Linear(1, 1, bias=False)
        torch.nn.init.constant_(model.weight, 1.0)
        optimizer = RowAdam(model.parameters(), 0.1)
        taken = run_epoch(
            model,
            Repeated(3),
            lambda model, batch: (model(batch) - 4).square().mean(),
            optimizer,
            TrainConfig(max_gradient_norm=most),
            Accelerator(cpu=True),
            epoch=0,
        )
        found = [(step.gradient_norm, float(model.weight.detach())) for step in taken]
        return [norm for norm, _ in found], [weight for _, weight in found]

    no_norms, plain = steps(0.0)
    norms, measured = steps(math.inf)
    assert no_norms == [None] * 3
    assert measured == plain
    # d/dw (w - 4)^2 = 2 (w - 4), at the weight before each step
    assert norms == pytest.approx([2 * (4 - weight) for weight in (1.0, *plain[:2])])
    clipped, _ = steps(0.5)
    assert clipped[0] == pytest.approx(6)  # before clipping


class Repeated:
    """The same batch again and again."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def epoch(self, number, start=0, stride=1):
        del number
        for _ in range(start, self.count, stride):
            yield torch.ones((1, 1))
