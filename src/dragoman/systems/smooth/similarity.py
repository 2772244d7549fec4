"""Two vectors -> how close they are, with a bounded gradient (Liu et al. 2020, equation 1)."""

import torch
from torch import Tensor

from dragoman.errors import ConfigError

# where epsilon is 0, the gradient of a norm is that of a vector this long at least
SHORTEST = 1e-12


def smooth_cosine(queries: Tensor, documents: Tensor, epsilon: float) -> Tensor:
    """(n,): the smooth cosine of each pair of rows; shapes (n, p) and (n, p).

    Strictly between -1 and 1 for ``epsilon`` > 0, and 0 where a vector is zero. With 0 it is the
    plain cosine, 0 where a vector is zero.
    """
    return (smooth_normalize(queries, epsilon) * smooth_normalize(documents, epsilon)).sum(dim=-1)


def smooth_normalize(vectors: Tensor, epsilon: float) -> Tensor:
    """Vectors over their norm plus ``epsilon``; the inner product of two is their smooth cosine."""
    require_epsilon(epsilon)
    squares = (vectors * vectors).sum(dim=-1, keepdim=True)
    # the root has no gradient at zero; a floor under it leaves every other vector as it is
    norms = squares.clamp_min(SHORTEST**2).sqrt()
    return vectors / (norms + epsilon)


def require_epsilon(epsilon: float) -> None:
    """Refuse a smoothness that is not a number from 0 on."""
    if not 0 <= epsilon < torch.inf:
        raise ConfigError(f"epsilon must be a number from 0 on, got {epsilon}")
