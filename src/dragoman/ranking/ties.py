"""Scores without ties, for tools that order equal scores in another way than this package.

trec_eval and everything built on it (pytrec_eval, MTEB, PyTerrier's experiments) read scores at
single precision and order equal ones by decreasing document id; this package orders them by
increasing id.
"""

from collections.abc import Sequence

import numpy as np


def without_ties(scores: Sequence[float]) -> list[float]:
    """The scores of a ranking, best first, each below the one before it at single precision.

    A score that is low enough stays as it is; another becomes the next number below its
    predecessor's.
    """
    lowered: list[float] = []
    last = np.float32(np.inf)
    for score in scores:
        single = np.float32(score)
        if single < last:
            lowered.append(float(score))
        else:
            single = np.nextafter(last, np.float32(-np.inf))
            lowered.append(float(single))
        last = single
    return lowered
