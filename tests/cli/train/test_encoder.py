"""``dragoman train encoder``, as a person runs it."""

import gzip
import json

import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

from commands import run
from dragoman.encoders.transformer import load_transformer
from dragoman.errors import ConfigError, UnknownName
from toy_bitext import sentences

SHAPE = ["--pieces", "150", "--size", "16", "--layers", "2", "--heads", "2", "--inner", "32"]
QUICK = [*SHAPE, "--epochs", "1", "--steps", "4", "--batch", "8", "--bag-epochs", "1",
         "--bag-steps", "2"]  # fmt: skip


@pytest.fixture(scope="module")
def bitext(tmp_path_factory):
    path = tmp_path_factory.mktemp("bitext") / "en-sw.tsv.gz"
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(f"{english}\t{swahili}\ttoy\n" for english, swahili in sentences(100))
    return path


def test_it_says_what_it_made_and_the_folder_loads(bitext, tmp_path):
    said = run("train", "encoder", bitext, "-o", tmp_path / "encoder", *QUICK)
    assert "the encoder of epoch 1 of 1" in said
    assert "en-sw" in said
    assert "translations retrieved among 10" in said
    assert "given the translation" in said
    assert load_transformer(tmp_path / "encoder", layers=1).layers == 1


def test_the_report_is_json(bitext, tmp_path):
    said = run("train", "encoder", bitext, "-o", tmp_path / "e", *QUICK, "--json", "--ranking", "0",
               "--first", "drawn")  # fmt: skip
    report = json.loads(said)
    assert report["settings"]["objective"]["ranking"] == 0
    assert report["settings"]["first"] == "drawn"
    assert report["perplexity"]["together"] > 1


def test_wrong_settings_are_refused_before_anything_is_read(tmp_path):
    (tmp_path / "not-bitext.tsv").write_bytes(b"\xff")
    command = ["train", "encoder", tmp_path / "not-bitext.tsv", "-o", tmp_path / "e"]
    with pytest.raises(UnknownName, match="Unknown first vectors 'none'"):
        run(*command, "--first", "none")
    with pytest.raises(ConfigError, match="size must be a multiple of heads"):
        run(*command, "--size", "10", "--heads", "4")
