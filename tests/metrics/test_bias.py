from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import kruskal, somersd

from dragoman.errors import ConfigError
from dragoman.metrics.bias import kruskal_wallis, within_language_ranks
from dragoman.metrics.outcomes import judge
from dragoman.metrics.parser import parse_measure
from dragoman.metrics.report import evaluate
from dragoman.types import Ranking
from outcome_strategies import judged, rank, rankings

LANGUAGES = {f"d{number:02d}": ["de", "en", "fr"][number % 3] for number in range(12)}


def value(measure, ranking, grades, languages=LANGUAGES):
    (found,) = parse_measure(measure).values([judge(ranking, grades, languages)], None)
    return float(found)


def in_order(*doc_ids):
    return rank("q", {doc_id: float(-place) for place, doc_id in enumerate(doc_ids)})


def by_prefix(*doc_ids):
    return {doc_id: doc_id[:2] for doc_id in doc_ids}


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=2, max_size=20).filter(
        lambda pairs: len({g for _, g in pairs}) > 1 and len({v for v, _ in pairs}) > 1
    )
)
@settings(max_examples=60)
def test_the_test_is_that_of_kruskal_and_wallis(pairs):
    values, groups = (np.array(column) for column in zip(*pairs, strict=True))
    samples = [values[groups == group] for group in np.unique(groups)]
    assert kruskal_wallis(values.astype(float), groups) == pytest.approx(kruskal(*samples).pvalue)


def test_languages_in_blocks_have_the_p_value_worked_by_hand():
    # ranks 1 2 3 and 4 5 6: H = 12/(6*7) * (6*6/3 + 15*15/3) - 3*7 = 27/7; chi2(1) tail of that
    ids = ["de1", "de2", "de3", "fr1", "fr2", "fr3"]
    found = value("PEER", in_order(*ids), dict.fromkeys(ids, 1), by_prefix(*ids))
    assert found == pytest.approx(0.0495346, abs=1e-6)


def test_languages_that_take_turns_are_treated_alike():
    ids = ["de1", "fr1", "fr2", "de2", "de3", "fr3", "fr4", "de4"]
    assert value("PEER", in_order(*ids), dict.fromkeys(ids, 1), by_prefix(*ids)) == 1.0


def test_what_was_not_found_is_tied_after_the_last_place():
    languages = by_prefix("de1", "de2", "fr1", "fr2", "de9")
    grades = {"de1": 1, "de2": 1, "fr1": 1, "fr2": 1}
    found = value("PEER", in_order("de1", "de9", "de2"), grades, languages)
    assert found == pytest.approx(kruskal([1, 2], [3.5, 3.5]).pvalue)


def test_what_stands_below_the_cutoff_is_tied_too():
    languages = by_prefix("de1", "de2", "fr1", "fr2")
    ranking, grades = in_order("de1", "fr1", "de2", "fr2"), dict.fromkeys(languages, 1)
    found = value("PEER@1", ranking, grades, languages)
    assert found == pytest.approx(kruskal([1, 3], [3, 3]).pvalue)


def test_each_grade_is_tested_by_itself_and_the_mean_taken():
    ids = ["de1", "de2", "fr1", "fr2", "de3", "fr3", "fr4", "de4"]
    grades = {doc_id: 2 if row < 4 else 1 for row, doc_id in enumerate(ids)}
    blocks = kruskal([1, 2], [3, 4]).pvalue
    languages = by_prefix(*ids)
    assert value("PEER", in_order(*ids), grades, languages) == pytest.approx((blocks + 1) / 2)
    assert value("PEER(rel=2)", in_order(*ids), grades, languages) == pytest.approx(blocks)


def test_one_document_a_language_cannot_show_a_preference():
    languages = by_prefix("de1", "fr1", "en1")
    assert np.isnan(value("PEER", in_order(*languages), dict.fromkeys(languages, 1), languages))


