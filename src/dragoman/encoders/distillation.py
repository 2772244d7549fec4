"""Sentence pairs -> a student's table: the foreign words that best add up to the teacher's vectors.

Reimers and Gurevych (2020) teach a network to repeat the teacher's vector of a sentence when shown
its translation, by squared error. Our student is a weighted sum of rows, so the same objective is a
ridge regression, and its best table is found without a learning rate or a seed:

    minimise over E   sum_i | x_i E - t_i |^2  +  penalty |E|^2

where x_i are the features of text i and t_i the teacher's vector. Features belong to words
and words to texts, X = C M, and the products of conjugate gradients run through C and M in turn,
which is some ten times cheaper than through X. Columns are solved in blocks, one core each, so the
result does not depend on how many cores there are.
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

COLUMNS = 64  # solved together; eight blocks of a 512-dimensional space keep the cores busy


@dataclass(frozen=True, kw_only=True, slots=True)
class DistillationConfig:
    """How a student is taught."""

    penalty: float = 0.1  # of long rows, beside the squared error; texts have length one
    rounds: int = 20  # of conjugate gradients

    def __post_init__(self) -> None:
        if self.penalty <= 0 or self.rounds < 1:
            raise ConfigError(
                "penalty must be above 0 and rounds 1 or more,"
                f" got {self.penalty} and {self.rounds}"
            )


@dataclass(frozen=True)
class Features:
    """Texts as sums of words (``texts``, rows of length one), words as sums of features."""

    texts: csr_array
    words: csr_array


def features(texts: Sequence[Sequence[str]], vocabulary: SubwordVocabulary) -> Features:
    """The texts' words, weighed by the vocabulary, and the words' features."""
    places: dict[str, int] = {}
    starts, columns, weights = [0], [], []
    for text in texts:
        counts = np.array([vocabulary.weight(word) for word in text], dtype=np.float32)
        columns += [places.setdefault(word, len(places)) for word in text]
        weights.append(counts / max(float(np.linalg.norm(counts)), 1e-9))
        starts.append(len(columns))
    by_text = csr_array(
        (np.concatenate([*weights, np.zeros(0)]).astype(np.float32), columns, starts),
        shape=(len(texts), len(places)),
    )
    by_text.sum_duplicates()
    return Features(by_text, _word_features(list(places), vocabulary))


def _word_features(words: Sequence[str], vocabulary: SubwordVocabulary) -> csr_array:
    found = [vocabulary.features(word) for word in words]
    starts = np.cumsum([0, *(len(rows) for rows, _ in found)])
    rows = np.concatenate([*(rows for rows, _ in found), np.zeros(0)]).astype(np.int32)
    weights = np.concatenate([*(parts for _, parts in found), np.zeros(0)]).astype(np.float32)
    return csr_array((weights, rows, starts), shape=(len(words), len(vocabulary)))


def distil(
    found: Features, targets: FloatArray, config: DistillationConfig, advance: Advance = no_progress
) -> NDArray[np.float32]:
    """The table (features, d) with the least error; ``targets`` (texts, d) are the teacher's.

    ``advance`` is told of every block of 64 columns that is done.
    """
    blocks = [targets[:, start : start + COLUMNS] for start in range(0, targets.shape[1], COLUMNS)]
    turned = Features(found.texts.T.tocsr(), found.words.T.tocsr())

    def work(block: FloatArray) -> NDArray[np.float32]:
        return _solve(found, turned, block.astype(np.float32), config)

    solved = []
    with ThreadPoolExecutor(cores()) as pool:
        for table in pool.map(work, blocks):
            solved.append(table)
            advance()
    return np.hstack(solved)


def _solve(
    found: Features, turned: Features, targets: NDArray[np.float32], config: DistillationConfig
) -> NDArray[np.float32]:
    """The ridge solution for some columns, by conjugate gradients on the normal equations."""
    residual: NDArray[np.float32] = turned.words @ (turned.texts @ targets)
    table = np.zeros_like(residual)
    direction = residual.copy()
    size = (residual * residual).sum(axis=0)
    for _ in range(config.rounds):
        image = turned.words @ (turned.texts @ (found.texts @ (found.words @ direction)))
        image += np.float32(config.penalty) * direction
        step = size / np.maximum((direction * image).sum(axis=0), 1e-20)
        table += step * direction
        residual -= step * image
        smaller = (residual * residual).sum(axis=0)
        direction = residual + (smaller / np.maximum(size, 1e-20)) * direction
        size = smaller
    return table
