"""Loops over the positions of many sentences: pooling for training and for search.

Plain loops compiled by numba. Sentences are concatenated without padding, so that no result depends
on the batch; torch has no pooling over such segments that is as fast.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[Any]

_POOL = "void(float32[:, ::1], int64[::1], float32[:, ::1])"
_BACK = "void(float32[:, ::1], int64[::1], float32[:, ::1], float32[:, ::1], float32[:, ::1])"
_BEST = "void(float32[:, ::1], int64[::1], int64[::1], boolean, float32[:, :])"


@njit(_POOL, cache=True, nogil=True, error_model="numpy")
def softmax_pool(dots: Floats, starts: Ints, pooled: Floats) -> None:
    """Fill ``pooled`` (n, sentences): sum of softmax(e_i) e_i over the positions of a sentence."""
    for query in range(dots.shape[0]):
        for sentence in range(len(starts) - 1):
            first, last = starts[sentence], starts[sentence + 1]
            top = np.float32(-np.inf)
            for at in range(first, last):
                top = max(top, dots[query, at])
            weight, total = np.float32(0), np.float32(0)
            for at in range(first, last):
                share = np.exp(dots[query, at] - top)
                weight += share
                total += share * dots[query, at]
            pooled[query, sentence] = total / weight


@njit(_BACK, cache=True, nogil=True, error_model="numpy")
def softmax_pool_gradient(
    dots: Floats, starts: Ints, pooled: Floats, pooled_gradient: Floats, gradient: Floats
) -> None:
    """Fill ``gradient``: softmax(e_i) (1 + e_i - pooled) times ``pooled_gradient``."""
    for query in range(dots.shape[0]):
        for sentence in range(len(starts) - 1):
            first, last = starts[sentence], starts[sentence + 1]
            top = np.float32(-np.inf)
            for at in range(first, last):
                top = max(top, dots[query, at])
            weight = np.float32(0)
            for at in range(first, last):
                share = np.exp(dots[query, at] - top)
                gradient[query, at] = share
                weight += share
            scale = pooled_gradient[query, sentence] / weight
            for at in range(first, last):
                slope = np.float32(1) + dots[query, at] - pooled[query, sentence]
                gradient[query, at] *= scale * slope


@njit(_POOL, cache=True, nogil=True, error_model="numpy")
def max_pool(dots: Floats, starts: Ints, pooled: Floats) -> None:
    """Fill ``pooled`` (n, sentences): the maximum over the positions of a sentence."""
    for query in range(dots.shape[0]):
        for sentence in range(len(starts) - 1):
            top = np.float32(-np.inf)
            for at in range(starts[sentence], starts[sentence + 1]):
                top = max(top, dots[query, at])
            pooled[query, sentence] = top


@njit(_BACK, cache=True, nogil=True, error_model="numpy")
def max_pool_gradient(
    dots: Floats, starts: Ints, pooled: Floats, pooled_gradient: Floats, gradient: Floats
) -> None:
    """Fill ``gradient`` (n, positions): that of ``pooled`` at the first maximum, 0 elsewhere."""
    for query in range(dots.shape[0]):
        for sentence in range(len(starts) - 1):
            assigned = False
            for at in range(starts[sentence], starts[sentence + 1]):
                gradient[query, at] = 0
                if not assigned and dots[query, at] == pooled[query, sentence]:
                    gradient[query, at] = pooled_gradient[query, sentence]
                    assigned = True


@njit(_BEST, cache=True, nogil=True, error_model="numpy")
def best_sentences(
    dots: Floats, sentences: Ints, documents: Ints, soft: bool, best: Floats
) -> None:
    """Raise ``best`` (n, documents) to the highest pooled value of each document's sentences.

    Softmax pooling never exceeds the highest dot product, so a sentence is pooled only if its
    highest dot product is above the best sentence so far.
    """
    for query in range(dots.shape[0]):
        for document in range(len(documents) - 1):
            highest = best[query, document]
            for sentence in range(documents[document], documents[document + 1]):
                first, last = sentences[sentence], sentences[sentence + 1]
                top = np.float32(-np.inf)
                for at in range(first, last):
                    top = max(top, dots[query, at])
                if top <= highest:
                    continue
                if soft:
                    weight, total = np.float32(0), np.float32(0)
                    for at in range(first, last):
                        share = np.exp(dots[query, at] - top)
                        weight += share
                        total += share * dots[query, at]
                    top = total / weight
                highest = max(highest, top)
            best[query, document] = highest
