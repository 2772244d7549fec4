"""Expected counts -> probabilities: the M step, smoothed.

With ``alpha`` 0 it is the maximum likelihood estimate. Above 0 it is the mean-field estimate under
a symmetric Dirichlet prior (Johnson 2007; as in fast_align): exp of the digamma of the counts,
which takes weight from pairs seen by chance and keeps rare words from collecting everything.
"""

import numba
import numpy as np

from dragoman.types import FloatArray, IntArray


@numba.njit(nogil=True, cache=True)
def digamma(x: float) -> float:
    """The derivative of log gamma at ``x`` above 0."""
    result = 0.0
    while x < 6:
        result -= 1 / x
        x += 1
    square = 1 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    return float(result + np.log(x) - 0.5 / x - series)


@numba.njit(nogil=True, cache=True)
def estimate(
    counts: FloatArray, groups: IntArray, totals: FloatArray, sizes: IntArray, alpha: float
) -> FloatArray:
    """The probability of each count within its group; groups come with their totals and sizes."""
    result = np.empty_like(counts)
    bases = np.empty(len(totals))
    for group in range(len(totals)):
        mass = totals[group] + alpha * sizes[group]
        if alpha > 0:
            bases[group] = digamma(mass) if mass > 0 else 0.0
        else:
            bases[group] = mass
    for n in range(len(counts)):
        base = bases[groups[n]]
        if alpha > 0:
            result[n] = np.exp(digamma(counts[n] + alpha) - base)
        else:
            result[n] = counts[n] / base if base > 0 else 0.0
    return result
