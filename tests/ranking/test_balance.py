import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import zscore

from dragoman.ranking.balance import BEST, calibrated, interleaved, scales
from dragoman.types import Hit

scores = st.lists(st.floats(0, 100), max_size=BEST).map(lambda s: np.array(sorted(s)[::-1]))


def hits(prefix, values):
    return [Hit(f"{prefix}{n:03d}", float(value)) for n, value in enumerate(values)]


def test_one_language_alone_has_z_scores():
    values = np.array([9.0, 4.0, 1.0, 0.5])
    assert scales({"de": values})["de"].of(values) == pytest.approx(zscore(values))


def test_a_language_with_inflated_scores_does_not_flood_the_list():
    rng = np.random.default_rng(0)
    foreign, own = np.sort(rng.random(BEST))[::-1], 5 + np.sort(rng.random(BEST))[::-1]
    foreign[0] = 3.0  # the right document stands out among its own
    mixed = calibrated({"en": hits("en", own), "de": hits("de", foreign)}, {})
    assert mixed[0].doc_id == "de000"
    assert {hit.doc_id[:2] for hit in mixed[:10]} == {"en", "de"}


def test_a_lone_weak_hit_is_no_star():
    strong = np.concatenate([[30.0], np.linspace(5, 1, BEST - 1)])
    mixed = calibrated({"en": hits("en", strong), "yo": hits("yo", [0.3])}, {"yo": 500})
    assert mixed[0].doc_id == "en000"


@given(st.dictionaries(st.sampled_from(["de", "en", "fr"]), scores, min_size=1))
def test_calibration_keeps_each_languages_order_and_every_hit(lists):
    named = {code: hits(code, values) for code, values in lists.items()}
    mixed = calibrated(named, {})
    assert sorted(hit.doc_id for hit in mixed) == sorted(
        hit.doc_id for mine in named.values() for hit in mine
    )
    for code, values in lists.items():
        mine = [hit for hit in mixed if hit.doc_id.startswith(code)]
        raw = [values[int(hit.doc_id[2:])] for hit in mine]
        assert raw == sorted(raw, reverse=True) or np.ptp(values) < 1e-6


def test_languages_take_turns():
    mixed = interleaved({"a": hits("a", [1, 0.5, 0.2]), "b": hits("b", [3, 2]), "c": []})
    assert [hit.doc_id for hit in mixed] == ["b000", "a000", "b001", "a001", "a002"]
    assert [hit.score for hit in mixed] == sorted((hit.score for hit in mixed), reverse=True)
