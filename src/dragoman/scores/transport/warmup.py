"""Compiles the transport kernels into numba's cache."""

import numpy as np
from scipy.sparse import csr_array

from dragoman.scores.transport.bag import WeightedBag
from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.search import nearest


def warm_up() -> None:
    """Compile the kernels that a first search would wait for: a few seconds, once.

    The machine code is cached next to the package, or in the user's cache where that is read-only.
    It is compiled again for another processor and after an update of the package.
    """
    points = np.eye(4, dtype=np.float32)
    corpus = Corpus.build(points, csr_array(points))
    for epsilon in (0.1, None):
        nearest(corpus, WeightedBag(points, np.ones(4, np.float32)), 1, epsilon, threads=1)
