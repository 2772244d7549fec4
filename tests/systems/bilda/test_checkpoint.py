import json
from dataclasses import replace

import pytest

from dragoman.errors import ConfigError, InputError
from dragoman.systems.bilda import learning
from dragoman.systems.bilda.checkpoint import (
    STATE,
    TENSORS,
    has_checkpoint,
    load_checkpoint,
    save_checkpoint,
)
from dragoman.systems.bilda.config import Schedule, TopicConfig
from dragoman.systems.bilda.learning import learn
from dragoman.systems.bilda.objective import Chain
from planted import planted

CONFIG = TopicConfig(topics=5, schedule=Schedule(burn_in=4, every=3, sweeps=16))


@pytest.fixture
def corpus():
    return planted(documents=12).corpus


@pytest.mark.parametrize("stopped", [1, 4, 7, 15])
def test_a_training_goes_on_bit_for_bit(corpus, tmp_path, stopped):
    whole = Chain(corpus, CONFIG)
    expected = list(whole.sweeps())
    first = Chain(corpus, CONFIG)
    begun = [first.advance() for _ in range(stopped)]
    save_checkpoint(tmp_path / "c", first)
    again = load_checkpoint(tmp_path / "c", corpus, CONFIG)
    assert begun + list(again.sweeps()) == expected
    assert again.drawn.tolist() == whole.drawn.tolist()
    assert again.model().signature == whole.model().signature


def test_learning_goes_on_from_its_checkpoint_after_an_error(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(learning, "KEPT_EVERY", 5)
    told = []

    def fail_at_eight(sweep):
        told.append(sweep.number)
        if sweep.number == 8:
            raise RuntimeError("the power went out")

    with pytest.raises(RuntimeError, match="power"):
        learn(corpus, CONFIG, tmp_path / "c", fail_at_eight)
    told.clear()
    model = learn(corpus, CONFIG, tmp_path / "c", lambda sweep: told.append(sweep.number))
    assert told == list(range(6, 17))
    assert model.signature == learn(corpus, CONFIG).signature


def test_ctrl_c_keeps_the_sweep_at_hand(corpus, tmp_path):
    import signal

    def interrupt_at_seven(sweep):
        if sweep.number == 7:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        learn(corpus, CONFIG, tmp_path / "c", interrupt_at_seven)
    assert load_checkpoint(tmp_path / "c", corpus, CONFIG).done == 7


def test_a_training_that_was_done_gives_its_model_at_once(corpus, tmp_path):
    chain = Chain(corpus, CONFIG)
    list(chain.sweeps())
    save_checkpoint(tmp_path / "c", chain)
    told = []
    model = learn(corpus, CONFIG, tmp_path / "c", told.append)
    assert told == []
    assert model.signature == chain.model().signature
    assert model.facts == chain.model().facts


def test_other_settings_and_other_data_are_refused(corpus, tmp_path):
    chain = Chain(corpus, CONFIG)
    chain.advance()
    save_checkpoint(tmp_path / "c", chain)
    with pytest.raises(ConfigError, match="began with topics 5, now it is 6"):
        load_checkpoint(tmp_path / "c", corpus, replace(CONFIG, topics=6))
    with pytest.raises(ConfigError, match="began with data"):
        load_checkpoint(tmp_path / "c", planted(documents=11).corpus, CONFIG)


def test_a_damaged_checkpoint_is_told(corpus, tmp_path):
    folder = tmp_path / "c"
    assert not has_checkpoint(folder)
    with pytest.raises(InputError, match="no facts"):
        load_checkpoint(folder, corpus, CONFIG)
    save_checkpoint(folder, Chain(corpus, CONFIG))
    assert has_checkpoint(folder)
    (folder / TENSORS).write_bytes(b"broken")
    with pytest.raises(InputError, match="expected a whole safetensors file"):
        load_checkpoint(folder, corpus, CONFIG)
    (folder / STATE).write_text(json.dumps({"format": "other", "version": 1}))
    with pytest.raises(InputError, match="found format 'other' version 1"):
        load_checkpoint(folder, corpus, CONFIG)
