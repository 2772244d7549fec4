"""Which queries an index can be tuned on, and what is said of the others."""

import pytest

import dragoman
from dragoman.errors import UserError
from dragoman.tuning.judged_queries import judged_queries
from dragoman.types import Query
from small_index import small_index

QUERIES = [Query("moon", "moon and tide", "en"), Query("hefe", "Hefe im Brot", "de")]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    with dragoman.open(small_index(tmp_path_factory.mktemp("judged") / "index")) as opened:
        yield opened


def test_languages_of_relevant_documents(index):
    judgments = {"moon": {"tide": 2, "brot": 1, "bread": 0}, "hefe": {"brot": 1}}
    (moon, hefe), left_out = judged_queries(index, QUERIES, judgments)
    assert (moon.query, moon.languages, moon.best_documents) == (
        QUERIES[0],
        {"en", "de"},
        {"tide"},
    )
    assert hefe.languages == {"de"}
    assert not left_out


def test_documents_outside_of_the_scope_are_no_part_of_the_judgments(index):
    judgments = {"moon": {"tide": 2, "brot": 1, "gone": 2, "nowhere": 2}}
    (moon,), _ = judged_queries(index, QUERIES, judgments, index.scope(["de"]))
    assert (moon.grades, moon.languages) == ({"brot": 1}, {"de"})


def test_what_is_left_out_is_counted(index):
    judgments = {"moon": {"tide": 1}, "hefe": {"brot": 0, "nowhere": 3}, "lost": {"tide": 1}}
    judged, left_out = judged_queries(index, [*QUERIES, Query("new", "yeast", "en")], judgments)
    assert [one.query.query_id for one in judged] == ["moon"]
    assert [str(one) for one in left_out] == [
        "1 queries have no judgments and were left out: new",
        "1 judged queries have no relevant document in the index and were left out: hefe",
        "1 judged queries have no text and were left out: lost",
    ]


def test_a_language_is_detected(index):
    query = Query("q", "Das Brot geht mit der Hefe auf und wird gebacken")
    (judged,), _ = judged_queries(index, [query], {"q": {"brot": 1}})
    assert judged.query.language == "de"


def test_judgments_of_another_collection_are_refused(index):
    with pytest.raises(UserError, match=r"no query with a relevant document.*dragoman list"):
        judged_queries(index, QUERIES, {"moon": {"nowhere": 1}})
