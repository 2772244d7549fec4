"""Scores and grades -> a loss: the Smooth Ordinal Search Loss, and those it is compared with.

Grades are classes 0 .. K - 1 here and y = 1 .. K in the paper. ``forward(scores, grades)``
returns one number per pair; scores are in [-1, 1]. The outermost classes end at -1 and 1 as
printed, or at a ``limit`` that scores can approach (``similarity.attainable_maximum``).
"""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from dragoman.errors import ConfigError

THRESHOLDS = (0.2, 0.7)  # the paper's choice for three classes
STEEP = 20.0  # the slope of `po-steep`
# Nigam et al. 2019, section 3.3: an irrelevant product scores at most .2, one that was shown and
# not bought at most .55, one that was bought at least .9
THREE_PARTS = (0.2, 0.55, 0.9)


def require_thresholds(
    thresholds: Sequence[float], classes: int, limit: float = 1.0
) -> tuple[float, ...]:
    """-limit, the thresholds and the limit; refused unless they ascend strictly."""
    if len(thresholds) != classes - 1:
        raise ConfigError(
            f"{classes} grades need {classes - 1} thresholds between them,"
            f" got {len(thresholds)}: {_shown(thresholds)}"
        )
    return _require_rising(thresholds, limit)


def _require_rising(thresholds: Sequence[float], limit: float) -> tuple[float, ...]:
    whole = (-limit, *map(float, thresholds), limit)
    if not all(low < high for low, high in pairwise(whole)):
        raise ConfigError(
            f"thresholds must rise strictly between {-limit:.4g} and {limit:.4g},"
            f" got {_shown(thresholds)}"
        )
    return whole


def _shown(thresholds: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in thresholds)


class OrdinalLoss(nn.Module):
    """A loss over K ordered classes, each an interval between two thresholds."""

    bounds: Tensor  # (K + 1,): -limit = t0 < t1 < ... < tK = limit

    def __init__(
        self, classes: int = 3, thresholds: Sequence[float] = THRESHOLDS, limit: float = 1.0
    ) -> None:
        super().__init__()
        whole = require_thresholds(thresholds, classes, limit)
        self.register_buffer("bounds", torch.tensor(whole), persistent=False)

    def interval(self, grades: Tensor) -> tuple[Tensor, Tensor]:
        """The thresholds below and above each grade."""
        return self.bounds[grades], self.bounds[grades + 1]


class SmoothOrdinalSearchLoss(OrdinalLoss):
    """The squared distance of the score to the interval of its class (eq. 2)."""

    def forward(self, scores: Tensor, grades: Tensor) -> Tensor:
        """(n,): the loss of each pair."""
        low, high = self.interval(grades)
        return (scores - high).clamp_min(0).square() + (low - scores).clamp_min(0).square()


class AllThresholdLoss(OrdinalLoss):
    """The squared distances to all thresholds on the wrong side (Rennie and Srebro 2005).

    The paper's authors have it in their published code. It differs from eq. 2 where several
    thresholds lie between a score and its class: an irrelevant pair above two pays for each.
    """

    def forward(self, scores: Tensor, grades: Tensor) -> Tensor:
        """(n,): the loss of each pair."""
        thresholds = self.bounds[1:-1]
        classes_above = torch.arange(1, len(thresholds) + 1, device=grades.device)
        signs = torch.where(grades[:, None] >= classes_above, 1.0, -1.0)
        distances = signs * (thresholds - scores[:, None])
        return distances.clamp_min(0).square().sum(dim=1)


class SquaredError(OrdinalLoss):
    """The squared distance to the middle of the interval, as in the paper's Figure 2."""

    def forward(self, scores: Tensor, grades: Tensor) -> Tensor:
        """(n,): the loss of each pair."""
        low, high = self.interval(grades)
        return (scores - (low + high) / 2).square()


class ProportionalOdds(OrdinalLoss):
    """Minus the log likelihood of the class, where logit P(y <= k) = t_k - r (McCullagh 1980).

    The outermost classes end at the limits, as in the paper's comparison; then the loss of every
    class is lowest in the middle of its interval. With ``open_ended`` they extend to infinity, as
    in McCullagh's model. ``slope`` scales scores and thresholds.
    """

    def __init__(
        self,
        classes: int = 3,
        thresholds: Sequence[float] = THRESHOLDS,
        limit: float = 1.0,
        *,
        slope: float = 1.0,
        open_ended: bool = False,
    ) -> None:
        super().__init__(classes, thresholds, limit)
        if not slope > 0:
            raise ConfigError(f"slope must be above 0, got {slope}")
        self.slope = slope
        if open_ended:
            self.bounds[0], self.bounds[-1] = -torch.inf, torch.inf

    def forward(self, scores: Tensor, grades: Tensor) -> Tensor:
        """(n,): the loss of each pair."""
        low, high = (self.slope * (bound - scores) for bound in self.interval(grades))
        # log(s(high) - s(low)) = log s(high) + log s(-low) + log(1 - exp(low - high))
        gap = torch.log1p(-torch.exp(low - high))
        return -(nn.functional.logsigmoid(high) + nn.functional.logsigmoid(-low) + gap)


class SteepProportionalOdds(ProportionalOdds):
    """McCullagh's proportional odds with a slope for scores in [-1, 1].

    With slope one, a score of -1 gives the class below the threshold .2 a probability of .77 at
    most: the loss of no pair vanishes, and the many irrelevant pairs push all scores down.
    """

    def __init__(
        self, classes: int = 3, thresholds: Sequence[float] = THRESHOLDS, limit: float = 1.0
    ) -> None:
        super().__init__(classes, thresholds, limit, slope=STEEP, open_ended=True)


class ThreePart(nn.Module):
    """The three-part loss of Nigam et al. 2019 with squares: two upper bounds and a lower one.

    The best grade must score above the last of ``parts``, every other grade below its own part; so
    partly relevant documents are pushed down like irrelevant ones, but less far.
    """

    parts: Tensor

    def __init__(
        self, classes: int = 3, parts: Sequence[float] = THREE_PARTS, limit: float = 1.0
    ) -> None:
        super().__init__()
        if len(parts) != classes:
            raise ConfigError(
                f"{classes} grades need {classes} thresholds in the three-part loss, got"
                f" {len(parts)}: {_shown(parts)}"
            )
        _require_rising(parts, limit)
        self.register_buffer("parts", torch.tensor(tuple(map(float, parts))), persistent=False)

    def forward(self, scores: Tensor, grades: Tensor) -> Tensor:
        """(n,): the loss of each pair."""
        part = self.parts[grades]
        best = grades == len(self.parts) - 1
        excess = torch.where(best, part - scores, scores - part)
        return excess.clamp_min(0).square()
