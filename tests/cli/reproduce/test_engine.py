"""``dragoman reproduce engine``."""

import pytest
from typer.testing import CliRunner

from dragoman.cli import app
from small_data import write_data
from toys import toy_encoder

WORDS = {"house": 0, "nyumba": 0, "water": 1, "maji": 1}


@pytest.fixture
def data(tmp_path, monkeypatch):
    toy = toy_encoder("en", WORDS)
    toy.languages = frozenset({"en", "sw"})
    monkeypatch.setattr("dragoman.encoders.family.load_encoder", lambda name: toy)
    return write_data(tmp_path / "data")


def test_the_engine_is_measured_on_the_data_and_on_named_collections(data, tmp_path):
    page, cache = tmp_path / "results.md", tmp_path / "indexes"
    options = ["--collection", str(data / "packages"), "-o", str(page), "--cache", str(cache)]
    result = CliRunner().invoke(app, ["reproduce", "engine", str(data), *options])
    assert result.exit_code == 0, result.output
    text = page.read_text(encoding="utf-8")
    assert "| afriqa-sw | sw (1) | en | **1.000** | **1.000** | **1.000** |" in text
    assert "| packages | en (1) | sw | **1.000** | **1.000** | **1.000** |" in text
    assert f"--collection {data / 'packages'}" in text
    assert len(list(cache.iterdir())) == 2
