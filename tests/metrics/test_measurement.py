import pytest

from dragoman.errors import UserError
from dragoman.metrics import measurement
from dragoman.metrics.measurement import measure_run
from dragoman.metrics.pairs import LanguagePairs
from dragoman.metrics.parser import parse_measures
from outcome_strategies import rank

JUDGMENTS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
MEASURES = parse_measures("RR P@1")


def by_query(group, measure):
    return dict(zip(group.query_ids, group.values[measure].tolist(), strict=True))


def test_a_judged_query_that_the_run_lacks_counts_as_zero_and_is_named():
    run = measure_run("r", [rank("q1", {"a": 1.0}), rank("q2", {"x": 1.0})], JUDGMENTS, MEASURES)
    assert by_query(run.overall, "RR") == {"q1": 1.0, "q2": 0.0, "q3": 0.0}
    assert [str(mismatch) for mismatch in run.mismatches] == [
        "1 judged queries are missing from the run and count as 0: q3"
    ]


def test_a_query_without_judgments_is_left_out_and_named():
    rankings = [rank("q1", {"a": 1.0}), *(rank(f"x{n}", {"a": 1.0}) for n in range(7))]
    run = measure_run("r", rankings, {"q1": {"a": 1}}, MEASURES)
    assert by_query(run.overall, "RR") == {"q1": 1.0}
    (mismatch,) = run.mismatches
    assert str(mismatch) == (
        "7 queries of the run are not judged and were left out: x0, x1, x2, x3, x4, ..."
    )


def test_document_ids_that_never_meet_are_named_side_by_side():
    run = measure_run("r", [rank("q1", {"A": 1.0})], {"q1": {"a": 1}}, MEASURES)
    (mismatch,) = run.mismatches
    assert str(mismatch) == (
        "0 judged documents were retrieved; compare the ids: A in the run, a in the judgments"
    )


def test_documents_outside_the_collection_are_counted_on_both_sides():
    pairs = LanguagePairs({"q1": "en"}, {"a": "de"})
    rankings = [rank("q1", {"a": 2.0, "stray": 1.0})]
    run = measure_run("r", rankings, {"q1": {"a": 1, "gone": 1}}, MEASURES, pairs=pairs)
    assert [str(mismatch) for mismatch in run.mismatches] == [
        "1 retrieved documents are not in the collection: stray",
        "1 judged documents are not in the collection: gone",
    ]


def test_a_pair_sees_its_own_language_only():
    pairs = LanguagePairs({"q1": "en"}, {"a": "de", "x": "fr", "b": "fr", "y": "de"})
    rankings = [rank("q1", {"x": 3.0, "a": 2.0, "b": 1.0})]
    run = measure_run("r", rankings, {"q1": {"a": 1, "b": 1}}, MEASURES, pairs=pairs)
    assert by_query(run.overall, "RR") == {"q1": 0.5}
    assert by_query(run.pairs["en-de"], "RR") == {"q1": 1.0}
    assert by_query(run.pairs["en-fr"], "RR") == {"q1": 0.5}


def test_in_a_pair_the_collection_is_as_large_as_its_language():
    documents = {"a": "de", "y": "de", "z": "de", "b": "fr"}
    rankings = [rank("q1", {"a": 2.0, "y": 1.0})]
    run = measure_run(
        "r",
        rankings,
        {"q1": {"a": 1}},
        parse_measures("AQWV(beta=1)"),
        pairs=LanguagePairs({"q1": "en"}, documents),
        collection_size=4,
    )
    assert by_query(run.overall, "AQWV(beta=1)") == {"q1": pytest.approx(1 - 1 / 3)}
    assert by_query(run.pairs["en-de"], "AQWV(beta=1)") == {"q1": pytest.approx(1 - 1 / 2)}


def test_batches_do_not_change_the_values(monkeypatch):
    judgments = {f"q{n}": {"a": 1, "b": 2} for n in range(9)}
    rankings = [rank(f"q{n}", {"a": n % 3, "b": 1.0, "c": n % 2}) for n in range(9)]
    measures = parse_measures("RR nDCG@10 AUC MQWV")
    documents = {"a": "de", "b": "fr", "c": "de"}

    def values():
        pairs = LanguagePairs({}, documents)
        run = measure_run("r", rankings, judgments, measures, pairs=pairs, collection_size=30)
        groups = {"all": run.overall, **run.pairs}
        return {(g, m.name): by_query(groups[g], m.name) for g in groups for m in measures}

    whole = values()
    monkeypatch.setattr(measurement, "OUTCOMES_AT_ONCE", 2)
    assert str(values()) == str(whole)  # undefined values are not equal to themselves
    assert ("und-de", "RR") in whole


def test_the_caller_hears_of_every_ranking():
    steps = []
    rankings = [rank("q1", {"a": 1.0}), rank("x", {"a": 1.0})]
    measure_run("r", rankings, JUDGMENTS, MEASURES, advance=lambda n=1: steps.append(n))
    assert steps == [1, 1]


@pytest.mark.parametrize("rankings", [[], [rank("q1", {})]])
def test_an_empty_run_is_an_error_not_a_zero(rankings):
    with pytest.raises(UserError, match="Run 'r' holds no hit for any query"):
        measure_run("r", rankings, JUDGMENTS, MEASURES)


def test_a_run_of_other_queries_is_an_error():
    with pytest.raises(UserError, match="None of the 1 queries of run 'r' is judged: it has x1,"):
        measure_run("r", [rank("x1", {"a": 1.0})], JUDGMENTS, MEASURES)


def test_a_query_ranked_twice_is_an_error():
    with pytest.raises(UserError, match="Run 'r' ranks the query 'q1' twice"):
        measure_run("r", [rank("q1", {"a": 1.0})] * 2, JUDGMENTS, MEASURES)
