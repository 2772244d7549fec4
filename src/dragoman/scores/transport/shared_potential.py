"""Lower bounds for all documents from one potential, for two sums over the corpus.

Any potential f of the query's words bounds every document's distance (docs/transport.md,
proposition 4), and the mean of these bounds over some documents is largest where f is the dual
solution of moving the query onto the pooled words of these documents. So a pool of a few documents
is solved, at a small epsilon, and the c-transform of its potential is summed over each bag.
"""

import numpy as np
from scipy.sparse import csr_array

from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.cost_table import CostTable
from dragoman.types import FloatArray, IntArray

POOLED = 64  # documents
POOL_EPSILON = 0.03  # exp(-2 / 0.03) is within float32
SWEEPS = 8
FORBIDDEN = np.float32(-1e3)  # the potential of a column of weight 0
ROUNDING = 2e-6  # of the sums, in float32


def is_worthwhile(corpus: Corpus, rows: IntArray) -> bool:
    """Whether ``rows`` have more words than the c-transform has entries to compute."""
    words = int((corpus.indptr[rows + 1] - corpus.indptr[rows]).sum())
    return words > len(corpus.points)


def shared_bounds(corpus: Corpus, table: CostTable, rows: IntArray) -> FloatArray:
    """A lower bound of the distance of each of ``rows``, from a pool spread over them."""
    from dragoman.scores.transport.kernels import c_transform  # noqa: PLC0415 - numba is slow

    bags = csr_array(
        (corpus.weights, corpus.indices, corpus.indptr), shape=(len(corpus), len(corpus.points))
    )
    pooled = rows[np.unique(np.linspace(0, len(rows) - 1, POOLED).astype(np.int64))]
    potential = _pool_potential(table, np.asarray(bags[pooled].sum(axis=0)))
    words = np.empty(len(corpus.points), np.float32)
    c_transform(table.cost, potential, words)
    own = float(table.weights.astype(np.float64) @ potential)  # padded columns have weight 0
    bounds: FloatArray = np.asarray(bags @ words)[rows] + (own - ROUNDING)
    return bounds


def _pool_potential(table: CostTable, pool: FloatArray) -> FloatArray:
    """The query's part of the dual solution of moving it onto the pool; 0 where it overflows."""
    columns, words = int(np.count_nonzero(table.weights)), np.flatnonzero(pool)
    kernel = np.exp(table.cost[words][:, :columns] * np.float32(-1 / POOL_EPSILON))
    a, b = table.weights[:columns], (pool[words] / pool[words].sum()).astype(np.float32)
    u = a
    with np.errstate(all="ignore"):  # a scaling that overflows float32 is not used
        for _ in range(SWEEPS):
            u = a / ((b / (kernel @ u)) @ kernel)
        dual = np.float32(POOL_EPSILON) * np.log(u / a)
    potential = np.full(len(table.weights), FORBIDDEN, np.float32)
    potential[:columns] = dual if np.isfinite(dual).all() else 0.0
    return potential
