"""``dragoman train smooth``, then index and search."""

import json

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from commands import run
from dragoman.errors import ConfigError
from small_graded import write_collection

QUICK = ["--epochs", "8", "--batch", "16", "--learning-rate", "0.05"]


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    return write_collection(tmp_path_factory.mktemp("graded"))


def test_trained_indexed_and_searched(collection, tmp_path):
    printed = run("train", "smooth", collection, "-o", tmp_path / "model", *QUICK)
    assert "measured on 15 test queries" in printed
    assert "nDCG@5" in printed
    index = tmp_path / "index"
    run("index", collection / "corpus.jsonl", "-o", index, "--system", "smooth", "--model",
        tmp_path / "model")  # fmt: skip
    answer = json.loads(
        run("search", index, "thing3", "-k", 3, "--query-language", "en", "--no-group", "--json")
    )
    assert all(hit["id"].startswith("it-3-") for hit in answer["hits"])


def test_padding_is_counted_and_numbers_are_short_where_asked(collection, tmp_path):
    printed = run("train", "smooth", collection, "-o", tmp_path / "model", *QUICK,
               "--count-padding", "--precision", "bf16", "--json")  # fmt: skip
    settings = json.loads(printed)["settings"]
    assert settings["model"]["count_padding"] is True
    assert settings["train"]["precision"] == "bf16"


def test_thresholds_can_be_searched_and_the_report_is_json(collection, tmp_path):
    printed = run("train", "smooth", collection, "-o", tmp_path / "model", *QUICK, "--thresholds",
               "grid", "--json")  # fmt: skip
    report = json.loads(printed)
    assert len(report["settings"]["thresholds"]) == 2
    assert 0 <= report["test"]["AP"] <= 1


def test_wrong_options_are_refused(collection, tmp_path):
    with pytest.raises(ConfigError, match="thresholds must be numbers joined by commas"):
        run("train", "smooth", collection, "-o", tmp_path / "m", "--thresholds", "a,b")
    with pytest.raises(ConfigError, match="rise strictly between -1 and 1"):
        run("train", "smooth", collection, "-o", tmp_path / "m", "--thresholds", "0.9,0.1")
