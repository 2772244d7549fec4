import pytest

from dragoman.encoders.models import MODELS, describe_models, find_model
from dragoman.errors import UnknownName
from dragoman.text.languages import canonical


def test_a_misspelt_model_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'default'"):
        find_model("defautl")


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
def test_every_model_is_pinned_and_speaks_canonical_codes(model):
    assert len(model.sha256) == len(model.wheel_sha256) == 64
    assert {canonical(code) for code in model.languages} == model.languages


def test_what_is_not_here_is_listed_with_its_command(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path))
    assert "dragoman models get default" in describe_models()[0]["where"]
