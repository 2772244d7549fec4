"""Values per query in -> how sure one can be of their mean, and of a difference between two runs.

Intervals by the percentile bootstrap over queries (Efron), paired tests by Student's t and by
random exchange of the two runs' values (Smucker et al. 2007) or by resampling queries (Koehn 2004),
and Holm's correction over all comparisons that are reported together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import ttest_rel

from dragoman.errors import ConfigError
from dragoman.types import FloatArray

BOOTSTRAP_DRAWS = 2_000
RANDOMISATION_DRAWS = 10_000
NUMBERS_AT_ONCE = 4_000_000  # bounds the memory of a block of draws


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the mean lies with the stated confidence."""

    low: float
    high: float


def bootstrap_interval(
    values: FloatArray,
    rng: np.random.Generator,
    *,
    draws: int = BOOTSTRAP_DRAWS,
    confidence: float = 0.95,
) -> Interval:
    """The percentile interval of the mean of ``values`` (n,), n at least 1."""
    if not len(values):
        raise ConfigError("An interval needs at least one value, got none")
    n = len(values)
    means = np.empty(draws)
    block = max(1, NUMBERS_AT_ONCE // n)
    for start in range(0, draws, block):
        size = min(block, draws - start)
        drawn = rng.integers(0, n, size=(size, n), dtype=np.int32)
        means[start : start + size] = values[drawn].mean(axis=1)
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high))


def student_test(first: FloatArray, second: FloatArray) -> float:
    """The two-sided p-value of the paired t test; shapes (n,) and (n,).

    Without spread t has no value: equal runs give 1, a constant difference gives 0. A single query
    tells nothing and gives 1.
    """
    difference = first - second
    if len(difference) < 2 or not difference.any():
        return 1.0
    if np.ptp(difference) == 0:
        return 0.0
    return float(ttest_rel(first, second).pvalue)


def randomisation_test(
    first: FloatArray,
    second: FloatArray,
    rng: np.random.Generator,
    *,
    draws: int = RANDOMISATION_DRAWS,
) -> float:
    """The two-sided p-value of exchanging the runs' values at random, query by query.

    (c + 1) / (draws + 1), where c counts the exchanges with a mean difference at least as large
    as the observed one; the observed arrangement is one of those that chance could have made.
    """
    difference = first - second
    moving = difference[difference != 0]
    n = len(moving)
    if n == 0:
        return 1.0
    observed = abs(float(moving.sum()))
    # sums of the same numbers in another order differ by rounding; they must count as equal
    bar = observed - 1e-9 * float(np.abs(moving).sum())
    count = 0
    block = max(1, NUMBERS_AT_ONCE // n)
    for start in range(0, draws, block):
        size = min(block, draws - start)
        kept = rng.integers(0, 2, size=(size, n), dtype=np.int8).astype(np.float64)
        sums = 2 * (kept @ moving) - moving.sum()
        count += int((np.abs(sums) >= bar).sum())
    return (count + 1) / (draws + 1)


def resampling_test(
    first: FloatArray,
    second: FloatArray,
    rng: np.random.Generator,
    *,
    draws: int = RANDOMISATION_DRAWS,
) -> float:
    """The one-sided p-value of ``first`` being above ``second`` (paired bootstrap, Koehn 2004).

    (c + 1) / (draws + 1), where c counts the samples of queries, drawn with replacement, in which
    the mean of ``first`` is not above that of ``second``; equal runs give 1.
    """
    difference = first - second
    n = len(difference)
    if n == 0 or not difference.any():
        return 1.0
    # sums of the same numbers in another order differ by rounding; they must count as equal
    bar = 1e-12 * float(np.abs(difference).sum())
    count = 0
    block = max(1, NUMBERS_AT_ONCE // n)
    for start in range(0, draws, block):
        size = min(block, draws - start)
        drawn = rng.integers(0, n, size=(size, n), dtype=np.int32)
        count += int((difference[drawn].sum(axis=1) <= bar).sum())
    return (count + 1) / (draws + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given (Holm 1979).

    The smallest of m is multiplied by m, the next by m - 1 and so on; each is at least as large as
    the one before it, and none exceeds 1.
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for place, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = highest
    return adjusted
