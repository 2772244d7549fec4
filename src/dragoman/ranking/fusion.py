"""Several systems' scores of the same documents -> one number per document.

``z_scores`` puts systems with different scales on one; ``reciprocal_ranks`` (Cormack, Clarke and
Büttcher 2009) looks at the order alone.
"""

import numpy as np

from dragoman.types import FloatArray

RANK_CONSTANT = 60.0  # of the paper; larger values weigh the first ranks less


def z_scores(scores: FloatArray) -> FloatArray:
    """Scores with mean 0 and standard deviation 1; all 0 where they are all equal."""
    centred = scores - scores.mean()
    deviation = centred.std()
    # below this the differences are rounding, and dividing by them would make noise count
    if deviation <= 1e-12 * max(1.0, float(np.abs(scores).max(initial=0.0))):
        return np.zeros_like(centred)
    return centred / deviation


def reciprocal_ranks(scores: FloatArray) -> FloatArray:
    """1 / (60 + rank) by descending score; of equal scores the first ranks higher."""
    order = np.argsort(-scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    return 1.0 / (RANK_CONSTANT + ranks)
