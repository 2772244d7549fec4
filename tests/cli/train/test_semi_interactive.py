"""``dragoman train`` of the three transformers, and what comes after it."""

import json

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from typer.testing import CliRunner

from dragoman.cli import app
from titled_collection import write_collection
from toy_relevance import WORDS, save_encoder

QUICK = ["--epochs", "1", "--batch", "8", "--max-length", "32", "--learning-rate", "1e-3"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    root = tmp_path_factory.mktemp("commands")
    write_collection(root / "collection")
    save_encoder(root / "encoder", WORDS, layers=1)
    return root


def run(*arguments):
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def train(place, kind, name, *options):
    source = place / "collection"
    encoder = ["--encoder", place / "encoder"]
    return run("train", kind, source, *encoder, "-o", place / name, *QUICK, *options)


def test_from_training_to_search(place):
    said = train(place, "interactive", "teacher")
    assert "the model of epoch 1 of 1, measured on 30 test pairs" in said
    train(place, "non-interactive", "plain", "--teacher", place / "teacher", "--alpha", "0.5")
    options = ["--teacher", place / "teacher", "--distillation", "symmetric", "--export", "--json"]
    report = json.loads(train(place, "semi-interactive", "semi", *options))
    assert report["export"]["speed_up"] > 0
    assert report["languages"] == {"queries": ["en"], "documents": ["it"]}
    corpus = place / "collection" / "corpus.jsonl"
    for system, model in (("non-interactive", "plain"), ("semi-interactive", "semi")):
        index = place / f"index-{model}"
        run("index", corpus, "-o", index, "--system", system, "--model", place / model)
        second = ["--rerank", place / "teacher", "--rerank-seconds", "60", "--rerank-weight", "1"]
        found = json.loads(run("search", index, "thing1", "--in", "it", "--json", *second))
        assert {part["system"] for hit in found["hits"] for part in hit["parts"]} == {
            system,
            "teacher",
        }
    queries = place / "collection" / "queries.jsonl"
    short = ["--rerank", place / "teacher", "--rerank-seconds", "1e-6"]
    run("run", index, "--queries", queries, "-o", place / "run.trec", *short)
    signature = json.loads((place / "run.trec.signature.json").read_text())
    assert signature["search"]["cut_short"] == 24
    assert signature["search"]["rerank"]["seconds"] == 1e-6


def test_a_wrong_setting_is_an_answer(place):
    arguments = ["train", "semi-interactive", place / "collection", "--encoder", place / "encoder"]
    wrong = [*arguments, "-o", place / "m", "--distillation", "half"]
    result = CliRunner().invoke(app, [str(one) for one in wrong])
    assert result.exit_code == 1
    assert "Unknown distillation 'half'" in str(result.exception)
