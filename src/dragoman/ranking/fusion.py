"""Reciprocal rank fusion: scores -> reciprocal ranks, which can be added across systems."""

import numpy as np

from dragoman.types import FloatArray

RANK_CONSTANT = 60.0  # of the paper; a larger one gives the first ranks less weight


def reciprocal_ranks(scores: FloatArray) -> FloatArray:
    """1 / (60 + rank) by descending score (Cormack, Clarke and Büttcher 2009).

    Equal scores rank in the order of the rows.
    """
    order = np.argsort(-scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    return 1.0 / (RANK_CONSTANT + ranks)
