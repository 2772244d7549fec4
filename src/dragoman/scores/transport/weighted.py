"""A bag of weighted points, and the cost of moving weight between two bags."""

from dataclasses import dataclass

import numpy as np

from dragoman.errors import ConfigError
from dragoman.types import FloatArray


@dataclass(frozen=True, slots=True)
class Weighted:
    """Points (n, d) with weights (n,) that are 0 or more; they are scaled to sum to one when used.

    A bag without weight is allowed: nothing can be moved onto it.
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

    def kept(self) -> tuple[FloatArray, FloatArray]:
        """The points that weigh anything, and their float64 weights, which sum to one."""
        heavy = self.weights > 0
        weights = self.weights[heavy].astype(np.float64)
        return np.ascontiguousarray(self.points[heavy]), weights / weights.sum()


def check_epsilon(epsilon: float | None) -> None:
    """Refuse a regularisation that is not above 0."""
    if epsilon is not None and not 0 < epsilon < np.inf:
        raise ConfigError(f"epsilon must be above 0, or None for exact transport, got {epsilon}")


def costs(left: FloatArray, right: FloatArray) -> FloatArray:
    """The Euclidean distances (n, m) of every left to every right point, in float64."""
    left, right = left.astype(np.float64), right.astype(np.float64)
    squares = (
        np.einsum("ij,ij->i", left, left)[:, None]
        + np.einsum("ij,ij->i", right, right)[None, :]
        - 2 * (left @ right.T)
    )
    # where the difference cancels, it is taken before squaring
    for row, column in np.argwhere(squares < 1e-6):
        difference = left[row] - right[column]
        squares[row, column] = difference @ difference
    return np.asarray(np.sqrt(squares))
