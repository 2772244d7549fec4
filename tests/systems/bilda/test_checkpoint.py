import json
from dataclasses import replace

import pytest

from dragoman.errors import ConfigError, InputError
from dragoman.systems.bilda.checkpoint import (
    STATE,
    TENSORS,
    has_checkpoint,
    load_checkpoint,
    save_checkpoint,
)
from dragoman.systems.bilda.config import SamplingSchedule, TopicConfig
from dragoman.systems.bilda.sampler import GibbsSampler
from planted import planted

CONFIG = TopicConfig(topics=5, schedule=SamplingSchedule(burn_in=4, every=3, sweeps=16))


@pytest.fixture
def corpus():
    return planted(documents=12).corpus


@pytest.mark.parametrize("stopped", [1, 4, 7, 15])
def test_a_training_continues_bit_for_bit(corpus, tmp_path, stopped):
    whole = GibbsSampler(corpus, CONFIG)
    expected = list(whole.sweeps())
    first = GibbsSampler(corpus, CONFIG)
    begun = [first.sweep() for _ in range(stopped)]
    save_checkpoint(tmp_path / "c", first)
    again = load_checkpoint(tmp_path / "c", corpus, CONFIG)
    assert begun + list(again.sweeps()) == expected
    assert again.assignments.tolist() == whole.assignments.tolist()
    assert again.model().signature == whole.model().signature


def test_other_settings_and_other_data_are_refused(corpus, tmp_path):
    sampler = GibbsSampler(corpus, CONFIG)
    sampler.sweep()
    save_checkpoint(tmp_path / "c", sampler)
    with pytest.raises(ConfigError, match="began with topics 5, now it is 6"):
        load_checkpoint(tmp_path / "c", corpus, replace(CONFIG, topics=6))
    with pytest.raises(ConfigError, match="began with data"):
        load_checkpoint(tmp_path / "c", planted(documents=11).corpus, CONFIG)


def test_a_damaged_checkpoint_is_refused(corpus, tmp_path):
    folder = tmp_path / "c"
    assert not has_checkpoint(folder)
    with pytest.raises(InputError, match="no facts"):
        load_checkpoint(folder, corpus, CONFIG)
    save_checkpoint(folder, GibbsSampler(corpus, CONFIG))
    assert has_checkpoint(folder)
    (folder / TENSORS).write_bytes(b"broken")
    with pytest.raises(InputError, match="expected a whole safetensors file"):
        load_checkpoint(folder, corpus, CONFIG)
    (folder / STATE).write_text(json.dumps({"format": "other", "version": 1}))
    with pytest.raises(InputError, match="found format 'other' version 1"):
        load_checkpoint(folder, corpus, CONFIG)
