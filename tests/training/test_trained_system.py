"""What systems with a trained model have in common."""

import pytest

from dragoman.errors import IndexFault
from dragoman.training.trained_system import TrainedSystem
from dragoman.types import Query


class ToyModel:
    def __init__(self, signature="toy|1"):
        self.signature = signature

    def save(self, folder):
        folder.mkdir(parents=True)
        (folder / "signature").write_text(self.signature)


class ToySystem(TrainedSystem[ToyModel]):
    name = "toy"
    languages = ("sw", "en")
    options = {"mode": "fast"}  # noqa: RUF012 - a property elsewhere

    @classmethod
    def load_model(cls, folder):
        return ToyModel((folder / "signature").read_text())


class OtherSystem(ToySystem):
    name = "other"


def test_settings_are_the_signature_and_the_options():
    system = ToySystem(ToyModel())
    assert system.settings == {"model": "toy|1", "mode": "fast"}
    assert system.treatment("en") == "toy|1"


def test_it_is_saved_and_loaded(tmp_path):
    ToySystem(ToyModel("toy|2")).save(tmp_path)
    assert ToySystem.load(tmp_path).settings["model"] == "toy|2"
    with pytest.raises(IndexFault, match="found 'toy'; expected 'other'"):
        OtherSystem.load(tmp_path)


def test_queries_in_other_languages_get_a_warning():
    system = ToySystem(ToyModel())
    assert system.query_warning(Query("q", "maji", "sw")) is None
    warning = "the model was trained on queries in en, sw; one in de finds nothing"
    assert system.query_warning(Query("q", "Wasser", "de")) == warning
    assert "an unknown language" in system.query_warning(Query("q", "?", ""))
