import signal

import pytest

from dragoman.systems.bilda import training
from dragoman.systems.bilda.checkpoint import load_checkpoint, save_checkpoint
from dragoman.systems.bilda.config import SamplingSchedule, TopicConfig
from dragoman.systems.bilda.sampler import GibbsSampler
from dragoman.systems.bilda.training import train
from planted import planted

CONFIG = TopicConfig(topics=5, schedule=SamplingSchedule(burn_in=4, every=3, sweeps=16))


@pytest.fixture
def corpus():
    return planted(documents=12).corpus


def test_training_continues_from_its_checkpoint_after_an_error(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "CHECKPOINT_EVERY", 5)
    reported = []

    def fail_at_eight(sweep):
        reported.append(sweep.number)
        if sweep.number == 8:
            raise RuntimeError("the power went out")

    with pytest.raises(RuntimeError, match="power"):
        train(corpus, CONFIG, tmp_path / "c", fail_at_eight)
    reported.clear()
    model = train(corpus, CONFIG, tmp_path / "c", lambda sweep: reported.append(sweep.number))
    assert reported == list(range(6, 17))
    assert model.signature == train(corpus, CONFIG).signature


def test_ctrl_c_saves_the_current_sweep(corpus, tmp_path):
    def interrupt_at_seven(sweep):
        if sweep.number == 7:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train(corpus, CONFIG, tmp_path / "c", interrupt_at_seven)
    assert load_checkpoint(tmp_path / "c", corpus, CONFIG).sweeps_done == 7


def test_a_finished_training_gives_its_model_at_once(corpus, tmp_path):
    sampler = GibbsSampler(corpus, CONFIG)
    list(sampler.sweeps())
    save_checkpoint(tmp_path / "c", sampler)
    reported = []
    model = train(corpus, CONFIG, tmp_path / "c", reported.append)
    assert reported == []
    assert model.signature == sampler.model().signature
    assert model.facts == sampler.model().facts
