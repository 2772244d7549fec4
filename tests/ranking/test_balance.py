import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import zscore

from dragoman.ranking.balance import BEST, LanguageScales, interleave, language_scales, pad_scores
from dragoman.types import Hit

scores = st.lists(st.floats(0, 100), max_size=BEST).map(lambda s: np.array(sorted(s)[::-1]))


def hits(prefix, values):
    return [Hit(f"{prefix}{n:03d}", float(value)) for n, value in enumerate(values)]


def test_one_language_alone_has_z_scores():
    values = np.array([9.0, 4.0, 1.0, 0.5])
    assert language_scales({"de": values})["de"].standardize(values) == pytest.approx(
        zscore(values)
    )


def test_scores_that_do_not_differ_are_all_nothing():
    values = np.array([2.0, 2.0])
    assert language_scales({"de": values})["de"].standardize(values).tolist() == [0, 0]
    assert language_scales({}) == {}
    assert language_scales({"de": np.zeros(0)})["de"].standardize(np.array([1.0])).tolist() == [0]


@given(st.dictionaries(st.sampled_from(["de", "en", "fr"]), scores, min_size=1))
def test_scales_of_many_are_those_by_name(lists):
    by_name, by_place = language_scales(lists), LanguageScales.estimate([*lists.values()])
    for place, (code, values) in enumerate(lists.items()):
        scaled = by_place.standardize(values, np.full(len(values), place))
        assert scaled.tolist() == pytest.approx(by_name[code].standardize(values).tolist())
        assert (np.diff(scaled) <= 0).all()  # the order of a language's own stays


def test_documents_that_are_not_listed_have_no_score():
    assert pad_scores(np.array([3.0, 1.0]), 4).tolist() == [3, 1, 0, 0]
    assert pad_scores(np.array([3.0, 1.0]), 2).tolist() == [3, 1]
    assert pad_scores(np.arange(60.0)[::-1], 1000).tolist() == [*range(59, 9, -1)]
    assert len(pad_scores(np.array([3.0]), 1000)) == BEST


def test_languages_take_turns():
    mixed = interleave({"a": hits("a", [1, 0.5, 0.2]), "b": hits("b", [3, 2]), "c": []})
    assert [hit.doc_id for hit in mixed] == ["b000", "a000", "b001", "a001", "a002"]
    assert [hit.score for hit in mixed] == sorted((hit.score for hit in mixed), reverse=True)
