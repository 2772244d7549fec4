"""Documents scored by one sentence for the whole query."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.searcher.one_sentence import one_sentence_scores
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.systems.searcher.config import SearcherConfig, SearcherModelConfig
from dragoman.systems.searcher.decisions import Combination
from dragoman.systems.searcher.system import SearcherSystem
from dragoman.systems.searcher.training import initial_model
from dragoman.systems.searcher.training_data import read_training_data
from dragoman.types import Document, Query, SentencePair
from toy_bitext import sentences

DOCUMENTS = (
    Document("one", "maji moto nyumba", language="sw"),
    Document("two", "maji mto. moto moshi", language="sw"),
    Document("none", "", language="sw"),
)
QUERIES = (Query("single", "water", "en"), Query("double", "water fire", "en"))


@pytest.fixture(scope="module")
def model():
    config = SearcherConfig(model=SearcherModelConfig(size=8, blocks=1)).from_random()
    pairs = [SentencePair(*pair) for pair in sentences(60)]
    return initial_model(read_training_data("toy", pairs, ("en", "sw"), config), config)


def test_queries_of_several_terms_take_the_best_sentence_for_all_of_them(model):
    task = DetectionTask("toy", "sw", DOCUMENTS, ("",) * 3, (), QUERIES, {}, ())
    found = one_sentence_scores(model, task)
    assert set(found) == set(Combination)
    parts = [
        Document(str(n), text, language="sw") for n, text in enumerate(["maji mto", "moto moshi"])
    ]
    for combination in Combination:
        system = SearcherSystem(model, combination)
        scores = found[str(combination)]
        assert list(scores) == ["double"]
        assert list(scores["double"]) == ["one", "two"]
        whole = system.score(None, QUERIES[1], DOCUMENTS[:2])
        by_sentence = system.score(None, QUERIES[1], parts)
        assert scores["double"]["one"] == pytest.approx(whole[0], abs=1e-3)  # of one sentence
        assert scores["double"]["two"] == pytest.approx(by_sentence.max(), abs=1e-3)
        assert scores["double"]["two"] <= whole[1] + 1e-3
    assert np.isfinite(whole).all()
