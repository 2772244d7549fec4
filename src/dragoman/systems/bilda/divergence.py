"""Divergences between topic distributions.

Balikas et al. 2018 compare topic distributions with "entropy as distance". This is taken for the
relative entropy KL(query || document): ``scipy.stats.entropy`` computes it for two distributions,
and the authors' code is built on NumPy and SciPy. Cross entropy H(q, d) = H(q) + KL(q || d), the
other reading, gives the same ranking, as H(q) is constant for a query. KL(q || d) is large where a
document lacks a topic of the query, and not where it has further topics. Jensen-Shannon divergence,
bounded and symmetric, is the alternative. All distributions have alpha in every topic, so no
logarithm is of zero.

Minus the relative entropy is an inner product plus a constant of the query:

    -KL(q || d) = sum_k q_k ln d_k - sum_k q_k ln q_k

so an index stores the logarithms ln d and searches for the largest products with q. Jensen-Shannon
divergence is not an inner product; its search reads the row of every document.
"""

import numpy as np

from dragoman.types import FloatArray

BLOCK_ROWS = 4096  # converted to float64 at once


def negative_entropy(topics: FloatArray) -> float:
    """The sum of q ln q; 0 for a vector of zeros."""
    shares = topics.astype(np.float64)
    return float(shares @ np.log(np.where(shares > 0, shares, 1.0)))


def jensen_shannon(logarithms: FloatArray, query: FloatArray) -> FloatArray:
    """The Jensen-Shannon divergence of each row to the query, in nats, from 0 to ln 2.

    Rows are logarithms of topic probabilities in any precision; they are normalised again, as
    rounding changes their sum. With m = (q + d) / 2 the divergence is
    (sum q ln q + sum d ln d) / 2 - sum m ln m.
    """
    shares, of_query = query.astype(np.float64), negative_entropy(query)
    divergences = np.empty(len(logarithms))
    for start in range(0, len(logarithms), BLOCK_ROWS):
        logs = logarithms[start : start + BLOCK_ROWS].astype(np.float64)
        logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
        rows = np.exp(logs)
        mixture = (shares + rows) / 2
        mean = (of_query + (rows * logs).sum(axis=1)) / 2 - (mixture * np.log(mixture)).sum(axis=1)
        divergences[start : start + BLOCK_ROWS] = np.maximum(mean, 0.0)
    return divergences
