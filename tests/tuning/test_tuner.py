"""Weights by judgments: a gain is found, noise is not, and too little is refused."""

import numpy as np
import pytest

import dragoman
from dragoman.errors import UserError
from dragoman.tuning.choice import FEWEST_GROUPS
from dragoman.tuning.judged_queries import judged_queries
from dragoman.tuning.tuner import tune
from dragoman.types import Query
from small_index import small_index
from small_tuning import EASY, MISLEADING, QUERIES, RIGHT, tunable_index


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    with tunable_index(tmp_path_factory.mktemp("tuner") / "index") as made:
        yield made


def tuned(index, queries, judgments, measure="nDCG@10"):
    judged, _ = judged_queries(index, queries, judgments)
    return tune(index, judged, measure=measure, rng=np.random.default_rng(0))


def test_where_vectors_are_right_their_weight_rises(index):
    found = tuned(index, QUERIES, RIGHT)
    assert found.is_gain
    assert found.weights["keyword_weight"] > 0.3
    assert (found.held_out, found.queries, found.groups) == (1.0, len(QUERIES), len(QUERIES))
    assert found.gain == found.low == found.high == 1.0  # all of them rise from below rank 10
    (choice,) = found.choices  # weights that no query uses are not mentioned
    assert (choice.name, choice.default, choice.has_too_few) == ("keyword_weight", 0.3, False)


def test_what_is_found_anyway_changes_nothing(index):
    found = tuned(index, EASY, RIGHT)
    assert (found.weights, found.default, found.gain, found.is_gain) == ({}, 1.0, 0.0, False)


@pytest.mark.parametrize("seed", range(5))
def test_judgments_by_chance_are_no_gain(index, seed):
    tossed = np.random.default_rng(seed).random(len(QUERIES)) < 0.5
    chance = {
        one.query_id: (RIGHT if is_right else MISLEADING)[one.query_id]
        for one, is_right in zip(QUERIES, tossed.tolist(), strict=True)
    }
    found = tuned(index, QUERIES, chance, "Success@1")
    assert not found.is_gain
    assert found == tuned(
        index, QUERIES, chance, "Success@1"
    )  # the same seed gives the same estimate


def test_too_few_queries_are_refused(index):
    few = QUERIES[: FEWEST_GROUPS - 1]
    match = rf"{FEWEST_GROUPS - 1} for keyword_weight.*expected {FEWEST_GROUPS} or more.*Judge more"
    with pytest.raises(UserError, match=match):
        tuned(index, few, RIGHT)
    assert tuned(index, QUERIES[:FEWEST_GROUPS], RIGHT).is_gain


def test_copies_of_queries_count_once(index):
    copies = [
        Query(f"{one.query_id}-{n}", one.text, "en") for one in QUERIES[:20] for n in range(5)
    ]
    judgments = {one.query_id: RIGHT[one.query_id[:3]] for one in copies}
    with pytest.raises(UserError, match="20 for keyword_weight"):
        tuned(index, copies, judgments)


def test_a_weight_with_too_few_keeps_its_default_beside_one_with_enough(index):
    questions = [Query(f"w{n}", f"what is {QUERIES[n].text}?", "en") for n in range(5)]
    judgments = {**RIGHT, **{f"w{n}": RIGHT[f"q{n:02d}"] for n in range(5)}}
    found = tuned(index, [*QUERIES, *questions], judgments)
    by_name = {one.name: one for one in found.choices}
    assert by_name["question_weight"].has_too_few
    assert by_name["question_weight"].chosen == by_name["question_weight"].default
    assert by_name["question_weight"].queries == 5
    assert found.weights.keys() == {"keyword_weight"}


def test_a_system_without_weights_is_refused(tmp_path):
    with (
        dragoman.open(small_index(tmp_path / "index")) as index,
        pytest.raises(UserError, match="system bm25, which has no weights"),
    ):
        tuned(index, [Query("q", "moon", "en")], {"q": {"tide": 1}})
