"""Distances between distributions over topics.

Balikas et al. 2018 compare topic distributions with "entropy as distance". We take it for relative
entropy, KL(query || document), for three reasons. It is what ``scipy.stats.entropy`` computes of
two distributions, and the authors' programs are built on NumPy and SciPy. The other reading, cross
entropy H(q, d) = H(q) + KL(q || d), ranks documents exactly alike, as H(q) is the query's own. And
a document that lacks a topic of the query is what a search should mind, not one that says more.
Jensen-Shannon, the bounded and symmetric one that topic models are often compared by, is there too.
All distributions have alpha in every topic, so no logarithm meets a zero.

Minus the relative entropy is an inner product and a number of the query's own:

    -KL(q || d) = sum_k q_k ln d_k - sum_k q_k ln q_k

so an index keeps the logarithms ln d and searches for the largest products with q. Jensen-Shannon
is no inner product; its search reads the row of every document.
"""

import numpy as np

from dragoman.types import FloatArray

ROWS_AT_ONCE = 4096  # converted to float64 together


def information(topics: FloatArray) -> float:
    """The sum of q ln q, which is minus the entropy; 0 for a text of no topics."""
    shares = topics.astype(np.float64)
    return float(shares @ np.log(np.where(shares > 0, shares, 1.0)))


def jensen_shannon(logarithms: FloatArray, query: FloatArray) -> FloatArray:
    """The mean of both sides' relative entropy to their middle; in nats, from 0 to ln 2.

    Rows are logarithms of topics, of any precision; what rounding takes from a row's sum is
    restored. With the middle m = (q + d) / 2 of query and row, the mean is
    (sum q ln q + sum d ln d) / 2 - sum m ln m.
    """
    shares, own = query.astype(np.float64), information(query)
    found = np.empty(len(logarithms))
    for start in range(0, len(logarithms), ROWS_AT_ONCE):
        logs = logarithms[start : start + ROWS_AT_ONCE].astype(np.float64)
        logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
        rows = np.exp(logs)
        middle = (shares + rows) / 2
        mean = (own + (rows * logs).sum(axis=1)) / 2 - (middle * np.log(middle)).sum(axis=1)
        found[start : start + ROWS_AT_ONCE] = np.maximum(mean, 0.0)
    return found
