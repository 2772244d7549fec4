"""Features -> the odds that something holds, by a logistic model with few coefficients."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from dragoman.types import FloatArray


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """The logarithm of the odds is linear in the features."""

    bias: float
    weights: tuple[float, ...]

    def log_odds(self, features: Sequence[float]) -> float:
        """The logarithm of the odds; above 0 where it is likelier than not."""
        return self.bias + sum(w * x for w, x in zip(self.weights, features, strict=True))

    @classmethod
    def fit(
        cls, features: FloatArray, holds: FloatArray, counts: FloatArray, penalty: float = 1.0
    ) -> Self:
        """The most likely model of examples (n, features), each counted ``counts`` times.

        ``penalty`` is the weight of half the squared coefficients, of features in units of their
        deviation.
        """
        from scipy.optimize import minimize  # noqa: PLC0415 - .2 s, and a search needs no fit

        mean, deviation = features.mean(0), features.std(0)
        deviation = np.where(deviation > 0, deviation, 1.0)
        inputs = np.column_stack([np.ones(len(features)), (features - mean) / deviation])
        signs = np.where(holds, -1.0, 1.0)

        def loss(coefficients: FloatArray) -> tuple[float, FloatArray]:
            odds = signs * (inputs @ coefficients)
            free = np.append(0.0, coefficients[1:])
            value = counts @ np.logaddexp(0.0, odds) + penalty * (free @ free) / 2
            wrong = counts * signs / (1.0 + np.exp(-odds))
            return float(value), inputs.T @ wrong + penalty * free

        found = minimize(loss, np.zeros(inputs.shape[1]), jac=True, method="L-BFGS-B").x
        weights = found[1:] / deviation
        return cls(float(found[0] - weights @ mean), tuple(weights.tolist()))
