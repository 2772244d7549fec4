"""Rounds scores computed from float32 rows to their significant digits."""

import numpy as np

from dragoman.types import FloatArray

DECIMALS = 6  # beyond, a score from float32 rows is noise


def round_scores(scores: FloatArray) -> FloatArray:
    """Scores rounded to ``DECIMALS``; zero has no sign."""
    return np.round(scores, DECIMALS) + 0.0
