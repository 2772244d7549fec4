"""The learning rate of a step: it rises, then falls by epoch."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.errors import ConfigError
from dragoman.training.config import TrainConfig
from dragoman.training.loop import learning_rate


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
