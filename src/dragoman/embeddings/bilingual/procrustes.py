"""Two monolingual spaces and pairs of translations -> the rotation that aligns them.

W = argmin ||X W - Y|| over orthogonal W is U V^T of the SVD of X^T Y (Schönemann 1966). Refinement
(Conneau et al. 2018): translate the frequent words by CSLS, retain mutual nearest neighbours, and
solve again with these and the given pairs.
"""

import numpy as np

from dragoman.embeddings.bilingual.csls import mutual_pairs
from dragoman.errors import ConfigError
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray, IntArray

ROUNDS = 5
FREQUENT = 15_000  # words of each side that are used in a refinement


def orthogonal_map(source: FloatArray, target: FloatArray) -> FloatArray:
    """The orthogonal W that minimises the distance of ``source @ W`` to ``target``, row by row."""
    left, _, right = np.linalg.svd(source.T.astype(np.float64) @ target)
    rotation: FloatArray = (left @ right).astype(np.float32)
    return rotation


def align_spaces(
    source: FloatArray,
    target: FloatArray,
    pairs: IntArray,
    rounds: int = ROUNDS,
    advance: Advance = no_progress,
) -> FloatArray:
    """The orthogonal map from ``source`` to ``target`` (unit rows, frequent words first).

    ``pairs`` holds rows (source, target) of words that translate each other.
    """
    if not len(pairs):
        raise ConfigError("found no pair of known translations; expected some to start from")
    rotation = orthogonal_map(source[pairs[:, 0]], target[pairs[:, 1]])
    for _ in range(rounds):
        induced = mutual_pairs(source[:FREQUENT] @ rotation, target[:FREQUENT])
        all_pairs = np.concatenate([induced, pairs])
        rotation = orthogonal_map(source[all_pairs[:, 0]], target[all_pairs[:, 1]])
        advance()
    return rotation
