"""The interactive model after an ordinary search."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.claims import evaluate_claims
from dragoman.experiments.semi_interactive.rerank import (
    FIRST,
    measure_stages,
    stage_gains,
    stages_markdown,
)
from dragoman.experiments.semi_interactive.task import RelevanceTaskConfig, read_task
from dragoman.systems.semi_interactive import RelevanceExample, SemiInteractiveConfig, train
from dragoman.text.collection import Collection
from dragoman.text.collections.splits import Split
from small_items import vocabulary, write_items
from toy_relevance import save_encoder

QUICK = SemiInteractiveConfig(
    architecture="interactive", layers=1, max_length=32, batch=16, epochs=1, warm_up=0
)


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    folder = write_items(tmp_path_factory.mktemp("items"))
    return read_task(Collection.open(folder), RelevanceTaskConfig(negatives=2, candidates=5))


def with_texts(task, text):
    """The task with other texts of its test queries."""
    queries = tuple(
        replace(one, query=replace(one.query, text=text(task.items[one.items[0]].document)))
        for one in task.queries[Split.TEST]
    )
    return replace(task, queries={**task.queries, Split.TEST: queries})


@pytest.fixture(scope="module")
def model(task, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    encoder = save_encoder(folder / "encoder", vocabulary(), layers=1)
    examples = [
        RelevanceExample(one.query, task.items[name].document, (), float(grade == 2))
        for one in task.queries[Split.TRAIN]
        for name, grade in zip(one.items, one.grades, strict=True)
    ]
    train(examples, examples[:40], encoder, QUICK, folder / "model")
    return folder / "model"


def test_every_stage_has_a_value_for_the_same_queries(task, model):
    counted = []
    retrieved_by_words = with_texts(task, lambda document: document.text)
    found = measure_stages(retrieved_by_words, model, 2, lambda n=1: counted.append(n))
    assert list(found) == [FIRST, "both", "alone"]
    for stage in found.values():
        assert {code: len(some) for code, some in stage.items()} == {"de": 2, "fr": 2, "es": 2}
        assert all(0 <= gain <= 1 for some in stage.values() for gain in some)
    assert sum(counted) == 6
    assert min(min(some) for some in found[FIRST].values()) > 0.5
    assert found["alone"] != found[FIRST]


def test_a_document_that_is_not_retrieved_counts_zero(task, model):
    found = measure_stages(with_texts(task, lambda _: "ωω"), model, 1)
    assert {gain for stage in found.values() for some in stage.values() for gain in some} == {0.0}


def test_gains_by_hand():
    rng = np.random.default_rng(0)
    first = {"de": (rng.random(60) / 4).tolist(), "fr": (rng.random(30) / 4).tolist()}
    above = {code: [value + 0.25 for value in some] for code, some in first.items()}
    stages = {FIRST: first, "both": above, "alone": first}
    claims = [claim for claim in evaluate_claims(stage_gains(stages)) if not claim.group]
    assert [claim.verdict for claim in claims] == ["holds", "not shown"]
    assert [claim.difference for claim in claims] == pytest.approx([0.25, 0])
    lines = stages_markdown(stages)
    assert lines[0].startswith("INTERACT as a second stage: 90 test queries")
    assert lines[5].startswith("| psq, then INTERACT with weight 0.5 |")
    assert f"| {np.mean(first['fr']) + 0.25:.4f} |" in lines[5]
