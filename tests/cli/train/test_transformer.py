"""``dragoman train transformer`` with each architecture, then index, search and re-ranking."""

import json

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from commands import run
from dragoman.errors import ConfigError, UnknownName
from dragoman.runs.metadata import request_of
from titled_collection import write_collection
from toy_relevance import WORDS, save_encoder

QUICK = ["--epochs", "1", "--batch", "8", "--max-length", "32", "--learning-rate", "1e-3"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    root = tmp_path_factory.mktemp("commands")
    write_collection(root / "collection")
    save_encoder(root / "encoder", WORDS, layers=1)
    return root


def train(place, architecture, name, *options):
    return run(
        *("train", "transformer", place / "collection", "--architecture", architecture),
        *("--encoder", place / "encoder", "-o", place / name, *QUICK, *options),
    )


def test_from_training_to_search(place):
    printed = train(place, "interactive", "teacher")
    assert "the model of epoch 1 of 1, measured on 30 test pairs" in printed
    train(place, "non-interactive", "plain", "--teacher", place / "teacher", "--alpha", "0.5")
    options = ["--teacher", place / "teacher", "--distillation", "symmetric", "--export", "--json"]
    report = json.loads(train(place, "semi-interactive", "semi", *options))
    assert report["export"]["speed_up"] > 0
    assert report["languages"] == {"queries": ["en"], "documents": ["it"]}
    corpus = place / "collection" / "corpus.jsonl"
    for system, model in (("non-interactive", "plain"), ("semi-interactive", "semi")):
        index = place / f"index-{model}"
        run("index", corpus, "-o", index, "--system", system, "--model", place / model)
        rerank = ["--rerank", place / "teacher", "--rerank-seconds", "60", "--rerank-weight", "1"]
        answer = json.loads(run("search", index, "thing1", "--in", "it", "--json", *rerank))
        assert {part["system"] for hit in answer["hits"] for part in hit["parts"]} == {
            system,
            "teacher",
        }
    queries = place / "collection" / "queries.jsonl"
    short = ["--rerank", place / "teacher", "--rerank-seconds", "1e-6"]
    run("run", index, "--queries", queries, "-o", place / "run.trec", *short)
    request, signature = request_of(place / "run.trec")
    assert signature["cut short"] == 24
    assert request.rerank.seconds == 1e-6


def test_a_wrong_setting_is_refused(place):
    with pytest.raises(UnknownName, match="Unknown distillation 'half'"):
        train(place, "semi-interactive", "m", "--distillation", "half")
    with pytest.raises(UnknownName, match=r"Unknown architecture 'semi'\. Known: interactive"):
        train(place, "semi", "m")


@pytest.mark.parametrize(
    "options",
    [
        ("--teacher", "default"),
        ("--alpha", "0.7"),
        ("--distillation", "off"),
        ("--no-reuse-embeddings",),
        ("--shared",),
        ("--relevant-queries", "2"),
        ("--clicks", __file__),
    ],
)
def test_options_of_other_architectures_are_refused(place, options):
    with pytest.raises(ConfigError, match=f"{options[0].replace('--no-', '--')} with --arch"):
        train(place, "interactive", "m", *options)


def test_only_a_semi_interactive_model_has_relevant_queries(place):
    expected = "applies to semi-interactive models only"
    with pytest.raises(ConfigError, match=expected):
        train(place, "non-interactive", "m", "--relevant-queries", "2")
