"""Scores, labels and a teacher's scores -> the loss (equations 5, 7 and 8 of the paper).

All losses are given per example and averaged by the caller. Equation 5 puts a score into a
logarithm; that of an interactive model is a sigmoid, that of the others a cosine, which may be 0 or
below. ``Probability`` says how that is settled.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from dragoman.systems.semi_interactive.config import Distillation, Probability

TANGENT = 0.1  # below it, log goes on along its tangent
CLAMP = 1e-6


class LogProbabilities(NamedTuple):
    """The logarithms of a probability and of its complement."""

    of_it: Tensor
    of_rest: Tensor


def logit_log_probabilities(logits: Tensor) -> LogProbabilities:
    """Those of sigmoid(logits), equation 2."""
    return LogProbabilities(logsigmoid(logits), logsigmoid(-logits))


def cosine_log_probabilities(cosines: Tensor, how: Probability) -> LogProbabilities:
    """Those of cosines as probabilities."""
    if how is Probability.SHIFTED:
        shifted = (1 + cosines) / 2
        return LogProbabilities(_extended_log(shifted), _extended_log(1 - shifted))
    if how is Probability.CLAMPED:
        clamped = cosines.clamp(CLAMP, 1 - CLAMP)
        return LogProbabilities(clamped.log(), (1 - clamped).log())
    # a pair that is not relevant is done with at a cosine of 0
    return LogProbabilities(_extended_log(cosines), _extended_log((1 - cosines).clamp(max=1)))


def _extended_log(values: Tensor) -> Tensor:
    """The log above ``TANGENT``, its tangent below: finite, and with a gradient everywhere."""
    curve = values.clamp(min=TANGENT).log()
    return curve + (values.clamp(max=TANGENT) - TANGENT) / TANGENT


def cross_entropy(logs: LogProbabilities, labels: Tensor) -> Tensor:
    """Equation 5, per example."""
    return -(labels * logs.of_it + (1 - labels) * logs.of_rest)


def distillation_loss(logs: LogProbabilities, teacher: Tensor, how: Distillation) -> Tensor:
    """Equation 7, per example: as printed, or with the term for the complement."""
    if how is Distillation.OFF:
        return torch.zeros_like(teacher)
    if how is Distillation.PRINTED:
        return -teacher * logs.of_it
    return cross_entropy(logs, teacher)


def mixed_loss(
    logs: LogProbabilities, labels: Tensor, teacher: Tensor | None, alpha: float, how: Distillation
) -> Tensor:
    """Equation 8, per example; without a teacher, or with distillation off, equation 5 alone."""
    cross = cross_entropy(logs, labels)
    if teacher is None or how is Distillation.OFF:
        return cross
    return alpha * cross + (1 - alpha) * distillation_loss(logs, teacher, how)
