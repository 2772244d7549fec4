"""Models that are saved, and refused if they changed."""

import json
from dataclasses import dataclass

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import InputError, UnknownName
from dragoman.storage.facts import Format
from dragoman.training.parameters import parameters_digest
from dragoman.training.saved_model import SavedModel, read_model_facts

FORMAT = Format("toy", 1, "a test")


@dataclass(frozen=True)
class ToyConfig:
    size: int = 2


class ToyModel(SavedModel[ToyConfig]):
    def __init__(self, config, facts=None):
        super().__init__(config, facts)
        self.layer = torch.nn.Linear(config.size, 1)

    @property
    def signature(self):
        return parameters_digest(self).hex()

    def write(self, folder):
        self.write_facts(FORMAT, folder / "model.json", extra=3)


def test_facts_are_read_back(tmp_path):
    model = ToyModel(ToyConfig(4), {"trained on": "toys"})
    model.save(tmp_path / "model")
    config, signature, facts = read_model_facts(FORMAT, tmp_path / "model/model.json", ToyConfig)
    assert (config, signature) == (ToyConfig(4), model.signature)
    assert facts == {"extra": 3, "trained on": "toys"}


def test_unknown_settings_are_refused(tmp_path):
    ToyModel(ToyConfig()).save(tmp_path / "model")
    path = tmp_path / "model/model.json"
    saved = json.loads(path.read_text())
    path.write_text(json.dumps({**saved, "config": {"sizes": 2}}))
    with pytest.raises(UnknownName, match="Did you mean 'size'"):
        read_model_facts(FORMAT, path, ToyConfig)


def test_a_model_that_computes_something_else_is_refused(tmp_path):
    model = ToyModel(ToyConfig()).train()
    assert not model.verify(tmp_path, model.signature).training
    with pytest.raises(
        InputError, match=r"found a model whose signature is .* here; expected a\|1"
    ):
        model.verify(tmp_path, "a|1")
