"""A collection -> examples without leaks -> a model in a folder."""

import json
from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.errors import ConfigError, InputError
from dragoman.systems.semi_interactive.config import SemiInteractiveConfig
from dragoman.systems.semi_interactive.leakage import (
    normalize_queries,
    normalize_query,
    refuse_leaks,
)
from dragoman.systems.semi_interactive.model import load_model
from dragoman.systems.semi_interactive.pipeline import run_pipeline
from dragoman.systems.semi_interactive.training_data import ExampleConfig, read_examples
from dragoman.text.collection import Collection
from dragoman.text.formats.clicks import write_jsonl
from dragoman.types import Click
from titled_collection import write_collection
from toy_relevance import WORDS, save_encoder

QUICK = SemiInteractiveConfig(max_length=32, layers=1, batch=8, epochs=2, learning_rate=1e-3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_collection(tmp_path_factory.mktemp("titled"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return save_encoder(tmp_path_factory.mktemp("encoder"), WORDS, layers=1)


def read(folder, count=3, **settings):
    return read_examples(Collection.open(folder), count, ExampleConfig(**settings))


def test_the_best_grade_is_relevant_and_grade_0_is_not(folder):
    found = read(folder, negatives=2)
    judgments = Collection.open(folder).judgments()
    for split, examples in found.items():
        assert {one.query.metadata["split"] for one in examples} == {split}
        for one in examples:
            grade = judgments[one.query.query_id][one.document.doc_id]
            assert (one.label, grade) in {(1.0, 2), (0.0, 0)}
    labels = [one.label for one in found["train"]]
    assert labels.count(1.0) == 12
    assert labels.count(0.0) == 24


def test_relevant_queries_are_titles_in_other_languages_and_none_leaks(folder):
    collection, found = Collection.open(folder), read(folder)
    evaluated = [q for split in ("validation", "test") for q in collection.queries(split)]
    everything = [one for examples in found.values() for one in examples]
    refuse_leaks(everything, evaluated)
    assert {q.language for one in everything for q in one.relevant_queries} == {"en", "fr"}
    for one in everything:
        assert normalize_query(one.query.text) not in normalize_queries(one.relevant_queries)
    titles = {f"thing{topic}" for topic in range(6)}
    assert titles & normalize_queries(evaluated), "the collection has nothing that could leak"


def test_relevant_queries_can_be_mined(folder, tmp_path):
    log = tmp_path / "log.jsonl"
    write_jsonl(log, [Click("mined", f"it:{item}", 9, 3, "de") for item in range(24)])
    everything = [one for some in read(folder, clicks=log).values() for one in some]
    assert {q.text for one in everything for q in one.relevant_queries} == {"mined"}
    assert not any(one.relevant_queries for one in read(folder, count=0)["train"])


def test_fewer_queries_and_other_languages(folder):
    found = read(folder, most=3)
    assert len({one.query.query_id for one in found["train"]}) == 3
    with pytest.raises(InputError, match="no judged pair of the split 'train' with queries in"):
        read(folder, languages=("en", "fr"))
    with pytest.raises(ConfigError, match="negatives must be 1 or more"):
        ExampleConfig(negatives=0)


def test_the_whole_of_it(folder, encoder, tmp_path):
    teaching = replace(QUICK, architecture="interactive")
    run_pipeline(folder, encoder, teaching, tmp_path / "teacher")
    report = run_pipeline(
        folder, encoder, QUICK, tmp_path / "model", teacher=tmp_path / "teacher", export=True
    )
    assert 0 <= report["test"]["AUC"] <= 1
    assert report["test_pairs"] == 30
    assert report["export"]["role"] == "queries"
    written = json.loads((tmp_path / "model" / "model.json").read_text())
    assert written["test"] == report["test"]
    assert written["teacher"] == "teacher"
    model = load_model(tmp_path / "model", served=True)
    assert model.export is not None
    # 12 positives and 48 negatives are 8 steps an epoch, 16 in all
    assert model.config.warm_up == 1
