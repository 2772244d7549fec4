"""How much a word of a text counts: Balikas et al. 2018, section 3.2, and the authors' programs.

A word's document frequency is counted in its own language, N is the number of documents of all
languages together.
"""

from enum import StrEnum

import numpy as np

from dragoman.types import FloatArray, IntArray

FIRST_WORDS = 500  # known words that are read of a text
FEWEST_WORDS = 6  # known words that a document of the paper's experiment has at least


class Weighting(StrEnum):
    """What a word's count is multiplied with."""

    TF = "tf"  # one
    IDF = "idf"  # ln((N + 1) / (df + 1)) + 1, as the authors' programs have it
    BARE_IDF = "bare-idf"  # ln((N + 1) / (df + 1)), as the paper prints it


def word_weights(frequencies: IntArray | FloatArray, documents: int, kind: Weighting) -> FloatArray:
    """What counts are multiplied with, by the number of ``documents`` that have the word."""
    if kind is Weighting.TF:
        return np.ones(len(frequencies))
    bare: FloatArray = np.log((documents + 1) / (frequencies + 1))
    return bare + 1 if kind is Weighting.IDF else bare
