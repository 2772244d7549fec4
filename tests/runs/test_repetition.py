import pytest

from dragoman.runs.repetition import changes_since, compare_runs
from dragoman.types import Hit, Ranking


def ranking(query, *hits):
    return Ranking(query, tuple(Hit(doc_id, score) for doc_id, score in hits))


FIRST = [ranking("q1", ("a", 2.0), ("b", 1.0)), ranking("q2", ("c", 1.0))]


def test_a_run_is_identical_with_itself():
    comparison = compare_runs(FIRST, FIRST[::-1])
    assert comparison.identical
    assert (comparison.queries, comparison.same_scores, comparison.overlap) == (2, 2, 1.0)


def test_another_score_is_found():
    comparison = compare_runs(FIRST, [ranking("q1", ("a", 2.5), ("b", 1.0)), FIRST[1]])
    assert not comparison.identical
    assert (comparison.same_ranking, comparison.same_scores) == (2, 1)
    assert comparison.largest_difference == pytest.approx(0.5)


def test_another_order_and_other_documents_are_found():
    comparison = compare_runs(FIRST, [ranking("q1", ("b", 2.0), ("x", 1.0)), FIRST[1]])
    assert comparison.same_ranking == 1
    assert comparison.overlap == pytest.approx((0.5 + 1) / 2)


def test_queries_of_one_run_only_are_counted():
    assert compare_runs(FIRST, FIRST[:1]).missing == 1
    assert not compare_runs(FIRST[:1], FIRST).identical


def test_runs_without_hits_are_equal():
    assert compare_runs([Ranking("q", ())], [Ranking("q", ())]).identical


def test_changes_name_what_differs():
    then = {"dragoman": "0.2.0", "index": {"documents": 3, "settings": {"b": 1, "k1": 1}}}
    now = {"dragoman": "0.2.0", "index": {"documents": 4, "settings": {"b": 1, "k1": 2}}}
    assert changes_since(then, now) == [
        "index settings k1: 1 then, 2 now",
        "index documents: 3 then, 4 now",
    ]
    assert not changes_since(then, then)


def test_a_changed_table_is_named_by_its_language():
    then = {"index": {"treatments": {"en": "stem", "sw": "stem|shipped:1"}}, "rerank": None}
    now = {"index": {"treatments": {"en": "stem", "sw": "stem|own:2"}}, "rerank": "ab"}
    assert changes_since(then, now) == [
        "index treatments sw: stem|shipped:1 then, stem|own:2 now",
        "rerank: none then, ab now",
    ]
