"""Document frequencies -> word weights (Balikas et al. 2018, section 3.2, and the authors' code).

A word's document frequency is counted in its own language; N is the number of documents of all
languages together.
"""

from enum import StrEnum

import numpy as np

from dragoman.types import FloatArray, IntArray

MAX_WORDS = 500  # known words of a text that count
MIN_WORDS = 6  # known words of every document in the paper's experiment


class Weighting(StrEnum):
    """The factor that a word's term frequency is multiplied by."""

    TF = "tf"  # one
    IDF = "idf"  # ln((N + 1) / (df + 1)) + 1, as in the authors' code
    BARE_IDF = "bare-idf"  # ln((N + 1) / (df + 1)), as the paper prints it


def word_weights(frequencies: IntArray | FloatArray, documents: int, kind: Weighting) -> FloatArray:
    """The factor for each document frequency, out of ``documents`` documents."""
    if kind is Weighting.TF:
        return np.ones(len(frequencies))
    bare: FloatArray = np.log((documents + 1) / (frequencies + 1))
    return bare + 1 if kind is Weighting.IDF else bare
