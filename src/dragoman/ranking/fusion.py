"""Several systems' ranks of the same documents -> numbers that can be added."""

import numpy as np

from dragoman.types import FloatArray

RANK_CONSTANT = 60.0  # of the paper; larger values weigh the first ranks less


def reciprocal_ranks(scores: FloatArray) -> FloatArray:
    """1 / (60 + rank) by descending score (Cormack, Clarke and Büttcher 2009).

    Of equal scores the first ranks higher.
    """
    order = np.argsort(-scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    return 1.0 / (RANK_CONSTANT + ranks)
