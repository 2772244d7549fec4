"""Counts -> dense vectors: positive pointwise mutual information and a truncated SVD.

Levy and Goldberg 2014: factors of PPMI are word vectors, better than predictive ones for scarce
text. Context counts are raised to .75 (Levy et al. 2015). The SVD is randomised (Halko et al.
2011). ``scipy.sparse.linalg.svds`` is exact and about as fast (0.8 to 1.1 times the time at rank
300, one thread), but gives other vectors than those of the figures in docs/embeddings.md.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from dragoman.types import FloatArray

SMOOTHING = 0.75
OVERSAMPLED = 20
POWER_ITERATIONS = 3


class Factors(NamedTuple):
    """``left @ diag(values) @ right.T`` is the best approximation of its rank."""

    left: FloatArray  # (rows, rank)
    values: FloatArray  # descending
    right: FloatArray  # (columns, rank)


def ppmi(counts: csr_array, smoothing: float = SMOOTHING) -> csr_array:
    """``max(0, ln p(w, c) / (p(w) p(c)^smoothing))``, the smoothed p(c) scaled to sum to one."""
    table = counts.tocoo()
    rows, columns = table.coords
    word_sums = np.bincount(rows, table.data, counts.shape[0])
    context_sums = np.bincount(columns, table.data, counts.shape[1]) ** smoothing
    context_sums /= max(context_sums.sum(), np.finfo(np.float64).tiny)
    values = np.log(table.data / (word_sums[rows] * context_sums[columns]))
    positive = values > 0
    cells = (rows[positive], columns[positive])
    return csr_array((values[positive].astype(np.float32), cells), shape=counts.shape)


def truncated_svd(matrix: csr_array, rank: int, rng: np.random.Generator) -> Factors:
    """The ``rank`` largest singular values and their vectors, or all if there are fewer.

    Signs are fixed (the largest entry of each left vector is positive): the same matrix and
    generator give the same factors.
    """
    width = min(rank + OVERSAMPLED, *matrix.shape)
    back = csr_array(matrix.T)
    basis = matrix @ rng.standard_normal((matrix.shape[1], width), dtype=np.float32)
    for _ in range(POWER_ITERATIONS):
        basis = matrix @ np.linalg.qr(back @ np.linalg.qr(basis)[0])[0]
    basis = np.linalg.qr(basis)[0]
    small_left, values, right = np.linalg.svd((back @ basis).T, full_matrices=False)
    left: FloatArray = basis @ small_left
    if not left.size:
        return Factors(left, values, right.T)
    largest = np.abs(left).argmax(axis=0)
    signs = np.where(left[largest, np.arange(left.shape[1])] < 0, -1, 1).astype(left.dtype)
    top = slice(0, rank)
    return Factors((left * signs)[:, top], values[top], (right.T * signs)[:, top])
