"""A bag of weighted points: a query or a document as transport sees it."""

from dataclasses import dataclass

import numpy as np

from dragoman.errors import ConfigError
from dragoman.types import FloatArray


@dataclass(frozen=True, slots=True)
class WeightedBag:
    """Points (n, d) with weights (n,) of 0 or more, which ``support`` scales to sum to one.

    A bag without weight is allowed: its distance to every other bag is infinite.
    """

    points: FloatArray
    weights: FloatArray

    def __post_init__(self) -> None:
        if self.points.ndim != 2 or self.weights.shape != (len(self.points),):
            raise ConfigError(
                f"A bag needs points (n, d) and weights (n,), got {self.points.shape}"
                f" and {self.weights.shape}"
            )
        if not np.isfinite(self.weights).all() or (self.weights < 0).any():
            raise ConfigError("A bag's weights must be finite and 0 or more")

    def support(self) -> tuple[FloatArray, FloatArray]:
        """The points with a weight above 0, and their float64 weights, which sum to one."""
        heavy = self.weights > 0
        weights = self.weights[heavy].astype(np.float64)
        return np.ascontiguousarray(self.points[heavy]), weights / weights.sum()


def check_epsilon(epsilon: float | None) -> None:
    """Refuse a regularisation that is not above 0."""
    if epsilon is not None and not 0 < epsilon < np.inf:
        raise ConfigError(f"epsilon must be above 0, or None for exact transport, got {epsilon}")
