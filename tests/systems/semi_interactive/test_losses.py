"""Equations 5, 7 and 8 by hand, and what becomes of a cosine at and below 0."""

from math import log

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch
from hypothesis import given
from hypothesis import strategies as st

from dragoman.systems.semi_interactive.config import Distillation, Probability
from dragoman.systems.semi_interactive.losses import (
    TANGENT,
    cosine_log_probabilities,
    cross_entropy,
    distillation_loss,
    logit_log_probabilities,
    mixed_loss,
)

SCORES, LABELS, TEACHER = (torch.tensor(v) for v in ([0.8, 0.3], [1.0, 0.0], [0.9, 0.2]))
LOGS = cosine_log_probabilities(SCORES, Probability.EXTENDED)
every_way = pytest.mark.parametrize("how", Probability)


def test_equation_5_is_the_cross_entropy():
    assert cross_entropy(LOGS, LABELS).tolist() == pytest.approx([-log(0.8), -log(0.7)])


def test_equation_7_as_printed_has_one_term():
    found = distillation_loss(LOGS, TEACHER, Distillation.PRINTED)
    assert found.tolist() == pytest.approx([-0.9 * log(0.8), -0.2 * log(0.3)])


def test_the_symmetric_form_has_the_complement_too():
    found = distillation_loss(LOGS, TEACHER, Distillation.SYMMETRIC)
    expected = [-0.9 * log(0.8) - 0.1 * log(0.2), -0.2 * log(0.3) - 0.8 * log(0.7)]
    assert found.tolist() == pytest.approx(expected)


def test_equation_8_mixes_both_by_alpha():
    found = mixed_loss(LOGS, LABELS, TEACHER, 0.7, Distillation.PRINTED)
    expected = [-0.7 * log(0.8) - 0.3 * 0.9 * log(0.8), -0.7 * log(0.7) - 0.3 * 0.2 * log(0.3)]
    assert found.tolist() == pytest.approx(expected)


@pytest.mark.parametrize("teacher", [None, TEACHER])
def test_without_a_teacher_or_with_distillation_off_the_labels_count_whole(teacher):
    how = Distillation.OFF if teacher is not None else Distillation.PRINTED
    found = mixed_loss(LOGS, LABELS, teacher, 0.7, how)
    assert found.tolist() == cross_entropy(LOGS, LABELS).tolist()
    assert not distillation_loss(LOGS, TEACHER, Distillation.OFF).any()


def test_the_loss_of_logits_is_torchs_own():
    logits = torch.tensor([-30.0, -1.0, 0.0, 2.0, 40.0])
    labels = torch.tensor([0.0, 1.0, 0.5, 1.0, 0.0])
    expected = torch.nn.functional.binary_cross_entropy_with_logits(
        logits, labels, reduction="none"
    )
    assert torch.allclose(cross_entropy(logit_log_probabilities(logits), labels), expected)


@every_way
@given(cosine=st.floats(-1, 1), label=st.sampled_from([0.0, 1.0]))
def test_every_cosine_has_a_finite_loss_and_gradient(how, cosine, label):
    score = torch.tensor([cosine], requires_grad=True)
    loss = cross_entropy(cosine_log_probabilities(score, how), torch.tensor([label])).sum()
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(score.grad).all()


@given(cosine=st.floats(TANGENT, 1 - TANGENT))
def test_between_its_ends_the_extended_log_is_the_log(cosine):
    logs = cosine_log_probabilities(
        torch.tensor([cosine], dtype=torch.float64), Probability.EXTENDED
    )
    assert logs.relevant.item() == pytest.approx(log(cosine))
    assert logs.irrelevant.item() == pytest.approx(log(1 - cosine))


@pytest.mark.parametrize(
    ("how", "positive", "negative"),
    [
        (Probability.EXTENDED, -1 / TANGENT, 0.0),
        (Probability.CLAMPED, 0.0, 0.0),
        (Probability.SHIFTED, -1 / 0.7, 1 / 1.3),  # of log((1 - .3) / 2) and of log(1.3 / 2)
    ],
)
def test_what_a_cosine_below_0_teaches(how, positive, negative):
    for label, expected in ((1.0, positive), (0.0, negative)):
        score = torch.tensor([-0.3], requires_grad=True)
        cross_entropy(cosine_log_probabilities(score, how), torch.tensor([label])).sum().backward()
        assert score.grad.item() == pytest.approx(expected, abs=1e-6)
