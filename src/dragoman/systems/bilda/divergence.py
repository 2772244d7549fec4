"""Distances between distributions over topics.

Balikas et al. 2018 compare topic distributions with "entropy as distance". We take it for relative
entropy, KL(query || document), for three reasons. It is what ``scipy.stats.entropy`` computes of
two distributions, and the authors' programs are built on NumPy and SciPy. The other reading, cross
entropy H(q, d) = H(q) + KL(q || d), ranks documents exactly alike, as H(q) is the query's own. And
a document that lacks a topic of the query is what a search should mind, not one that says more.
Jensen-Shannon, the bounded and symmetric one that topic models are often compared by, is there too.
All distributions have alpha in every topic, so no logarithm meets a zero.
"""

import numpy as np
from numba import njit

from dragoman.scores.by_row import SUMS, products
from dragoman.types import FloatArray, IntArray


def relative_entropies(logarithms: FloatArray, chosen: IntArray, query: FloatArray) -> FloatArray:
    """KL(query || row) of the chosen rows, given as logarithms; in nats, never below 0."""
    asked = query.astype(np.float64)
    own = float(asked @ np.log(asked))
    distances: FloatArray = np.maximum(own - products(logarithms, chosen, asked), 0.0)
    return distances


@njit(SUMS, cache=True, nogil=True)
def jensen_shannon(rows: FloatArray, chosen: IntArray, query: FloatArray) -> FloatArray:
    """The mean of both sides' relative entropy to their middle; in nats, from 0 to ln 2."""
    found = np.empty(len(chosen))
    for place in range(len(chosen)):
        row = rows[chosen[place]]
        total = 0.0
        for topic in range(len(query)):
            one, other = query[topic], float(row[topic])
            middle = (one + other) / 2
            total += one * np.log(one / middle) + other * np.log(other / middle)
        found[place] = max(total / 2, 0.0)
    return found
