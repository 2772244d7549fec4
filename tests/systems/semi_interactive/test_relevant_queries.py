"""Relevant queries: ready-made, mined from clicks, never one that is evaluated with."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError, InputError
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.systems.semi_interactive.leakage import normalize_query, refuse_leaks
from dragoman.systems.semi_interactive.relevant_queries import (
    STRONGEST,
    fit_prior,
    mined_queries,
    ready_made_queries,
)
from dragoman.types import Click, Document, Query

PAGES = [
    Document(f"{code}:{item}", "text", title, code)
    for item, titles in {
        "sea": {"en": "Sea", "it": "Mare", "fr": "Mer", "de": "Meer", "es": "Mar"},
        "sun": {"en": "Sun", "it": "Sole"},
        "moon": {"en": "Moon", "it": "", "fr": "Lune"},
        "tea": {"en": "Tea"},
    }.items()
    for code, title in titles.items()
]


def texts(queries):
    return [query.text for query in queries]


def ready(**options):
    return ready_made_queries(PAGES, rng=np.random.default_rng(0), **options)


def test_titles_of_the_same_item_in_other_languages():
    found = ready()
    assert texts(found["en:sun"]) == ["Sole"]
    assert found["en:sun"][0].language == "it"
    assert texts(found["it:sun"]) == ["Sun"]
    assert len(found["en:sea"]) == 3
    assert set(texts(found["en:sea"])) <= {"Mare", "Mer", "Meer", "Mar"}
    assert texts(found["en:moon"]) == ["Lune"]
    assert "en:tea" not in found


def test_only_asked_languages_and_no_more_than_asked_for():
    found = ready(most=2, languages={"it", "de"})
    assert set(texts(found["en:sea"])) == {"Mare", "Meer"}
    assert texts(found["it:sea"]) == ["Meer"]


def test_the_draw_depends_on_the_generator_alone():
    assert ready() == ready()
    drawn = [ready_made_queries(PAGES, rng=np.random.default_rng(seed)) for seed in range(9)]
    assert len({tuple(texts(one["en:sea"])) for one in drawn}) > 1


def test_an_evaluation_query_is_no_title():
    assert "en:sun" not in ready(excluded=[Query("q", "¡SOLE!", "es")])
    assert "Mer" not in texts(ready(most=9, excluded=[Query("q", "mer")])["en:sea"])


def test_items_may_be_told_by_the_metadata():
    pages = [Document(c, "", c.upper(), c, {"item": "x"}) for c in ("en", "fr")]
    assert texts(ready_made_queries(pages, rng=np.random.default_rng(0))["en"]) == ["FR"]


LOG = [
    Click("mare", "d", 100, 30, "it"),
    Click("oceano", "d", 1, 1, "it"),  # a rate of 1, from a single impression
    Click("acqua", "d", 100, 2, "it"),
    Click("mer", "d", 60, 3, "fr"),
    Click("lune", "d", 50, 0, "fr"),
    Click("mer", "other", 40, 1, "fr"),
]


def test_a_rate_of_few_impressions_is_drawn_to_its_languages_mean():
    assert texts(mined_queries(LOG, most=9, strength=50)["d"]) == ["mare", "mer", "oceano", "acqua"]
    unsmoothed = mined_queries(LOG, most=9, strength=0)["d"]
    assert texts(unsmoothed) == ["oceano", "mer", "mare", "acqua"]


def test_smoothed_rates_are_those_worked_by_hand():
    prior = fit_prior([30, 1, 2], [100, 1, 100])
    assert prior.rate == pytest.approx(33 / 201)
    assert prior.smoothed(0, 0) == pytest.approx(prior.rate)
    assert prior.smoothed(10**9, 10**9) == pytest.approx(1, abs=1e-5)


def test_the_best_of_every_language_comes_first():
    found = mined_queries(LOG, most=2)["d"]
    assert [query.language for query in found] == ["it", "fr"]
    assert texts(mined_queries(LOG, languages={"fr"})["d"]) == ["mer"]


def test_rows_of_one_query_are_added_and_unclicked_ones_left_out():
    rows = [
        Click("a", "d", 10, 1, "it"),
        Click("a", "d", 10, 9, "it"),
        Click("b", "d", 10, 4, "it"),
    ]
    assert texts(mined_queries(rows)["d"]) == ["a", "b"]
    assert texts(mined_queries(rows, fewest_clicks=5)["d"]) == ["a"]
    assert mined_queries([Click("a", "d", 10, 0, "it")]) == {}
    assert mined_queries([]) == {}


def test_an_evaluation_query_is_never_mined():
    assert "mare" not in texts(mined_queries(LOG, excluded=[Query("q", "Mare?")])["d"])


def test_how_many_are_asked_for_is_checked():
    with pytest.raises(ConfigError, match="most and fewest_clicks must be 1 or more"):
        mined_queries(LOG, most=0)


@pytest.mark.parametrize("strength", [5.0, 40.0])
def test_the_prior_is_found_in_rates_that_were_drawn_from_it(strength):
    rng = np.random.default_rng(0)
    rates = rng.beta(0.2 * strength, 0.8 * strength, 20_000)
    shown = rng.integers(2, 40, len(rates))
    prior = fit_prior(rng.binomial(shown, rates).tolist(), shown.tolist())
    assert prior.rate == pytest.approx(0.2, rel=0.05)
    assert prior.strength == pytest.approx(strength, rel=0.15)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=20))
@settings(max_examples=60)
def test_a_smoothed_rate_lies_between_0_and_1(rows):
    clicks, shown = [min(row) for row in rows], [max(row) for row in rows]
    prior = fit_prior(clicks, shown)
    assert 0 < prior.strength <= STRONGEST
    for clicked, seen in zip(clicks, shown, strict=True):
        assert 0 <= prior.smoothed(clicked, seen) <= 1


def example(*relevant):
    beside = tuple(Query(text, text, "fr") for text in relevant)
    return RelevanceExample(Query("q", "sea"), Document("d", "the sea"), beside, 1.0)


def test_an_evaluation_query_beside_a_document_is_refused():
    examples = [example("mer"), example("lune", "La  Mer!")]
    refuse_leaks(examples, [Query("q", "soleil", "fr")])
    with pytest.raises(InputError, match="line 2: found the evaluation query 'La  Mer!'"):
        refuse_leaks(examples, [Query("q", "la mer", "en")])


def test_the_same_question_whatever_its_dress():
    assert normalize_query("Ｌａ Mer?") == normalize_query("la mer")
    assert normalize_query("Straße") == normalize_query("STRASSE")
    assert normalize_query("!!") != normalize_query("??")
    assert normalize_query("mer") != normalize_query("mère")
