"""Claims on rows whose values are known."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.claims import Verdict
from dragoman.experiments.searcher.claims import (
    ABOVE_BOTH,
    ABOVE_TRANSLATION,
    TRANSLATIONS,
    searcher_claims,
    seed_ranges,
)
from dragoman.experiments.searcher.experiment import FUSION
from dragoman.experiments.searcher.values import DetectionValue, RowValues

ROWS = {
    "threshold": 0.1, "document translation": 0.2, "query translation": 0.1, "psq": 0.3,
    "document translation + source": 0.25, "document translation + psq": 0.3,
    "threshold + psq": 0.35, "searcher-softmax": 0.1,
    "searcher-softmax-pretrained": 0.2, "searcher-softmax-aligned": 0.5, "searcher-max": 0.05,
    "searcher-max-pretrained": 0.05, "searcher-max-aligned": 0.4, FUSION: 0.6,
}  # fmt: skip


def outcome(language, rows, development=None, shifts=(0.0,)):
    """Rows whose values differ by seed by the shifts, if they are SEARCHER's."""
    noise = np.random.default_rng(0).normal(0, 0.05, 50)
    noise -= noise.mean()

    def value(name, number, mean):
        # every row has queries of its own that suit it, so that tests have something to decide
        return DetectionValue(
            name, "raw", 0.5, mean + np.roll(noise, number), 1.0, (development or rows)[name], 0,
            resampled=mean + np.linspace(-0.1, 0.1, 101),
        )  # fmt: skip

    values = [
        RowValues(
            name,
            tuple(
                value(name, number, mean + shift)
                for shift in (shifts if name.startswith("searcher") else (0.0,))
            ),
        )
        for number, (name, mean) in enumerate(rows.items())
    ]
    return SimpleNamespace(task=SimpleNamespace(language=language), values=tuple(values))


def differences(outcomes):
    """Text of a claim -> language -> difference; the mean over languages under the empty name."""
    found = {}
    for claim in searcher_claims(outcomes):
        found.setdefault(claim.text, {})[claim.group] = claim.difference
    return found


def test_rows_are_compared_language_by_language():
    poorer = ROWS | {"document translation": 0.6}
    outcomes = [outcome("so", ROWS), outcome("bg", poorer)]
    found = differences(outcomes)
    alone = found["SEARCHER is above document translation"]
    assert alone == pytest.approx({"": -0.2, "so": 0.0, "bg": -0.4})
    ours = found["SEARCHER from aligned vectors is above document translation"]
    assert ours == pytest.approx({"": 0.1, "so": 0.3, "bg": -0.1})
    aligned = found["softmax pooling: aligned word vectors are above random ones"]
    assert aligned == pytest.approx({"": 0.4, "so": 0.4, "bg": 0.4})
    holds = {claim.group: claim.verdict for claim in searcher_claims(outcomes)[:3]}
    assert holds == {"": Verdict.OPPOSITE, "so": Verdict.NOT_SHOWN, "bg": Verdict.OPPOSITE}


def test_the_differences_of_the_paper_are_those_of_its_languages():
    found = {
        language: [
            claim.paper
            for claim in searcher_claims([outcome(language, ROWS)])
            if claim.text in (ABOVE_TRANSLATION, ABOVE_BOTH)
        ]
        for language in ("so", "bg", "sw")
    }
    # Table 1: .229 and .250 beside .175 and .211, and .190 and .236; Table 2: .655, .653, .700
    assert found["so"] == pytest.approx([0.0465, 0.0265])
    assert found["bg"] == pytest.approx([0.002, -0.045])
    assert found["sw"] == [None, None]
    both = searcher_claims([outcome("so", ROWS), outcome("bg", ROWS)])
    whole = [one.paper for one in both if one.text == ABOVE_TRANSLATION and not one.group]
    assert whole == pytest.approx([0.02425])


def test_rows_joined_with_psq_are_compared_with_each_other_as_extensions():
    found = {claim.text: claim for claim in searcher_claims([outcome("so", ROWS)])}
    best = found["searcher + psq is above the best translation + psq"]
    assert best.difference == pytest.approx(0.3)
    control = found["searcher + psq is above threshold + psq"]
    assert control.difference == pytest.approx(0.25)
    assert best.extension
    assert control.extension
    assert not found["SEARCHER is above document translation + source"].extension


