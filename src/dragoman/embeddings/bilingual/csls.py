"""Two sets of unit vectors -> nearest neighbours by CSLS (Conneau et al. 2018).

csls(x, y) = 2 cos(x, y) - r(x) - r(y), where r is a vector's mean cosine with its ten nearest
neighbours in the other set, which penalises hubs. Computed in blocks of rows.
"""

import numpy as np

from dragoman.types import FloatArray, IntArray

NEAREST = 10
BLOCK = 1024  # rows whose similarities are in memory at a time


def mean_similarity(vectors: FloatArray, others: FloatArray, nearest: int = NEAREST) -> FloatArray:
    """r: the mean cosine of every vector with its ``nearest`` neighbours in ``others``."""
    count = min(nearest, len(others))
    means = np.zeros(len(vectors), dtype=np.float32)
    for start in range(0, len(vectors), BLOCK):
        similar = vectors[start : start + BLOCK] @ others.T
        best = np.partition(similar, len(others) - count, axis=1)[:, len(others) - count :]
        means[start : start + BLOCK] = best.mean(axis=1)
    return means


def csls_neighbours(queries: FloatArray, others: FloatArray, hubness: FloatArray) -> IntArray:
    """The row of ``others`` with the highest CSLS for every query; ``hubness`` is r of others."""
    neighbours = np.zeros(len(queries), dtype=np.int64)
    for start in range(0, len(queries), BLOCK):
        scores = 2 * (queries[start : start + BLOCK] @ others.T) - hubness
        neighbours[start : start + BLOCK] = scores.argmax(axis=1)
    return neighbours


def mutual_pairs(source: FloatArray, target: FloatArray) -> IntArray:
    """Rows (source, target) that are each other's nearest by CSLS, in the order of the source."""
    there = csls_neighbours(source, target, mean_similarity(target, source))
    back = csls_neighbours(target, source, mean_similarity(source, target))
    mutual = np.flatnonzero(back[there] == np.arange(len(source)))
    return np.stack([mutual, there[mutual]], axis=1)