@given(rankings(min_size=1), judged(min_size=1))
@settings(max_examples=60)
def test_names_of_languages_do_not_matter(ranking, grades):
    renamed = {doc_id: {"de": "x", "en": "a", "fr": "m"}[c] for doc_id, c in LANGUAGES.items()}
    for measure in ("PEER", "LanguageTau", "PEER@3", "LanguageTau@3"):
        first, second = value(measure, ranking, grades), value(measure, ranking, grades, renamed)
        assert first == pytest.approx(second, nan_ok=True)
        low, high = parse_measure(measure).bounds
        assert np.isnan(first) or low <= first <= high


def test_a_right_document_below_another_languages_whole_list_is_buried():
    flood = [f"en{n}" for n in range(9)]
    languages = by_prefix("de0", "de1", *flood)
    # the first English hit is as good as the first German one; the other eight came before it
    assert value("LanguageTau", in_order(*flood, "de0", "de1"), {"de0": 1}, languages) == -1.0
    assert value("LanguageTau", in_order("de0", *flood, "de1"), {"de0": 1}, languages) == 1.0
    middle = in_order(*flood[:3], "de0", "de1", *flood[3:])
    # two English hits that are no firsts stand above it, six below
    assert value("LanguageTau", middle, {"de0": 1}, languages) == pytest.approx((6 - 2) / 8)


def test_languages_that_take_turns_agree_with_their_own_lists():
    ids = [f"{code}{n}" for n in range(4) for code in ("de", "en", "fr")]
    for right in ids:
        assert value("LanguageTau", in_order(*ids), {right: 1}, by_prefix(*ids)) == 1.0


@given(rankings(min_size=2))
@settings(max_examples=60)
def test_where_all_is_relevant_it_is_somers_d_without_pairs_of_one_language(ranking):
    languages = np.array([ord(LANGUAGES[hit.doc_id][0]) for hit in ranking.hits])
    own, count = within_language_ranks(languages), len(languages)
    assume(len(set(own)) > 1)
    decided = [(i, j) for i, j in combinations(range(count), 2) if own[i] != own[j]]
    same = sum(languages[i] == languages[j] for i, j in decided)
    assume(same < len(decided))
    whole = somersd(own, np.arange(count)).statistic * len(decided)
    grades = {hit.doc_id: 1 for hit in ranking.hits}
    expected = (whole - same) / (len(decided) - same)
    assert value("LanguageTau", ranking, grades) == pytest.approx(expected)


def test_a_query_left_out_gains_nothing():
    languages = by_prefix("de1", "de2", "fr1")
    grades = dict.fromkeys(languages, 1)
    assert value("PEER", Ranking("q", ()), grades, languages) == 0.0
    assert value("LanguageTau", Ranking("q", ()), grades, languages) == 0.0


def test_languages_come_from_the_collection_and_pairs_have_no_value():
    languages = by_prefix("de1", "de2", "fr1", "fr2")
    run = [in_order("de1", "fr1", "fr2", "de2")]
    report = evaluate(
        {"run": run},
        {"q": dict.fromkeys(languages, 1)},
        [parse_measure("PEER"), parse_measure("LanguageTau")],
        rng=np.random.default_rng(0),
        query_languages={"q": "en"},
        document_languages=languages,
    ).runs[0]
    assert report.measures["PEER"].mean == 1.0
    assert report.measures["LanguageTau"].mean == 1.0
    assert report.pairs["en-de"]["PEER"].queries == 0


@pytest.mark.parametrize("measure", ["PEER", "LanguageTau@10"])
def test_without_the_documents_languages_the_measure_is_refused(measure):
    with pytest.raises(ConfigError, match=r"needs the languages of the documents.*--corpus"):
        evaluate(
            {"run": [in_order("de1")]},
            {"q": {"de1": 1}},
            [parse_measure(measure)],
            rng=np.random.default_rng(0),
        )


def test_a_cutoff_of_nothing_is_refused():
    with pytest.raises(ConfigError, match="must be 1 or more, got 0"):
        parse_measure("PEER@0")
