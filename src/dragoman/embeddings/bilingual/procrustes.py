"""Two monolingual spaces and pairs of translations -> the rotation that joins them.

W = argmin ||X W - Y|| over orthogonal W is U V^T of the SVD of X^T Y (Schönemann 1966). Refinement
(Conneau et al. 2018): translate the frequent words by CSLS, keep those pairs that choose each
other, and solve again with them beside the given ones.
"""

import numpy as np

from dragoman.embeddings.bilingual.csls import mutual_pairs
from dragoman.errors import ConfigError
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray, IntArray

ROUNDS = 5
FREQUENT = 15_000  # words of each side that take part in a refinement


def orthogonal_map(source: FloatArray, target: FloatArray) -> FloatArray:
    """The orthogonal W for which ``source @ W`` is nearest to ``target``, row by row."""
    left, _, right = np.linalg.svd(source.T.astype(np.float64) @ target)
    rotation: FloatArray = (left @ right).astype(np.float32)
    return rotation


def join(
    source: FloatArray,
    target: FloatArray,
    pairs: IntArray,
    rounds: int = ROUNDS,
    advance: Advance = no_progress,
) -> FloatArray:
    """The map from ``source`` to ``target`` (unit rows, frequent words first).

    ``pairs`` holds rows (source, target) of words that translate each other.
    """
    if not len(pairs):
        raise ConfigError("found no pair of known translations; expected some to start from")
    rotation = orthogonal_map(source[pairs[:, 0]], target[pairs[:, 1]])
    for _ in range(rounds):
        found = mutual_pairs(source[:FREQUENT] @ rotation, target[:FREQUENT])
        both = np.concatenate([found, pairs])
        rotation = orthogonal_map(source[both[:, 0]], target[both[:, 1]])
        advance()
    return rotation
