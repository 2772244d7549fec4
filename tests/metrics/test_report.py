import json

import numpy as np
import pytest
from scipy.stats import ttest_rel

from dragoman.errors import ConfigError
from dragoman.metrics.parser import parse_measures
from dragoman.metrics.report import evaluate
from outcome_strategies import rank

QUERIES = [f"q{number:02d}" for number in range(30)]
JUDGMENTS = {query_id: {"good": 2, "fair": 1, "bad": 0} for query_id in QUERIES}


def runs(seed=0):
    rng = np.random.default_rng(seed)
    return {
        name: [
            rank(q, {d: float(rng.normal(mean)) for d in ("good", "fair", "bad", "other")})
            for q in order
        ]
        for name, mean, order in (("first", 0, QUERIES), ("second", 1, QUERIES[::-1]))
    }


def report(measures="nDCG@10 RR", seed=0, **options):
    rng = np.random.default_rng(seed)
    return evaluate(runs(), JUDGMENTS, parse_measures(measures), rng=rng, **options)


def test_the_report_as_json_has_the_agreed_form():
    languages = dict.fromkeys(["good", "fair", "bad", "other"], "de")
    made = report(
        query_languages=dict.fromkeys(QUERIES, "en"), document_languages=languages
    ).as_json()
    assert set(made) == {"runs", "tests", "settings"}
    assert [set(run) for run in made["runs"]] == [{"run", "measures", "pairs"}] * 2
    estimate = made["runs"][0]["measures"]["nDCG@10"]
    assert set(estimate) == {"mean", "low", "high", "queries"}
    assert estimate["low"] < estimate["mean"] < estimate["high"]
    assert estimate["queries"] == 30
    assert set(made["runs"][0]["pairs"]) == {"en-de"}
    assert set(made["runs"][0]["pairs"]["en-de"]) == {"nDCG@10", "RR"}
    assert (
        made["runs"][0]["pairs"]["en-de"]["RR"]["mean"] == made["runs"][0]["measures"]["RR"]["mean"]
    )
    assert json.loads(json.dumps(made, allow_nan=False)) == made


def test_runs_are_compared_query_by_query_whatever_their_order():
    made = report("RR")
    values = {}
    for name, rankings in runs().items():
        ranks = {
            ranking.query_id: [hit.doc_id in ("good", "fair") for hit in ranking.hits].index(True)
            for ranking in rankings
        }
        values[name] = np.array([1 / (ranks[query_id] + 1) for query_id in QUERIES])
    (test,) = made.tests
    assert (test.first, test.second, test.queries) == ("first", "second", 30)
    assert test.difference == pytest.approx((values["first"] - values["second"]).mean())
    assert test.student == pytest.approx(ttest_rel(values["first"], values["second"]).pvalue)
    assert test.randomisation == pytest.approx(test.student, abs=0.05)


def test_holm_corrects_over_all_runs_and_measures():
    three = runs() | {"third": runs(seed=9)["first"]}
    measures = parse_measures("nDCG@10 RR AP")
    tests = evaluate(three, JUDGMENTS, measures, rng=np.random.default_rng(0)).tests
    assert len(tests) == 9
    smallest = min(tests, key=lambda test: test.student)
    assert smallest.student_holm == pytest.approx(min(1.0, 9 * smallest.student))
    assert all(test.randomisation_holm >= test.randomisation for test in tests)


def test_one_run_has_no_tests():
    only = {"first": runs()["first"]}
    measures = parse_measures("RR")
    assert evaluate(only, JUDGMENTS, measures, rng=np.random.default_rng(0)).tests == ()


def test_the_same_seed_gives_the_same_report():
    assert report(seed=3) == report(seed=3)
    assert report(seed=3) != report(seed=4)


def test_a_measure_that_no_query_defines_is_null_not_zero():
    judgments = {query_id: {"good": 0} for query_id in QUERIES}
    rng = np.random.default_rng(0)
    made = evaluate(runs(), judgments, parse_measures("AUC"), rng=rng).as_json()
    nothing = {"mean": None, "low": None, "high": None, "queries": 0}
    assert made["runs"][0]["measures"]["AUC"] == nothing
    assert made["tests"][0]["difference"] is None
    assert made["tests"][0]["queries"] == 0


def test_intervals_stay_within_the_bounds_of_the_measure():
    judgments = {"q00": {"good": 1}, "q01": {"good": 1}}
    rankings = {"r": [rank("q00", {"good": 2.0}), rank("q01", {"good": 1.0, "bad": 1.5})]}
    measures = parse_measures("AUC(pooled=True)")
    (run,) = evaluate(rankings, judgments, measures, rng=np.random.default_rng(0)).runs
    estimate = run.measures["AUC(pooled=True)"]
    assert 0 <= estimate.low <= estimate.mean <= estimate.high <= 1


def test_the_collection_is_as_large_as_the_documents_that_have_a_language():
    languages = dict.fromkeys(["good", "fair", "bad", "other"], "de")
    given = report("AQWV(beta=1)", collection_size=4)
    counted = report("AQWV(beta=1)", document_languages=languages)
    assert given.runs[0].measures == counted.runs[0].measures


def test_a_missing_size_is_noticed_before_any_ranking_is_read():
    unread = iter(runs()["first"])
    with pytest.raises(ConfigError, match="MQWV needs the number of documents"):
        evaluate({"r": unread}, JUDGMENTS, parse_measures("RR MQWV"), rng=np.random.default_rng(0))
    assert len(list(unread)) == len(QUERIES)


def test_nothing_to_evaluate_is_an_error():
    with pytest.raises(ConfigError, match="at least one run and one measure"):
        evaluate({}, JUDGMENTS, parse_measures("RR"), rng=np.random.default_rng(0))
