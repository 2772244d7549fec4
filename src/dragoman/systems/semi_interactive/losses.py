"""Scores, labels and a teacher's scores -> the loss (equations 5, 7 and 8 of the paper).

Losses are per example; the caller averages them. Equation 5 takes the logarithm of a score: that of
an interactive model is a sigmoid, that of the others a cosine, which may be 0 or negative;
``Probability`` lists the ways to handle that.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from dragoman.systems.semi_interactive.config import Distillation, Probability

TANGENT = 0.1  # below it, the log is replaced by its tangent
CLAMP = 1e-6


class LogProbabilities(NamedTuple):
    """The logarithms of a probability and of its complement."""

    relevant: Tensor
    irrelevant: Tensor


def logit_log_probabilities(logits: Tensor) -> LogProbabilities:
    """Of sigmoid(logits), equation 2."""
    return LogProbabilities(logsigmoid(logits), logsigmoid(-logits))


def cosine_log_probabilities(cosines: Tensor, how: Probability) -> LogProbabilities:
    """Of cosines as probabilities."""
    if how is Probability.SHIFTED:
        shifted = (1 + cosines) / 2
        return LogProbabilities(_extended_log(shifted), _extended_log(1 - shifted))
    if how is Probability.CLAMPED:
        clamped = cosines.clamp(CLAMP, 1 - CLAMP)
        return LogProbabilities(clamped.log(), (1 - clamped).log())
    # the loss of an irrelevant pair is 0 from a cosine of 0 down
    return LogProbabilities(_extended_log(cosines), _extended_log((1 - cosines).clamp(max=1)))


def _extended_log(values: Tensor) -> Tensor:
    """The log above ``TANGENT``, its tangent below: finite and differentiable everywhere."""
    curve = values.clamp(min=TANGENT).log()
    return curve + (values.clamp(max=TANGENT) - TANGENT) / TANGENT


def cross_entropy(logs: LogProbabilities, labels: Tensor) -> Tensor:
    """Equation 5, per example."""
    return -(labels * logs.relevant + (1 - labels) * logs.irrelevant)


def distillation_loss(logs: LogProbabilities, teacher: Tensor, how: Distillation) -> Tensor:
    """Equation 7, per example: as printed, or with the term for the complement."""
    if how is Distillation.OFF:
        return torch.zeros_like(teacher)
    if how is Distillation.PRINTED:
        return -teacher * logs.relevant
    return cross_entropy(logs, teacher)


def mixed_loss(
    logs: LogProbabilities, labels: Tensor, teacher: Tensor | None, alpha: float, how: Distillation
) -> Tensor:
    """Equation 8, per example; without a teacher, or with distillation off, equation 5 alone."""
    cross = cross_entropy(logs, labels)
    if teacher is None or how is Distillation.OFF:
        return cross
    return alpha * cross + (1 - alpha) * distillation_loss(logs, teacher, how)
