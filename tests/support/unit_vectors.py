"""Word vectors that tests can compare by eye: each word has an axis of its own."""

import numpy as np

from dragoman.embeddings.word_vectors import WordVectors


def vectors_of(language, words, dimension=4):
    """Each word on an axis of its own."""
    matrix = np.eye(dimension, dtype=np.float32)[: len(words)]
    return WordVectors(language, words, matrix)
