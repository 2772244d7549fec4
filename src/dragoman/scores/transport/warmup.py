"""Nothing in, compiled loops in numba's cache out."""

import numpy as np
from scipy.sparse import csr_array

from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.search import nearest
from dragoman.scores.transport.weighted import Weighted


def compile_ahead() -> None:
    """Compile what a first search would wait for; a few seconds once, then nothing.

    The machine code is kept beside the package, or in the user's cache where that is read-only. It
    is made anew for another processor and after an update of the package.
    """
    points = np.eye(4, dtype=np.float32)
    corpus = Corpus.build(points, csr_array(points))
    for epsilon in (0.1, None):
        nearest(corpus, Weighted(points, np.ones(4, np.float32)), 1, epsilon, threads=1)
