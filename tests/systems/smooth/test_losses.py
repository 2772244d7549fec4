"""Losses against their definitions, worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import ConfigError
from dragoman.systems.smooth.losses import (
    AllThresholdLoss,
    ProportionalOdds,
    SmoothOrdinalSearchLoss,
    SquaredError,
    SteepProportionalOdds,
    ThreePart,
)

LOSSES = (
    SmoothOrdinalSearchLoss,
    AllThresholdLoss,
    SquaredError,
    ProportionalOdds,
    SteepProportionalOdds,
    ThreePart,
)

scores = st.floats(-1, 1)


def value(loss, score, grade):
    return float(loss(torch.tensor([score]), torch.tensor([grade])))


@pytest.mark.parametrize(
    ("score", "grade", "expected"),
    [
        (-0.9, 0, 0.0),
        (0.2, 0, 0.0),  # on the threshold
        (0.5, 0, 0.09),
        (1.0, 0, 0.64),
        (0.1, 1, 0.01),
        (0.45, 1, 0.0),
        (0.9, 1, 0.04),
        (0.4, 2, 0.09),
        (0.8, 2, 0.0),
        (-1.0, 2, 1.7**2),
    ],
)
def test_sosl_is_the_squared_distance_to_the_interval(score, grade, expected):
    assert value(SmoothOrdinalSearchLoss(), score, grade) == pytest.approx(expected, abs=1e-6)


def test_sosl_takes_any_number_of_grades():
    loss = SmoothOrdinalSearchLoss(5, (-0.5, 0.0, 0.3, 0.6))
    found = loss(torch.zeros(5), torch.arange(5)).tolist()
    assert found == pytest.approx([0.25, 0, 0, 0.09, 0.36], abs=1e-6)
    assert value(SmoothOrdinalSearchLoss(2, (0.5,)), 0.25, 1) == pytest.approx(0.0625)


@pytest.mark.parametrize(
    ("score", "grade", "expected"),
    [
        (0.2, 0, 0.0),  # on the threshold
        (0.5, 0, 0.3**2),
        (0.9, 0, 0.7**2 + 0.2**2),  # above both
        (0.1, 1, 0.1**2),
        (0.45, 1, 0.0),
        (0.9, 1, 0.2**2),
        (0.8, 2, 0.0),
        (0.4, 2, 0.3**2),
        (-1.0, 2, 1.2**2 + 1.7**2),  # below both
    ],
)
def test_every_threshold_on_the_wrong_side_adds_its_squared_distance(score, grade, expected):
    assert value(AllThresholdLoss(), score, grade) == pytest.approx(expected, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(scores, st.integers(0, 3))
def test_all_thresholds_are_sosl_up_to_one_on_the_wrong_side(score, grade):
    thresholds = (-0.3, 0.2, 0.7)
    wrong = sum((score > t) != (grade > k) for k, t in enumerate(thresholds) if score != t)
    found, sosl = (
        value(kind(4, thresholds), score, grade)
        for kind in (AllThresholdLoss, SmoothOrdinalSearchLoss)
    )
    if wrong <= 1:
        assert found == pytest.approx(sosl, abs=1e-6)
    else:
        assert found >= sosl


@pytest.mark.parametrize("grade", [0, 1, 2])
def test_the_squared_error_aims_at_the_middle(grade):
    middle = (-0.4, 0.45, 0.85)[grade]
    assert value(SquaredError(), middle, grade) == pytest.approx(0, abs=1e-12)
    assert value(SquaredError(), middle - 0.1, grade) == pytest.approx(0.01, rel=1e-4)


@settings(max_examples=60, deadline=None)
@given(scores, st.integers(0, 2), st.sampled_from([1.0, 4.0]), st.booleans())
def test_proportional_odds_is_minus_the_log_of_the_class_probability(
    score, grade, slope, open_ended
):
    def below(threshold):
        return 1 / (1 + math.exp(-slope * (threshold - score)))

    least, most = (0.0, 1.0) if open_ended else (below(-1), below(1))
    ends = [least, below(0.2), below(0.7), most]
    expected = -math.log(ends[grade + 1] - ends[grade])
    loss = ProportionalOdds(slope=slope, open_ended=open_ended)
    assert value(loss, score, grade) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("grade", [0, 1, 2])
def test_closed_proportional_odds_aims_at_the_middle_as_the_squared_error_does(grade):
    middle = torch.tensor([(-0.4, 0.45, 0.85)[grade]], requires_grad=True)
    ProportionalOdds()(middle, torch.tensor([grade])).backward()
    assert middle.grad.item() == pytest.approx(0, abs=1e-6)


def test_open_ended_proportional_odds_pushes_to_both_ends():
    given_scores = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
    loss = ProportionalOdds(open_ended=True)
    loss(given_scores, torch.tensor([0, 1, 2])).sum().backward()
    assert torch.isfinite(given_scores.grad).all()
    assert given_scores.grad[0] > 0 > given_scores.grad[2]


def test_only_a_steep_slope_settles_a_pair():
    lowest = [torch.tensor([-1.0], requires_grad=True) for _ in range(2)]
    for score, loss in zip(
        lowest, (ProportionalOdds(open_ended=True), SteepProportionalOdds()), strict=True
    ):
        loss(score, torch.tensor([0])).backward()
    flat, steep = (score.grad.item() for score in lowest)
    assert flat == pytest.approx(1 / (1 + math.exp(1.2)))  # 1 - P(y <= 0) = .23
    assert steep == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize(
    ("score", "grade", "expected"),
    [
        (0.1, 0, 0.0),
        (0.5, 0, 0.09),
        (-0.5, 1, 0.0),  # partly relevant is only ever pushed down
        (0.75, 1, 0.04),
        (0.95, 2, 0.0),
        (0.4, 2, 0.25),
    ],
)
def test_three_parts(score, grade, expected):
    assert value(ThreePart(), score, grade) == pytest.approx(expected, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(scores, st.integers(0, 2))
def test_no_loss_is_negative(score, grade):
    for kind in LOSSES:
        assert value(kind(), score, grade) >= 0


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ((0.7, 0.2), "rise strictly between -1 and 1, got 0.7, 0.2"),
        ((0.2, 0.2), "rise strictly"),
        ((-1.0, 0.2), "rise strictly"),
        ((0.2, 1.5), "rise strictly"),
        ((0.2, math.nan), "rise strictly"),
        ((0.2,), "3 grades need 2 thresholds between them, got 1"),
        ((0.1, 0.2, 0.3), "3 grades need 2 thresholds"),
    ],
)
@pytest.mark.parametrize(
    "kind", [SmoothOrdinalSearchLoss, AllThresholdLoss, SquaredError, ProportionalOdds]
)
def test_bad_thresholds_are_refused(kind, thresholds, message):
    with pytest.raises(ConfigError, match=message):
        kind(3, thresholds)


def test_bad_parts_and_slopes_are_refused():
    with pytest.raises(ConfigError, match="4 grades need 4 thresholds in the three-part loss"):
        ThreePart(4)
    with pytest.raises(ConfigError, match="rise strictly between -1 and 1"):
        ThreePart(3, (0.2, 0.9, 0.55))
    with pytest.raises(ConfigError, match="slope must be above 0"):
        ProportionalOdds(slope=0.0)


def test_a_loss_keeps_the_order_of_its_pairs():
    rng = np.random.default_rng(0)
    given_scores = torch.tensor(rng.uniform(-1, 1, 20))
    grades = torch.tensor(rng.integers(0, 3, 20))
    for loss in (kind() for kind in LOSSES):
        together = loss(given_scores, grades).tolist()
        alone = [float(loss(given_scores[i : i + 1], grades[i : i + 1])) for i in range(20)]
        assert together == pytest.approx(alone)


def test_outermost_classes_end_at_the_limit():
    # grade 0 aims at the middle of -.8 and .2, grade 2 at that of .6 and .8
    squared = SquaredError(3, (0.2, 0.6), 0.8)
    assert value(squared, -0.3, 0) == pytest.approx(0.0, abs=1e-6)
    assert value(squared, 0.7, 2) == pytest.approx(0.0, abs=1e-6)
    odds = ProportionalOdds(3, (0.2, 0.6), 0.8)
    assert value(odds, 0.7, 2) < min(value(odds, 0.6, 2), value(odds, 0.8, 2))
    for loss in LOSSES:
        thresholds = (0.1, 0.2, 0.8) if loss is ThreePart else (0.2, 0.8)
        with pytest.raises(ConfigError, match=r"strictly between -0\.8 and 0\.8"):
            loss(3, thresholds, 0.8)
