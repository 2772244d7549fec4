"""Scores and labels -> how well calibrated probabilities are, and calibrated probabilities.

A model is calibrated when, of all pairs with a predicted probability p, a share p is relevant.
``reliability`` is the diagram of that (DeGroot and Fienberg 1983), ``expected_error`` its summary
(Naeini et al. 2015). ``fit_scaling`` is Platt scaling (1999) of logits, with his smoothed targets.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from dragoman.errors import ConfigError
from dragoman.types import FloatArray, IntArray

BINS = 10
TOLERANCE, ROUNDS = 1e-10, 100  # the norm of the mean gradient; Newton steps, about ten needed


@dataclass(frozen=True, slots=True)
class Reliability:
    """One bar per bin of probabilities; both means of an empty bin are NaN."""

    edges: FloatArray  # (bins + 1,)
    counts: IntArray  # pairs in each bin
    predicted: FloatArray  # the mean probability in each bin
    observed: FloatArray  # the share of relevant pairs in each bin

    @property
    def expected_error(self) -> float:
        """ECE: the mean of |predicted - observed|, weighted by the pairs in each bin."""
        filled = self.counts > 0
        gaps = np.abs(self.predicted[filled] - self.observed[filled])
        return float((gaps * self.counts[filled]).sum() / max(int(self.counts.sum()), 1))


def reliability(probabilities: FloatArray, labels: FloatArray, bins: int = BINS) -> Reliability:
    """The diagram of n probabilities (n,) and labels (n,), in ``bins`` of equal width."""
    if bins < 1:
        raise ConfigError(f"bins must be 1 or more, got {bins}")
    edges = np.linspace(0.0, 1.0, bins + 1)
    bin_of = np.minimum((np.asarray(probabilities) * bins).astype(np.int64), bins - 1)
    counts = np.bincount(bin_of, minlength=bins)
    with np.errstate(invalid="ignore"):
        predicted = np.bincount(bin_of, weights=probabilities, minlength=bins) / counts
        observed = np.bincount(bin_of, weights=labels, minlength=bins) / counts
    return Reliability(edges, counts, predicted, observed)


def expected_error(probabilities: FloatArray, labels: FloatArray, bins: int = BINS) -> float:
    """ECE of n probabilities and labels."""
    return reliability(probabilities, labels, bins).expected_error


@dataclass(frozen=True, slots=True)
class Scaling:
    """A probability from a logit: sigmoid(slope * logit + offset)."""

    slope: float = 1.0
    offset: float = 0.0

    def probabilities(self, logits: FloatArray) -> FloatArray:
        """From 0 to 1, in the order of the logits."""
        scaled: FloatArray = expit(self.slope * np.asarray(logits, np.float64) + self.offset)
        return scaled


def fit_scaling(logits: FloatArray, labels: FloatArray) -> Scaling:
    """Platt's scaling of n logits to n labels; the identity where all labels are equal.

    The identity also where the fitted slope would reverse the order.
    """
    truth = np.asarray(labels, dtype=np.float64)
    relevant = float(truth.sum())
    if not 0 < relevant < len(truth):
        return Scaling()
    # Platt's targets: one more pair of either kind, so that no weight diverges
    targets = np.where(truth > 0, (relevant + 1) / (relevant + 2), 1 / (len(truth) - relevant + 2))
    weights = fit_logistic(np.asarray(logits, np.float64)[:, None], targets)
    return Scaling(float(weights[0]), float(weights[1])) if weights[0] > 0 else Scaling()


def fit_logistic(features: FloatArray, targets: FloatArray, ridge: float = 1e-6) -> FloatArray:
    """(features + 1,): the weights of a logistic regression, the intercept last.

    Shapes: features (n, f), targets (n,) between 0 and 1.
    """
    design = np.column_stack([features, np.ones(len(features))])
    penalty = ridge / len(design)
    start = np.zeros(design.shape[1])
    share = float(np.clip(targets.mean(), 1e-9, 1 - 1e-9))
    start[-1] = np.log(share / (1 - share))

    def loss(weights: FloatArray) -> float:
        scores = design @ weights
        fit = (np.logaddexp(0, scores) - targets * scores).mean()
        return float(fit + 0.5 * penalty * weights @ weights)

    def gradient(weights: FloatArray) -> FloatArray:
        slope: FloatArray = (expit(design @ weights) - targets) @ design / len(design)
        return slope + penalty * weights

    def hessian(weights: FloatArray) -> FloatArray:
        predicted = expit(design @ weights)
        curvature = (predicted * (1 - predicted) / len(design))[:, None]
        return (design * curvature).T @ design + penalty * np.eye(len(weights))

    fitted = minimize(
        loss,
        start,
        jac=gradient,
        hess=hessian,
        method="trust-exact",
        options={"gtol": TOLERANCE, "maxiter": ROUNDS},
    )
    return np.asarray(fitted.x)
