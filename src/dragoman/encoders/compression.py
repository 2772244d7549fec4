"""A student's first table -> the rows and the directions that are worth keeping.

A feature is worth what the fit would lose without it. Near the best table, the loss grows by half
the row's squared length times the curvature, which for a sum of rows is how much texts use the
feature (optimal brain damage: LeCun, Denker and Solla 1990). Frequency alone keeps endings that
say little and drops the stems of rare words that say much.

Rows also lie close to a subspace of the teacher's space: what few words can tell is less than what
sentences mean. Half the directions have 96 % of what rows add to texts.
"""

import numpy as np
from numpy.typing import NDArray

from dragoman.encoders.distillation import Features
from dragoman.types import FloatArray, IntArray


def feature_usage(found: Features) -> NDArray[np.float64]:
    """How much texts use each feature: its squared weights, words of a text taken one by one."""
    by_word = np.asarray(found.texts.power(2).sum(axis=0), dtype=np.float64)
    used: NDArray[np.float64] = found.words.power(2).astype(np.float64).T @ by_word
    return used


def most_useful_features(found: Features, table: FloatArray, rows: int) -> IntArray:
    """The ``rows`` features that the fit would miss most, rising."""
    worth = feature_usage(found) * np.square(table, dtype=np.float64).sum(axis=1)
    kept: IntArray = np.sort(np.argsort(-worth, kind="stable")[:rows])
    return kept


def principal_directions(
    found: Features, table: FloatArray, columns: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """An orthonormal basis (columns, d) of the directions in which rows add most to texts.

    The basis is turned at random, so that every column has about the same spread and a few bits a
    number serve all of them alike.
    """
    wide = table.astype(np.float64)
    _, axes = np.linalg.eigh(wide.T @ (feature_usage(found)[:, None] * wide))
    first = axes[:, ::-1][:, :columns]
    turn, _ = np.linalg.qr(rng.normal(size=(first.shape[1], first.shape[1])))
    return np.ascontiguousarray((first @ turn).T, dtype=np.float32)
