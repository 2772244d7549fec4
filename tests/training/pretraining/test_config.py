"""Settings are checked once."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.errors import ConfigError, UnknownName
from dragoman.training.loop import learning_rate
from dragoman.training.pretraining.config import (
    EncoderConfig,
    ObjectiveConfig,
    PretrainConfig,
    PretrainInit,
    TokenVectorConfig,
    pretrain_config,
    schedule,
)


def test_values_that_are_not_given_are_the_default_ones():
    assert pretrain_config() == PretrainConfig()
    changed = pretrain_config(first="drawn", steps=7, encoder={"size": 64, "heads": 2})
    assert changed.first is PretrainInit.RANDOM
    assert (changed.steps, changed.encoder.size, changed.encoder.layers) == (7, 64, 6)


def test_the_learning_rate_rises_and_falls_to_a_tenth():
    train = schedule(epochs=11, steps=20, learning_rate=0.01)
    assert learning_rate(train, 0, 1) == pytest.approx(0.01 / 11)
    assert learning_rate(train, 0, 11) == pytest.approx(0.01)
    assert learning_rate(train, 10, 220) == pytest.approx(0.001)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: EncoderConfig(layers=0), "layers, heads and inner of an encoder must be 1"),
        (lambda: EncoderConfig(inner=1), "size and inner must be 2 or more"),
        (lambda: EncoderConfig(size=10, heads=3), "size must be a multiple of heads"),
        (lambda: EncoderConfig(longest=4), "longest must be 8 tokens or more"),
        (lambda: ObjectiveConfig(masked=1.0), "masked must be between 0 and 1"),
        (lambda: ObjectiveConfig(translation=0.7, plain=0.5), "sum to at most 1"),
        (lambda: ObjectiveConfig(temperature=0), "temperature above 0"),
        (lambda: ObjectiveConfig(comparing=-1), "weights of ranking, comparing and teaching"),
        (lambda: ObjectiveConfig(exchanged=1), "exchanged must be from 0"),
        (lambda: ObjectiveConfig(drawn=-1), "drawn and taught must be 0 or more"),
        (lambda: TokenVectorConfig(size=1), "size must be 2 or more"),
        (lambda: PretrainConfig(steps=0), "steps, held_out and pieces_a_step must be 1"),
        (lambda: PretrainConfig(sentence=300), "two sentences or one piece fit into 512"),
        (lambda: PretrainConfig(plain_texts=-1), "plain_texts must be 0 or more"),
        (lambda: PretrainConfig(smoothing=2), "smoothing must be between 0 and 1"),
    ],
)
def test_values_out_of_range_are_refused(wrong, message):
    with pytest.raises(ConfigError, match=message):
        wrong()


def test_unknown_first_vectors_are_refused():
    with pytest.raises(UnknownName, match=r"first vectors 'sharde'\. Did you mean 'shared'"):
        pretrain_config(first="sharde")
