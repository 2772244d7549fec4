"""Sentence pairs -> a student's table: word vectors whose sums are closest to the teacher's.

Reimers and Gurevych (2020) train a network to give the teacher's vector of a sentence for its
translation, by squared error. Our student is a weighted sum of rows, so the same objective is a
ridge regression, and its optimum needs no learning rate and no seed:

    minimise over E   sum_i | x_i E - t_i |^2  +  penalty |E|^2

where x_i are the features of text i and t_i the teacher's vector. Texts have words and words have
features, X = C M; conjugate gradients multiply by C and M in turn, which is about ten times cheaper
than by X. Columns are solved in blocks, one core each, so that the result does not depend on the
number of cores.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dragoman.encoders.subwords import SubwordVocabulary
from dragoman.errors import ConfigError
from dragoman.processors import cores
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray

COLUMNS = 64  # solved together: 512 dimensions are eight blocks for the cores


@dataclass(frozen=True, kw_only=True, slots=True)
class DistillationConfig:
    """The ridge regression and its solver."""

    penalty: float = 0.1  # of the rows' squared lengths; texts have length one
    rounds: int = 20  # of conjugate gradients

    def __post_init__(self) -> None:
        if self.penalty <= 0 or self.rounds < 1:
            raise ConfigError(
                "penalty must be above 0 and rounds 1 or more,"
                f" got {self.penalty} and {self.rounds}"
            )


@dataclass(frozen=True)
class Features:
    """Sparse matrices: texts by words (rows of length one) and words by features."""

    texts: csr_array
    words: csr_array


def extract_features(texts: Sequence[Sequence[str]], vocabulary: SubwordVocabulary) -> Features:
    """The words of each text, weighted by idf, and the features of each word."""
    word_ids: dict[str, int] = {}
    starts, columns, weights = [0], [], []
    for text in texts:
        counts = np.array([vocabulary.weight(word) for word in text], dtype=np.float32)
        columns += [word_ids.setdefault(word, len(word_ids)) for word in text]
        weights.append(counts / max(float(np.linalg.norm(counts)), 1e-9))
        starts.append(len(columns))
    by_text = csr_array(
        (np.concatenate([*weights, np.zeros(0)]).astype(np.float32), columns, starts),
        shape=(len(texts), len(word_ids)),
    )
    by_text.sum_duplicates()
    return Features(by_text, _word_features(list(word_ids), vocabulary))


def _word_features(words: Sequence[str], vocabulary: SubwordVocabulary) -> csr_array:
    features = [vocabulary.features(word) for word in words]
    starts = np.cumsum([0, *(len(rows) for rows, _ in features)])
    rows = np.concatenate([*(rows for rows, _ in features), np.zeros(0)]).astype(np.int32)
    weights = np.concatenate([*(parts for _, parts in features), np.zeros(0)]).astype(np.float32)
    return csr_array((weights, rows, starts), shape=(len(words), len(vocabulary)))


def distil(
    features: Features,
    targets: FloatArray,
    config: DistillationConfig,
    advance: Advance = no_progress,
) -> NDArray[np.float32]:
    """The table (features, d) with the least error; ``targets`` (texts, d) are the teacher's.

    ``advance`` is called for every solved block of 64 columns.
    """
    blocks = [targets[:, start : start + COLUMNS] for start in range(0, targets.shape[1], COLUMNS)]
    transposed = Features(features.texts.T.tocsr(), features.words.T.tocsr())

    def work(block: FloatArray) -> NDArray[np.float32]:
        return _solve(features, transposed, block.astype(np.float32), config)

    solved = []
    with ThreadPoolExecutor(cores()) as pool:
        for table in pool.map(work, blocks):
            solved.append(table)
            advance()
    return np.hstack(solved)


def _solve(
    features: Features,
    transposed: Features,
    targets: NDArray[np.float32],
    config: DistillationConfig,
) -> NDArray[np.float32]:
    """The ridge solution for some columns, by conjugate gradients on the normal equations."""
    residual: NDArray[np.float32] = transposed.words @ (transposed.texts @ targets)
    table = np.zeros_like(residual)
    direction = residual.copy()
    size = (residual * residual).sum(axis=0)
    for _ in range(config.rounds):
        image = transposed.words @ (
            transposed.texts @ (features.texts @ (features.words @ direction))
        )
        image += np.float32(config.penalty) * direction
        step = size / np.maximum((direction * image).sum(axis=0), 1e-20)
        table += step * direction
        residual -= step * image
        smaller = (residual * residual).sum(axis=0)
        direction = residual + (smaller / np.maximum(size, 1e-20)) * direction
        size = smaller
    return table
