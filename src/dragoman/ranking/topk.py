"""Scores -> the k best rows, in an order that depends on scores and ids alone.

Rows are selected by partition, so taking 10 of a million documents costs one pass and no full sort.
Equal scores are ordered by document id, wherever the cut falls and however the documents were
batched.
"""

from collections.abc import Sequence

import numpy as np

from dragoman.errors import ConfigError, DragomanError
from dragoman.types import FloatArray, IntArray


def tie_order(doc_ids: Sequence[str]) -> IntArray:
    """The rank of each row's id among all ids; computed once per collection."""
    order = sorted(range(len(doc_ids)), key=doc_ids.__getitem__)
    ranks = np.empty(len(doc_ids), dtype=np.int64)
    ranks[order] = np.arange(len(doc_ids))
    return ranks


def top_k(scores: FloatArray, k: int, tie_order: IntArray | None = None) -> IntArray:
    """The rows of the ``k`` highest scores, best first; all rows where there are fewer.

    Shapes: scores (n,), tie_order (n,), the result (min(k, n),). Equal scores are in rising
    ``tie_order``; without it in the order of the rows, which is right where rows are sorted by id.
    """
    if k < 0:
        raise ConfigError(f"k must be 0 or more, got {k}")
    if np.isnan(scores).any():
        row = int(np.flatnonzero(np.isnan(scores))[0])
        raise DragomanError(
            f"The score of row {row} is not a number, so it has no rank;"
            " the system that computed it divides by zero or overflows."
        )
    order = np.arange(len(scores)) if tie_order is None else tie_order
    rows = _best_rows(scores, k, order)
    return rows[np.lexsort((order[rows], -scores[rows]))]


def _best_rows(scores: FloatArray, k: int, order: IntArray) -> IntArray:
    """The rows of the ``k`` highest scores, unordered."""
    n = len(scores)
    if k >= n:
        return np.arange(n)
    if k == 0:
        return np.arange(0)
    last_in = np.partition(scores, n - k)[n - k]
    above = np.flatnonzero(scores > last_in)
    tied = np.flatnonzero(scores == last_in)
    free = k - len(above)
    if free < len(tied):
        tied = tied[np.argpartition(order[tied], free)[:free]]
    return np.concatenate([above, tied])
