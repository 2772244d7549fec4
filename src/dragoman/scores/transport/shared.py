"""One potential for all documents: a lower bound of every distance for two sums over the corpus.

Any potential f of the query's words bounds every document's distance (docs/transport.md,
proposition 4), and the mean of these bounds over some documents is largest where f is the dual
solution of moving the query onto the words of these documents thrown together. So the pool of a few
documents is solved, at a small epsilon, and what it says of each word is summed over each bag.
"""

import numpy as np
from scipy.sparse import csr_array

from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.table import Table
from dragoman.types import FloatArray, IntArray

POOLED = 64  # documents
SHARPNESS = 0.03  # the epsilon of the pool; exp(-2 / 0.03) is within float32
SWEEPS = 8
FORBIDDEN = np.float32(-1e3)  # the potential of a column that weighs nothing
ROUNDING = 2e-6  # of the sums, in float32


def pays(corpus: Corpus, rows: IntArray) -> bool:
    """Whether ``rows`` have so many words that a sum over all of the corpus's is cheap beside."""
    words = int((corpus.indptr[rows + 1] - corpus.indptr[rows]).sum())
    return words > len(corpus.points)


def shared_bounds(corpus: Corpus, table: Table, rows: IntArray) -> FloatArray:
    """A lower bound of the distance of each of ``rows``, from a pool spread over them."""
    from dragoman.scores.transport.kernels import least_beyond  # noqa: PLC0415 - numba is slow

    bags = csr_array(
        (corpus.weights, corpus.indices, corpus.indptr), shape=(len(corpus), len(corpus.points))
    )
    pooled = rows[np.unique(np.linspace(0, len(rows) - 1, POOLED).astype(np.int64))]
    potential = _potential(table, np.asarray(bags[pooled].sum(axis=0)))
    words = np.empty(len(corpus.points), np.float32)
    least_beyond(table.cost, potential, words)
    own = float(table.weights.astype(np.float64) @ potential)  # columns of no words weigh nothing
    bounds: FloatArray = np.asarray(bags @ words)[rows] + (own - ROUNDING)
    return bounds


def _potential(table: Table, pool: FloatArray) -> FloatArray:
    """The query's part of the dual solution of moving it onto the pool; 0 where there is none."""
    asked, words = int(np.count_nonzero(table.weights)), np.flatnonzero(pool)
    kernel = np.exp(table.cost[words][:, :asked] * np.float32(-1 / SHARPNESS))
    a, b = table.weights[:asked], (pool[words] / pool[words].sum()).astype(np.float32)
    u = a
    with np.errstate(all="ignore"):  # of a scaling that leaves float32, nothing is used
        for _ in range(SWEEPS):
            u = a / ((b / (kernel @ u)) @ kernel)
        found = np.float32(SHARPNESS) * np.log(u / a)
    potential = np.full(len(table.weights), FORBIDDEN, np.float32)
    potential[:asked] = found if np.isfinite(found).all() else 0.0
    return potential
