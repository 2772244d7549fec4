"""Scores and truths -> how far probabilities can be believed, and scores made believable.

A model is calibrated when, of all pairs that it gives the probability p, a share p is relevant.
``reliability`` is the diagram of that (DeGroot and Fienberg 1983), ``expected_error`` its summary
(Naeini et al. 2015). ``fit_scaling`` is Platt scaling (1999) of logits, with his smoothed targets;
``fit_temperature`` has the slope alone (Guo et al. 2017).
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit

from dragoman.errors import ConfigError
from dragoman.types import FloatArray, IntArray

BINS = 10
ROUNDS = 50  # of Newton's method, which needs about ten
SMALL_STEP = 1e-9
LEAST_CURVATURE = 1e-10


@dataclass(frozen=True, slots=True)
class Reliability:
    """One bar per bin of probabilities; bins without a pair are not a number in both means."""

    edges: FloatArray  # (bins + 1,)
    counts: IntArray  # pairs in each bin
    said: FloatArray  # the mean probability in each bin
    found: FloatArray  # the share of relevant pairs in each bin

    @property
    def expected_error(self) -> float:
        """ECE: the mean distance between said and found, bins weighed by their pairs."""
        filled = self.counts > 0
        gaps = np.abs(self.said[filled] - self.found[filled])
        return float((gaps * self.counts[filled]).sum() / max(int(self.counts.sum()), 1))

    @property
    def maximum_error(self) -> float:
        """MCE: the largest distance of any bin."""
        filled = self.counts > 0
        return float(np.abs(self.said[filled] - self.found[filled]).max(initial=0.0))


def reliability(probabilities: FloatArray, labels: FloatArray, bins: int = BINS) -> Reliability:
    """The diagram of n probabilities (n,) and truths (n,), in ``bins`` of equal width."""
    if bins < 1:
        raise ConfigError(f"bins must be 1 or more, got {bins}")
    edges = np.linspace(0.0, 1.0, bins + 1)
    place = np.minimum((np.asarray(probabilities) * bins).astype(np.int64), bins - 1)
    counts = np.bincount(place, minlength=bins)
    with np.errstate(invalid="ignore"):
        said = np.bincount(place, weights=probabilities, minlength=bins) / counts
        found = np.bincount(place, weights=labels, minlength=bins) / counts
    return Reliability(edges, counts, said, found)


def expected_error(probabilities: FloatArray, labels: FloatArray, bins: int = BINS) -> float:
    """ECE of n probabilities and truths."""
    return reliability(probabilities, labels, bins).expected_error


@dataclass(frozen=True, slots=True)
class Scaling:
    """A probability from a logit: sigmoid(slope * logit + offset)."""

    slope: float = 1.0
    offset: float = 0.0

    def probabilities(self, logits: FloatArray) -> FloatArray:
        """From 0 to 1, in the order of the logits."""
        found: FloatArray = expit(self.slope * np.asarray(logits, np.float64) + self.offset)
        return found


def fit_scaling(logits: FloatArray, labels: FloatArray) -> Scaling:
    """Platt's scaling of n logits to n truths; none where there is only one kind of truth.

    A slope that would turn the order around is not taken.
    """
    truth = np.asarray(labels, dtype=np.float64)
    relevant = float(truth.sum())
    if not 0 < relevant < len(truth):
        return Scaling()
    # Platt's targets: one pair more of either kind, so that no weight runs away
    aims = np.where(truth > 0, (relevant + 1) / (relevant + 2), 1 / (len(truth) - relevant + 2))
    weights = fit_logistic(np.asarray(logits, np.float64)[:, None], aims)
    return Scaling(float(weights[0]), float(weights[1])) if weights[0] > 0 else Scaling()


def fit_temperature(logits: FloatArray, labels: FloatArray) -> Scaling:
    """The slope alone that makes the truths likeliest."""
    values, truth = np.asarray(logits, np.float64), np.asarray(labels, np.float64)

    def loss(slope: float) -> float:
        return float((np.logaddexp(0, slope * values) - truth * slope * values).mean())

    return Scaling(float(minimize_scalar(loss, bounds=(1e-3, 1e3), method="bounded").x))


def fit_logistic(features: FloatArray, aims: FloatArray, ridge: float = 1e-6) -> FloatArray:
    """(features + 1,): the weights of a logistic regression, the offset last.

    Shapes: features (n, f), aims (n,) between 0 and 1. Newton's method with halved steps.
    """
    design = np.column_stack([features, np.ones(len(features))])
    penalty = ridge * np.eye(design.shape[1])
    weights = np.zeros(design.shape[1])
    share = float(np.clip(aims.mean(), 1e-9, 1 - 1e-9))
    weights[-1] = np.log(share / (1 - share))

    def loss(at: FloatArray) -> float:
        scores = design @ at
        fit = (np.logaddexp(0, scores) - aims * scores).sum()
        return float(fit + 0.5 * at @ penalty @ at)

    for _ in range(ROUNDS):
        said = expit(design @ weights)
        slope = design.T @ (said - aims) + penalty @ weights
        curvature = np.maximum(said * (1 - said), LEAST_CURVATURE)
        step = np.linalg.solve((design * curvature[:, None]).T @ design + penalty, slope)
        size, before = 1.0, loss(weights)
        while loss(weights - size * step) > before and size > SMALL_STEP:
            size /= 2
        weights = weights - size * step
        if np.abs(size * step).max() < SMALL_STEP:
            break
    return weights
