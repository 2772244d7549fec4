"""Scores from rows of single precision -> scores without the digits that are noise."""

import numpy as np

from dragoman.types import FloatArray

DECIMALS = 6  # beyond, a score from float32 rows is noise


def rounded(scores: FloatArray) -> FloatArray:
    """Scores to as many digits as they are good for; zero has no sign."""
    return np.round(scores, DECIMALS) + 0.0
