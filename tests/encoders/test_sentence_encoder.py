import numpy as np
import pytest

from dragoman import registry
from dragoman.encoders.models import MODELS
from dragoman.encoders.sentence_encoder import load_encoder, normalized
from dragoman.errors import ConfigError, InputError, UnknownName


def test_rows_come_out_at_length_one_and_zero_stays_zero():
    found = normalized(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert found == pytest.approx(np.array([[0.6, 0.8], [0, 0]]))
    assert found.dtype == np.float32


def test_a_language_that_the_encoder_lacks_is_said_with_the_remedy(toy):
    encoder = toy("sw", {"maji": 0})
    encoder.require("sw")
    with pytest.raises(ConfigError, match=r"does not support 'vi'; it supports sw.*learn encoder"):
        encoder.require("vi")


def test_an_encoder_that_does_not_say_its_languages_is_taken_at_its_word(toy):
    encoder = toy("sw", {"maji": 0})
    encoder.languages = frozenset()
    assert encoder.supports("vi")


def test_an_unknown_encoder_is_named_with_the_known_ones():
    with pytest.raises(UnknownName, match="default"):
        load_encoder("defautl")


def test_a_folder_without_an_encoder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"neither student.json nor model.onnx"):
        load_encoder(tmp_path)


def test_a_missing_model_is_said_with_the_command_that_gets_it(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="dragoman models get default"):
        load_encoder("default")


@pytest.mark.parametrize("name", registry.ENCODERS)
def test_every_registered_encoder_can_be_fetched_under_its_name(name):
    assert name in MODELS


@pytest.mark.parametrize("scale", [1.0, 1e-22, 1e-30, 1e18])
def test_rows_of_any_size_get_length_one(scale):
    """The squares of small entries vanish in float32: lengths of 1.006 came out."""
    rows = np.random.default_rng(3).normal(size=(5, 300)).astype(np.float32) * np.float32(scale)
    assert np.linalg.norm(normalized(rows), axis=1) == pytest.approx(1, abs=1e-6)