def test_intervals_are_those_of_the_samples_of_queries_and_documents():
    rows = [outcome("so", ROWS)]
    lower = next(one for one in rows[0].values if one.name == "threshold")
    samples = lower.by_seed[0].resampled
    samples[:] = samples[::-1]  # now the samples of the difference vary
    (claim,) = [
        one
        for one in searcher_claims(rows)
        if one.text == "SEARCHER is above the threshold baseline"
    ]
    assert claim.interval.low == pytest.approx(0.1 - 0.19)
    assert claim.interval.high == pytest.approx(0.1 + 0.19)


def test_the_searcher_is_the_one_that_development_chose():
    liked = ROWS | {"searcher-max": 0.9}
    found = differences([outcome("so", ROWS, development=liked)])
    assert found["SEARCHER is above the threshold baseline"][""] == pytest.approx(-0.05)


def test_aligned_vectors_are_not_those_of_the_paper():
    liked = ROWS | {"searcher-max-aligned": 0.9}
    claims = {one.text: one for one in searcher_claims([outcome("so", ROWS, development=liked)])}
    aligned = claims["SEARCHER from aligned vectors is above the threshold baseline"]
    assert aligned.difference == pytest.approx(0.3)
    assert aligned.extension
    assert claims["SEARCHER is above the threshold baseline"].difference == pytest.approx(0.1)


def test_equal_rows_decide_nothing():
    found = {claim.text: claim.verdict for claim in searcher_claims([outcome("so", ROWS)])}
    name = "max pooling: pre-trained word vectors are above random ones"
    assert found[name] is Verdict.NOT_SHOWN


def test_a_baseline_that_did_not_run_is_left_out():
    assert "apertium" in TRANSLATIONS
    rows = {name: value for name, value in ROWS.items() if not name.endswith("source")}
    found = differences([outcome("so", rows)])
    assert found["SEARCHER is above document translation"] == pytest.approx({"": 0.0})
    aligned = "SEARCHER from aligned vectors is above document translation"
    assert found[aligned] == pytest.approx({"": 0.3})
    assert "SEARCHER is above document translation + source" not in found


def test_claims_are_about_the_means_over_seeds():
    name = "SEARCHER is above the threshold baseline"
    found = differences([outcome("so", ROWS, shifts=(-0.1, 0.0, 0.4))])
    assert found[name] == pytest.approx({"": 0.2})
    assert found["random word vectors: softmax pooling is above max pooling"][""] == pytest.approx(
        0.05
    )


def test_differences_by_seed_have_their_range():
    outcomes = [outcome("so", ROWS, shifts=(-0.1, 0.2)), outcome("bg", ROWS, shifts=(0.1, 0.0))]
    lines = seed_ranges(outcomes)
    assert (
        "| SEARCHER from aligned vectors is above the threshold baseline | +0.450"
        " | +0.400 to +0.500 | so +0.300 to +0.600, bg +0.400 to +0.500 |"
    ) in lines
    # both rows have the same shifts, seed by seed
    assert any("softmax pooling is above max pooling | +0.050 | +0.050 to +0.050" in one
               for one in lines)  # fmt: skip


def test_one_seed_has_no_ranges():
    assert seed_ranges([outcome("so", ROWS)]) == []


def test_claims_of_rows_that_were_not_trained_are_left_out():
    rows = {name: value for name, value in ROWS.items() if not name.startswith("searcher-max")}
    del rows["searcher-softmax-pretrained"]
    found = differences([outcome("so", rows)])
    assert found["SEARCHER is above the threshold baseline"] == pytest.approx({"": 0.0})
    assert found["SEARCHER from aligned vectors is above psq"][""] > 0
    assert "softmax pooling: aligned word vectors are above random ones" in found
    assert not [text for text in found if "pre-trained" in text or "max pooling:" in text[:12]]
    assert not [text for text in found if "above max pooling" in text]
