import inspect
from pathlib import Path

import pytest

from dragoman.errors import ConfigError, UnknownName
from dragoman.metrics.outcomes import judge
from dragoman.metrics.parser import (
    describe_measures,
    parse_measure,
    parse_measures,
)
from dragoman.registry import MEASURES, load
from outcome_strategies import rank

EXAMPLES = [
    *("AP", "AP(rel=2)@10", "AQWV(beta=40)", "AQWV(beta=20,threshold=0.5,rel=2)", "AUC"),
    *("AUC(pooled=True)", "Judged@10", "MQWV(beta=40)", "P(rel=2)@1", "P@5", "R@100", "RR"),
    *("RR(rel=2)@10", "Success(rel=2)@5", "nDCG", "nDCG@5", "nDCG(dcg='exp-log2')@10"),
    *("LanguageTau", "LanguageTau(rel=2)@10", "PEER", "PEER@3"),
]


def test_measures_are_named_as_they_were_written_each_once():
    text = "nDCG@10, RR  AQWV(beta=40, threshold=0.5)\tRR nDCG(dcg='exp-log2')@10"
    names = [measure.name for measure in parse_measures(text)]
    expected = ["nDCG@10", "RR", "AQWV(beta=40,threshold=0.5)", "nDCG(dcg='exp-log2')@10"]
    assert names == expected


def test_every_registered_measure_has_an_example_here():
    assert {parse.partition("(")[0].partition("@")[0] for parse in EXAMPLES} == set(MEASURES)


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_measure_gives_a_value_within_its_bounds(text):
    measure = parse_measure(text)
    cases = [
        (rank("q1", {"a": 1.0, "b": 0.6, "y": 0.6, "e": 0.2}), {"a": 1, "c": 1, "d": 1, "e": 3}),
        (rank("q2", {"x": 1.0, "y": 0.5, "c": 0.1}), {"a": 1, "c": 2, "d": 1, "e": 1}),
    ]
    languages = {"a": "de", "b": "fr", "c": "fr", "d": "fr", "e": "de", "x": "de", "y": "de"}
    values = measure.values([judge(ranking, grades, languages) for ranking, grades in cases], 50)
    low, high = measure.bounds
    assert measure.name == text
    assert values.shape == (2,)
    assert low <= values.mean() <= high


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_takes_its_name_first_and_the_rest_by_keyword(name):
    parameters = list(inspect.signature(load(MEASURES[name])).parameters.values())
    assert parameters[0].name == "name"
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters[1:])


def test_the_table_of_the_documentation_shows_forms_and_defaults():
    described = describe_measures()
    assert "P(rel=1)@k" in described
    assert "AQWV(beta=40,threshold=None,rel=1)" in described
    assert "nDCG(dcg='log2')[@k]" in described
    page = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
    for form, meaning in described.items():
        assert f"| `{form}` | {meaning} |" in page


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "No measure is named"),
        (" , ", "No measure is named"),
        ("nDCG@ten", "Cannot read the measure 'nDCG@ten'"),
        ("P@-1", "Cannot read the measure 'P@-1'"),
        ("RR)", "Cannot read the measure"),
        ("AQWV(beta", "Cannot read the measure"),
        ("AQWV(beta=)", "Cannot read the parameters of 'AQWV"),
        ("AQWV(40)", "Cannot read the parameters of 'AQWV.40.'; expected name=value"),
        ("AQWV(**{})", "Cannot read the parameters"),
        ("AQWV(beta=40,beta=20)", "Cannot read the parameters"),
        ("P(cutoff=3)@5", "Cannot read the parameters"),
        ("P(rel=__import__)@5", "Cannot read the parameters"),
        ("P", "'P' lacks its cutoff. P is written P.rel=1.@k"),
        ("P(rl=2)@5", "P takes no 'rl'. It is written P.rel=1.@k"),
        ("AUC@5", "AUC takes no 'cutoff'"),
        ("P(rel='two')@5", "rel must be int, got 'two'"),
        ("P(rel=True)@5", "rel must be int, got True"),
        ("AQWV(beta='x')", "beta must be float, got 'x'"),
        ("AUC(pooled=1)", "pooled must be bool, got 1"),
    ],
)
def test_what_cannot_be_read_is_named(text, message):
    with pytest.raises(ConfigError, match=message):
        parse_measures(text)


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match=r"Unknown measure 'nDGC'\. Did you mean 'nDCG'"):
        parse_measures("RR nDGC@10")
