"""How well a hit matches: by evidence alone, whatever the ranking."""

import numpy as np
import pytest

import dragoman
from dragoman.indexes.search.answer import MatchQuality, verdict_of
from dragoman.indexes.search.match import (
    FEWEST,
    MatchModel,
    match_features,
    match_qualities,
    shipped_models,
)
from dragoman.scores.logistic import LogisticModel
from dragoman.types import Document, Query
from small_index import small_index

TEXTS = {
    "tides": "The tide rises twice a day because the moon pulls at the sea near the harbour.",
    "bread": "Bread rises because yeast makes gas in the dough before it goes into the oven.",
    "wool": "Sheep are shorn in spring and their wool is washed, combed and spun into yarn.",
    "glass": "Glass is made of sand, soda and lime that are melted together in a furnace.",
    "maps": "Old maps show coasts that sailors drew by compass from the decks of their ships.",
    "bees": "Bees dance in the hive to show each other the way to a meadow full of flowers.",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    documents = [Document(name, text, language="en") for name, text in TEXTS.items()]
    documents += [Document(f"x{n}", f"first{n} second{n}", language="en") for n in range(FEWEST)]
    folder = tmp_path_factory.mktemp("match") / "index"
    with dragoman.index(documents, folder, system="psq") as made:
        yield made


def test_the_odds_decide_between_good_fair_and_weak():
    model = MatchModel(LogisticModel(0.0, (1.0,)), fair=-1.0, good=1.0)
    qualities = [str(model.quality([odds])) for odds in (-1.1, -1.0, 0.9, 1.0)]
    assert qualities == ["weak", "fair", "fair", "good"]


def test_features_are_the_evidence_and_the_length_of_the_query():
    evidence = np.array([[0.5, 0.1], [0.2, 0.0]])
    assert match_features(Query("q", "tides", "en"), evidence) == [
        [0.5, 0.1, pytest.approx(np.log(5))],
        [0.2, 0.0, pytest.approx(np.log(5))],
    ]


def test_a_hit_with_every_word_is_a_better_match_than_one_with_a_common_word(index):
    right = index.search("why does the moon pull at the sea", language="en")
    wrong = index.search("how do lawyers show evidence about inflation in court", language="en")
    assert right.verdict is not MatchQuality.WEAK
    assert wrong.verdict is MatchQuality.WEAK


def test_a_match_does_not_depend_on_how_many_hits_are_asked_for_or_grouped(index):
    deep = index.search("bread rises", 5, language="en").results[0]
    alone = index.search("bread rises", 1, language="en", group=False, snippet_length=0).results[0]
    assert (deep.hit, deep.match) == (alone.hit, alone.match)


def test_a_match_never_changes_a_ranking(index):
    query = Query("query", "bread rises in the sea", "en")
    assert index.search(query.text, language="en").ranking == index.rank(query, 10)


def test_a_system_without_a_model_has_no_match(tmp_path):
    with dragoman.open(small_index(tmp_path / "index")) as index:
        answer = index.search("yeast", language="en")
        with index.snapshot() as snapshot:
            numbers = snapshot.numbers_of(["bread"])
            query = Query("q", "yeast", "en")
            assert match_qualities(index.system, snapshot, query, numbers) == [None]
    assert answer.verdict is None
    assert [result.match for result in answer.results] == [None] * len(answer.results)


@pytest.mark.parametrize(
    ("matches", "verdict"),
    [
        ("weak", "weak"),
        ("weak fair", "weak"),
        ("weak fair good", "good"),
        ("fair good", "fair"),
        ("good weak", "good"),
    ],
)
def test_nothing_good_is_never_said_above_a_good_hit(matches, verdict):
    assert verdict_of([MatchQuality(one) for one in matches.split()]) == verdict


def test_an_answer_without_hits_has_no_verdict(index):
    assert index.search("xylophone", language="en").verdict is None


@pytest.mark.parametrize(("system", "features"), [("hybrid", 5), ("psq", 3), ("dense", 3)])
def test_the_shipped_models_fit_the_evidence_of_their_systems(system, features):
    model = shipped_models()[system]
    assert len(model.model.weights) == features
    assert model.fair < model.good


def test_a_tiny_index_has_no_matches(tmp_path):
    documents = [Document(name, text, language="en") for name, text in TEXTS.items()]
    with dragoman.index(documents, tmp_path / "index", system="psq") as index:
        assert index.search("why does the moon pull at the sea", language="en").verdict is None
