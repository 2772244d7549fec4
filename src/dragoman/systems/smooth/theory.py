"""The paper's section 4: Lipschitz and smoothness constants, stability, the generalisation gap.

``f`` is L-Lipschitz if its gradient is nowhere longer than L, and b-smooth if its gradient is
b-Lipschitz (Definitions A.1, A.2). The bounds hold everywhere; the tests sample gradients against
them. Constants that the paper leaves open are derived here:

- the gradient of the smooth cosine is at most 1/(norm + epsilon), half of the paper's 2/epsilon;
- its Hessian is at most 2/epsilon^2 (the paper's N(p)/epsilon^2, with an N that is free of p);
- a mean of word vectors with tanh is 1-Lipschitz and 4/(3 sqrt 3)-smooth in the table.
"""

from collections.abc import Sequence
from math import inf, log, sqrt

from dragoman.errors import ConfigError
from dragoman.systems.smooth.losses import require_thresholds
from dragoman.systems.smooth.similarity import require_epsilon

LARGEST_TANH_CURVATURE = 4 / (3 * sqrt(3))  # maximum of |tanh''|, reached where tanh^2 = 1/3


def cosine_lipschitz(epsilon: float) -> float:
    """The longest gradient of the smooth cosine in one of its vectors: 1/epsilon; infinite at 0.

    With x of norm n, the gradient is (z' - (x'z') n/(n + epsilon) x/n) / (n + epsilon), where z' is
    z over its norm plus epsilon. Its component along x is (1 - n/(n + epsilon)) x'z', its component
    across x that of z'; together they are no longer than z', which is shorter than one.
    """
    require_epsilon(epsilon)
    return 1 / epsilon if epsilon else inf


def paper_cosine_lipschitz(epsilon: float) -> float:
    """The paper's bound of the same gradient: 2/epsilon (proof of Lemma 2)."""
    return 2 * cosine_lipschitz(epsilon)


def cosine_smoothness(epsilon: float) -> float:
    """The Lipschitz constant of the gradient of the smooth cosine: 2/epsilon^2.

    Of x/(n + epsilon), the second derivative in a direction at the angle a to x acts as
    ((2r cos a, sin a), (sin a, cos a)) / (n + epsilon)^2 with r = epsilon/(n + epsilon) on the
    plane of both, whose norm is at most 2, and as cos a on the rest.
    """
    require_epsilon(epsilon)
    return 2 / epsilon**2 if epsilon else inf


def sosl_lipschitz(thresholds: Sequence[float], grade: int | None = None) -> float:
    """The Lipschitz constant of SOSL in the score, for one grade or all: at most 4 (Prop. 1)."""
    bounds = require_thresholds(thresholds, len(thresholds) + 1)
    grades = range(len(bounds) - 1) if grade is None else [grade]
    return max(2 * max(1 + bounds[y], 1 - bounds[y + 1]) for y in grades)


def sosl_smoothness() -> float:
    """The smoothness of SOSL in the score (Proposition 1)."""
    return 2.0


def sosl_bound(thresholds: Sequence[float]) -> float:
    """The maximum of SOSL for scores in [-1, 1]: the M of Theorem 3."""
    return (sosl_lipschitz(thresholds) / 2) ** 2


def composed_lipschitz(inner: float, outer: float) -> float:
    """Lemma A.1: the Lipschitz constant of a composition."""
    return inner * outer


def composed_smoothness(
    inner_lipschitz: float, inner_smoothness: float, outer_lipschitz: float, outer_smoothness: float
) -> float:
    """Lemma A.2 with its square: |g''||f'|^2 + |g'||f''|.

    The paper's proof bounds |g'(f(u)) - g'(f(v))| by the distance of u and v, which omits a factor
    of the inner Lipschitz constant; if that is above one, the paper's sum is too small.
    """
    return outer_smoothness * inner_lipschitz**2 + outer_lipschitz * inner_smoothness


def loss_lipschitz(epsilon: float, thresholds: Sequence[float]) -> float:
    """The Lipschitz constant of SOSL in the query table, with fixed documents (Lemma 2)."""
    return composed_lipschitz(cosine_lipschitz(epsilon), sosl_lipschitz(thresholds))


def loss_smoothness(epsilon: float, thresholds: Sequence[float]) -> float:
    """The smoothness of SOSL in the query table, with fixed documents (Lemma 2)."""
    tower = (1.0, LARGEST_TANH_CURVATURE)
    score = (
        composed_lipschitz(tower[0], cosine_lipschitz(epsilon)),
        composed_smoothness(*tower, cosine_lipschitz(epsilon), cosine_smoothness(epsilon)),
    )
    return composed_smoothness(*score, sosl_lipschitz(thresholds), sosl_smoothness())


def sgd_stability(
    samples: int, steps: int, *, lipschitz: float, smoothness: float, step: float
) -> float:
    """Theorem A.4 (Hardt et al. 2016): the uniform stability of SGD with steps c/t.

    For a loss in [0, 1]; ``step`` is c.
    """
    if samples < 2 or steps < 1 or not min(lipschitz, smoothness, step) > 0:
        raise ConfigError(
            f"expected 2 samples, 1 step and positive constants at least, got {samples} samples,"
            f" {steps} steps, {lipschitz}, {smoothness}, {step}"
        )
    product = smoothness * step
    power = 1 / (product + 1)
    growth = float((2 * step * lipschitz**2) ** power * steps ** (product * power))
    return (1 + 1 / product) / (samples - 1) * growth


def generalisation_gap(samples: int, stability: float, largest_loss: float, delta: float) -> float:
    """Theorem 3: a bound of expected minus training loss that holds with probability 1 - delta."""
    if samples < 1 or not 0 < delta < 1 or stability < 0 or largest_loss < 0:
        raise ConfigError(
            f"expected samples, 0 < delta < 1 and constants from 0 on, got {samples}, {delta},"
            f" {stability}, {largest_loss}"
        )
    spread = sqrt(log(1 / delta) / (2 * samples))
    return 2 * stability + (4 * samples * stability + largest_loss) * spread


def sosl_generalisation_gap(
    samples: int,
    steps: int,
    *,
    epsilon: float,
    thresholds: Sequence[float],
    step: float,
    delta: float,
) -> float:
    """Theorem 3 with the constants of this model: SOSL over SCS over average pooling.

    The loss divided by its maximum M is in [0, 1], as Theorem A.4 requires; its stability times M
    is that of the loss.
    """
    largest = sosl_bound(thresholds)
    stability = largest * sgd_stability(
        samples,
        steps,
        lipschitz=loss_lipschitz(epsilon, thresholds) / largest,
        smoothness=loss_smoothness(epsilon, thresholds) / largest,
        step=step,
    )
    return generalisation_gap(samples, stability, largest, delta)
