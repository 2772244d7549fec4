"""Measures of a ranked list: hand-worked, against their definitions, against ir-measures."""

from math import log2

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError, UserError
from dragoman.metrics.outcomes import judge
from dragoman.metrics.parser import parse_measure, parse_measures
from dragoman.metrics.ranked_measures import ranked_values
from dragoman.types import Hit, Ranking
from outcome_strategies import DOCUMENTS, cases, judged, rank, rankings

NAMES = (
    "nDCG(dcg='exp-log2')@10 nDCG(dcg='exp-log2')@5 P(rel=2)@1 P@5 Success(rel=2)@5 Success@5"
    " nDCG@5 nDCG@10 nDCG AP AP(rel=2) AP@3 RR RR(rel=2) RR@3 R@3 R(rel=2)@100 Judged@10"
)


def value(name, ranking, grades):
    measure = parse_measure(name)
    return measure.values([judge(ranking, grades)], None)[0]


def gain(grade, dcg):
    return 2**grade - 1 if dcg == "exp" else grade


def ndcg(grades, ideal, k, dcg="linear"):
    def discounted(found):
        return sum(gain(g, dcg) / log2(r + 1) for r, g in enumerate(found[:k], start=1))

    best = discounted(sorted(ideal, reverse=True))
    return discounted(grades) / best if best else 0.0


def average_precision(relevant, total):
    found = [r for r, yes in enumerate(relevant, start=1) if yes]
    return sum(n / r for n, r in enumerate(found, start=1)) / total if total else 0.0


def definitions(ranking, judged_documents):
    """Every measure straight from its definition, in plain Python."""
    grades = [judged_documents.get(hit.doc_id, 0) for hit in ranking.hits]
    ideal = list(judged_documents.values())
    one, two = [g >= 1 for g in grades], [g >= 2 for g in grades]
    all_one, all_two = sum(g >= 1 for g in ideal), sum(g >= 2 for g in ideal)
    first_one = one.index(True) + 1 if any(one) else None
    first_two = two.index(True) + 1 if any(two) else None
    known = [hit.doc_id in judged_documents for hit in ranking.hits[:10]]
    return {
        "nDCG(dcg='exp-log2')@10": ndcg(grades, ideal, 10, "exp"),
        "nDCG(dcg='exp-log2')@5": ndcg(grades, ideal, 5, "exp"),
        "P(rel=2)@1": sum(two[:1]),
        "P@5": sum(one[:5]) / 5,
        "Success(rel=2)@5": float(any(two[:5])),
        "Success@5": float(any(one[:5])),
        "nDCG@5": ndcg(grades, ideal, 5),
        "nDCG@10": ndcg(grades, ideal, 10),
        "nDCG": ndcg(grades, ideal, 1000),
        "AP": average_precision(one, all_one),
        "AP(rel=2)": average_precision(two, all_two),
        "AP@3": average_precision(one[:3], all_one),
        "RR": 1 / first_one if first_one else 0.0,
        "RR(rel=2)": 1 / first_two if first_two else 0.0,
        "RR@3": 1 / first_one if first_one and first_one <= 3 else 0.0,
        "R@3": sum(one[:3]) / all_one if all_one else 0.0,
        "R(rel=2)@100": sum(two) / all_two if all_two else 0.0,
        "Judged@10": sum(known) / len(known) if known and judged_documents else 0.0,
    }


@settings(max_examples=150, deadline=None)
@given(cases())
def test_every_measure_is_its_definition_with_ties_by_document_id(queries):
    measures = parse_measures(NAMES)
    outcomes = [judge(ranking, grades) for ranking, grades in queries]
    found = ranked_values(measures, outcomes)
    for row, (ranking, grades) in enumerate(queries):
        expected = definitions(ranking, grades)
        assert set(expected) == set(found)
        for name, wanted in expected.items():
            assert found[name][row] == pytest.approx(wanted, abs=1e-9), name


@settings(max_examples=50, deadline=None)
@given(rankings(min_size=1), judged(min_size=1))
def test_without_ties_ir_measures_says_the_same(ranking, grades):
    falling = {hit.doc_id: 100.0 - number for number, hit in enumerate(ranking.hits)}
    names = ["nDCG@5", "AP", "RR(rel=2)", "P@5", "R@3", "Success(rel=2)@5", "Judged@10"]
    measures = {name: ir_measures.parse_measure(name) for name in names}
    theirs = {
        metric.measure: metric.value
        for metric in ir_measures.iter_calc(measures.values(), {"q": grades}, {"q": falling})
    }
    for name, measure in measures.items():
        assert value(name, rank("q", falling), grades) == pytest.approx(theirs[measure])


