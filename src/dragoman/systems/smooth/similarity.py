"""Two vectors -> their smooth cosine, whose gradient is bounded (Liu et al. 2020, equation 1)."""

import math

import torch
from torch import Tensor

from dragoman.errors import ConfigError

# lower bound of a norm, so that its gradient exists with epsilon 0
SHORTEST = 1e-12


def smooth_cosine(queries: Tensor, documents: Tensor, epsilon: float) -> Tensor:
    """(n,): the smooth cosine of each pair of rows; shapes (n, p) and (n, p).

    Strictly between -1 and 1 for ``epsilon`` > 0; the plain cosine for 0. It is 0 where a vector is
    zero.
    """
    return (smooth_normalize(queries, epsilon) * smooth_normalize(documents, epsilon)).sum(dim=-1)


def smooth_normalize(vectors: Tensor, epsilon: float) -> Tensor:
    """Vectors over their norm plus ``epsilon``; the inner product of two is their smooth cosine."""
    require_epsilon(epsilon)
    squares = (vectors * vectors).sum(dim=-1, keepdim=True)
    # the square root has no gradient at 0; the lower bound changes no other vector
    norms = squares.clamp_min(SHORTEST**2).sqrt()
    return vectors / (norms + epsilon)


def attainable_maximum(dimension: int, epsilon: float) -> float:
    """The supremum of the smooth cosine of vectors with components between -1 and 1.

    That is what average pooling with tanh gives: norms stay below sqrt(p), so the smooth cosine
    stays below (sqrt(p) / (sqrt(p) + epsilon))^2: .790 for the paper's p = 64 and epsilon = 1.
    Thresholds above it are targets that no pair can reach.
    """
    require_epsilon(epsilon)
    longest = math.sqrt(dimension)
    return (longest / (longest + epsilon)) ** 2


def require_epsilon(epsilon: float) -> None:
    """Refuse an ``epsilon`` that is negative or not finite."""
    if not 0 <= epsilon < torch.inf:
        raise ConfigError(f"epsilon must be a number from 0 on, got {epsilon}")
