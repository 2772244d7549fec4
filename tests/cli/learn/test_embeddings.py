import json

import pytest
from typer.testing import CliRunner

from dragoman.cli import app
from dragoman.embeddings.readers.loader import open_vectors
from dragoman.errors import ConfigError, UnknownName
from toy_bitext import TRANSLATIONS, sentences


@pytest.fixture
def files(tmp_path):
    lines = ["\t".join(pair) for pair in sentences(300)]
    (tmp_path / "en-sw.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    entries = ["\t".join(pair) for pair in TRANSLATIONS.items()]
    (tmp_path / "words.tsv").write_text("\n".join(entries) + "\n", encoding="utf-8")
    return tmp_path


def run(*arguments):
    asked = ["learn", "embeddings", *map(str, arguments), "--languages", "en-sw"]
    return CliRunner().invoke(app, asked, env={"COLUMNS": "200"})


def test_vectors_of_both_languages_come_out_with_their_accuracy(files):
    found = run(
        *(files / "en-sw.tsv", "--dictionary", files / "words.tsv", "-o", files / "vectors"),
        *("--dimension", 8),
    )
    assert found.exit_code == 0, found.output
    assert "16 words of en and 16 of sw, 8 dimensions" in found.stdout
    assert "en-sw: the nearest word is a correct translation for" in found.stdout
    assert "of 3 words (P@1 by CSLS" in found.stdout
    assert open_vectors(files / "vectors", "sw").dimension == 8


def test_the_report_as_json(files):
    found = run(files / "en-sw.tsv", "-o", files / "x", "--method", "procrustes", "--json")
    report = json.loads(found.stdout)
    assert report["settings"]["method"] == "procrustes"
    assert report["accuracy"]["origin"] == "words of held-out sentences"


def test_an_unknown_method_names_the_known_ones(files):
    found = run(files / "en-sw.tsv", "-o", files / "x", "--method", "magic")
    assert isinstance(found.exception, UnknownName)
    assert "Known: direct, procrustes" in str(found.exception)


def test_bitext_is_needed(files):
    found = run("-o", files / "x")
    assert isinstance(found.exception, ConfigError)
    assert "found no bitext" in str(found.exception)
    assert not (files / "x").exists()
