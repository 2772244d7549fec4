"""Claims on values that are known."""

import csv

import numpy as np
import pytest

from dragoman.experiments.claims import (
    EXTENSIONS,
    ClaimedGain,
    Verdict,
    claims_markdown,
    evaluate_claims,
)
from dragoman.experiments.claims import write_claims as write
from dragoman.metrics.significance import permutation_test

rng = np.random.default_rng(0)
VALUES = rng.random(60)
NOISE = rng.normal(0, 0.05, 60)
BETTER = (VALUES + 0.2 + NOISE, VALUES)
WORSE = BETTER[::-1]
SAME = (VALUES + NOISE - NOISE.mean(), VALUES)


def only(pairs, **given):
    return evaluate_claims([ClaimedGain("a is above b", "AP", pairs, **given)])


@pytest.mark.parametrize(
    ("pair", "holds"),
    [(BETTER, Verdict.HOLDS), (WORSE, Verdict.OPPOSITE), (SAME, Verdict.NOT_SHOWN)],
)
def test_a_claim_holds_if_the_difference_is_significant_and_above(pair, holds):
    (claim,) = only({"de": pair})
    assert claim.verdict is holds
    assert claim.difference == pytest.approx((pair[0] - pair[1]).mean())
    assert claim.interval.low <= claim.difference <= claim.interval.high
    expected = permutation_test(pair[0] - pair[1], np.zeros(60), np.random.default_rng(0))
    assert claim.p_value == expected


@pytest.mark.parametrize(
    ("pair", "paper", "verdict"),
    [
        (SAME, 0.001, Verdict.NOT_SETTLED),
        (SAME, 0.2, Verdict.NOT_SHOWN),  # a difference as large as the paper's is ruled out
        (BETTER, 0.2, Verdict.HOLDS),
    ],
)
def test_a_claim_is_not_settled_where_neither_the_paper_nor_chance_is_ruled_out(
    pair, paper, verdict
):
    (claim,) = only({"de": pair}, paper=paper)
    assert claim.verdict is verdict


def test_groups_weigh_the_same_whatever_their_size():
    overall, large, small = only({"de": BETTER, "fr": tuple(one[:10] for one in WORSE)})
    assert overall.difference == pytest.approx((large.difference + small.difference) / 2)
    assert (overall.group, large.group, small.group) == ("", "de", "fr")
    assert (large.verdict, small.verdict) == (Verdict.HOLDS, Verdict.OPPOSITE)


def test_p_values_are_corrected_over_the_claims():
    (alone,) = only({"de": BETTER})
    two = evaluate_claims([ClaimedGain(text, "AP", {"de": BETTER}) for text in ("a", "b")])
    assert [claim.p_value for claim in two] == pytest.approx([2 * alone.p_value] * 2)


def test_a_claim_without_measured_rows_is_left_out():
    assert only({}) == []


def test_a_line_has_verdict_difference_interval_and_p():
    claims = only({"de": BETTER, "fr": SAME}, paper=0.1, digits=2)
    *_, header, _, line = claims_markdown(claims)
    assert header.startswith(
        "| claim | measure | verdict | difference | 95 % interval | p | paper |"
    )
    assert "| a is above b | AP | holds | +0.1" in line
    assert "| 0.0001 | +0.10 | de +0.20\\*, fr +0.00 |" in line
    *_, plain = claims_markdown(only({"": BETTER}))
    assert plain.count("|") == 7


def test_extensions_stand_apart_and_are_corrected_apart():
    (alone,) = only({"de": BETTER})
    gains = [
        ClaimedGain("x", "AP", {"de": WORSE}, extension=True),
        ClaimedGain("a", "AP", {"de": BETTER}),
        ClaimedGain("y", "AP", {"de": BETTER}, extension=True),
    ]
    claims = evaluate_claims(gains)
    assert [claim.text for claim in claims] == ["a", "x", "y"]
    assert claims[0].p_value == alone.p_value
    text = "\n".join(claims_markdown(claims))
    paper, _, others = text.partition(EXTENSIONS)
    assert "| a | AP | holds |" in paper
    assert "| x | AP | opposite |" in others
    assert EXTENSIONS not in claims_markdown(only({"de": BETTER}))


def test_extensions_alone_have_one_table():
    text = "\n".join(claims_markdown(only({"de": BETTER}, extension=True)))
    assert text.count("| claim |") == 1
    assert EXTENSIONS in text


def test_the_csv_has_every_group(tmp_path):
    claims = only({"de": BETTER, "fr": SAME})
    write(tmp_path / "claims.csv", claims)
    with (tmp_path / "claims.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["group"], row["verdict"]) for row in rows] == [
        ("", "holds"),
        ("de", "holds"),
        ("fr", "not shown"),
    ]
    assert all(float(row["low"]) <= float(row["difference"]) <= float(row["high"]) for row in rows)