def test_trec_eval_alone_would_break_the_tie_the_other_way():
    ranking = rank("q", {"a": 1.0, "b": 1.0})
    run = {"q": {hit.doc_id: hit.score for hit in ranking.hits}}
    (theirs,) = ir_measures.iter_calc([ir_measures.RR], {"q": {"a": 1}}, run)
    assert theirs.value == 0.5
    assert value("RR", ranking, {"a": 1}) == 1.0


def test_the_two_gains_differ_as_worked_by_hand():
    ranking = Ranking("q", (Hit("one", 3.0), Hit("none", 2.0), Hit("two", 1.0)))
    grades = {"one": 1, "two": 2}
    ideal = 2 + 1 / log2(3)
    assert value("nDCG@5", ranking, grades) == pytest.approx((1 + 2 / 2) / ideal)
    ideal = 3 + 1 / log2(3)
    assert value("nDCG(dcg='exp-log2')@5", ranking, grades) == pytest.approx((1 + 3 / 2) / ideal)


@settings(max_examples=50, deadline=None)
@given(judged(min_size=1))
def test_the_best_possible_ranking_is_worth_one(grades):
    best = {doc_id: float(grade) for doc_id, grade in grades.items()}
    if not any(grades.values()):
        return
    for name in ["nDCG@10", "nDCG(dcg='exp-log2')@10", "AP", "RR", "R@100", "Success@5"]:
        assert value(name, rank("q", best), grades) == pytest.approx(1.0)


@settings(max_examples=50, deadline=None)
@given(rankings(min_size=1), judged(min_size=1))
def test_ids_are_names_and_nothing_more(ranking, grades):
    other = {doc_id: f"x{99 - number}" for number, doc_id in enumerate(DOCUMENTS)}
    moved = Ranking("q", tuple(Hit(other[hit.doc_id], hit.score) for hit in ranking.hits))
    renamed = {other[doc_id]: grade for doc_id, grade in grades.items()}
    for measure in parse_measures(NAMES):
        first = measure.values([judge(ranking, grades)], None)
        assert first.tolist() == measure.values([judge(moved, renamed)], None).tolist()


@settings(max_examples=50, deadline=None)
@given(rankings(min_size=2), judged(min_size=1), st.data())
def test_documents_of_one_grade_may_change_places(ranking, grades, data):
    hits = list(ranking.hits)
    first, second = (data.draw(st.integers(0, len(hits) - 1)) for _ in range(2))
    before, after = sorted((first, second))
    better = grades.get(hits[after].doc_id) or 0, grades.get(hits[before].doc_id) or 0
    alike = (hits[before].doc_id in grades) == (hits[after].doc_id in grades)
    hits[before], hits[after] = hits[after], hits[before]
    for measure in parse_measures(NAMES):
        (was,) = measure.values([judge(ranking, grades)], None)
        (now,) = measure.values([judge(Ranking("q", tuple(hits)), grades)], None)
        if better[0] == better[1] and alike:
            assert now == pytest.approx(was), measure.name
        elif better[0] >= better[1] and measure.name != "Judged@10":
            assert now >= was - 1e-9, f"{measure.name} fell though a better document rose"


def test_more_queries_than_one_batch_stay_apart():
    good, bad = rank("q", {"a": 2.0, "b": 1.0}), rank("q", {"a": 1.0, "b": 2.0})
    outcomes = [judge(good if n % 3 == 0 else bad, {"a": 1}) for n in range(1100)]
    found = parse_measure("RR").values(outcomes, None)
    assert found.tolist() == [1.0 if n % 3 == 0 else 0.5 for n in range(1100)]


def test_negative_grades_are_worth_nothing():
    ranking = rank("q", {"spam": 3.0, "good": 2.0})
    grades = {"spam": -2, "good": 1}
    assert value("nDCG(dcg='exp-log2')@10", ranking, grades) == pytest.approx(1 / log2(3))
    assert value("nDCG@10", ranking, grades) == pytest.approx(1 / log2(3))


def test_a_grade_too_high_for_the_exponential_gain_is_refused():
    with pytest.raises(UserError, match="the grade 16; the exponential gain takes grades up to 15"):
        value("nDCG(dcg='exp-log2')@10", rank("q", {"a": 1.0}), {"a": 16})


def test_an_unknown_gain_is_refused():
    with pytest.raises(ConfigError, match="dcg must be one of log2, exp-log2, got 'exp'"):
        parse_measure("nDCG(dcg='exp')@10")


def test_a_cutoff_of_zero_is_refused():
    with pytest.raises(ConfigError, match="after @ must be 1 or more, got 0"):
        parse_measure("P@0")
