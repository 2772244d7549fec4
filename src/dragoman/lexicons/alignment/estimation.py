"""The M step: expected counts -> probabilities, smoothed.

With ``alpha`` 0 it is the maximum likelihood estimate. Above 0 it is the mean-field estimate under
a symmetric Dirichlet prior (Johnson 2007; as in fast_align): exp of the digamma of the counts,
which takes weight from pairs seen by chance and prevents rare words from collecting everything.
"""

import numpy as np
from scipy.special import digamma

from dragoman.types import FloatArray, IntArray


def estimate(counts: FloatArray, groups: IntArray, size: int, alpha: float) -> FloatArray:
    """The probability of each count within its group; ``groups`` are numbered below ``size``."""
    totals = np.bincount(groups, weights=counts, minlength=size).astype(np.float64)
    if alpha > 0:
        totals += alpha * np.bincount(groups, minlength=size)
        estimates: FloatArray = np.exp(digamma(counts + alpha) - digamma(totals)[groups])
        return estimates
    group_totals = totals[groups]
    return np.divide(counts, group_totals, out=np.zeros_like(counts), where=group_totals > 0)
