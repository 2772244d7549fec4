"""Vectors -> one bit a dimension, by which the nearest are nearly found in one pass over half.

A dimension's bit says on which side of the mean a vector lies. From its bits b in {-1, 1} a vector
is guessed as center + f * spread * b, where f brings the guess to the vector's own length; so its
product with a query q is guessed, up to what is the same for all vectors, as f * sum(q * spread *
b). This is RaBitQ (Gao and Long 2024) without its rotation: sentence vectors spread their meaning
over all dimensions as they are. The query's weights are rounded to three bits and a sign, so that
the sum is counted in words of 64 dimensions (``compiled``).

Reading takes longer than counting, so that bits are sorted: those of the dimensions with the widest
spread come first, and the first half of all, the outline, is kept apart. All outlines are read,
with the query's heavy weights rounded to one bit; of those that look nearest the whole sketch; and
of what still looks nearest the vector itself.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.types import FloatArray

WORD = 64  # bits
SAMPLED = 1 << 14  # vectors that tell center and spread
BLOCK = 1 << 14  # vectors that are drawn at a time


@dataclass(frozen=True, slots=True)
class Drawing:
    """What sketches of some vectors are drawn by."""

    center: NDArray[np.float32]
    spread: NDArray[np.float32]

    @classmethod
    def of(cls, vectors: NDArray[np.float16]) -> Self:
        """Told by vectors that are evenly chosen among all."""
        some = vectors[:: max(1, -(-len(vectors) // SAMPLED))].astype(np.float32)
        if not len(some):
            return cls(*np.zeros((2, vectors.shape[1]), np.float32))
        center = some.mean(axis=0)
        return cls(center, np.abs(some - center).mean(axis=0))

    def draw(
        self,
        vectors: NDArray[np.float16],
        signs: NDArray[np.uint64],
        outlines: NDArray[np.uint64],
        factors: FloatArray,
    ) -> None:
        """Fill the bits (n, words) of vectors (n, size), the outlines and the factor of each."""
        order = by_spread(self.spread)
        for first in range(0, len(vectors), BLOCK):
            block = slice(first, first + BLOCK)
            off = vectors[block].astype(np.float32) - self.center
            signs[block] = packed(off.take(order, axis=1) > 0)
            outlines[:, block] = signs[block, : len(outlines)].T
            lengths = np.einsum("ij,ij->i", off, off)
            guessed = np.abs(off) @ self.spread
            factors[block] = np.divide(lengths, guessed, out=lengths, where=guessed > 0)


def by_spread(spread: FloatArray) -> NDArray[np.int64]:
    """The dimensions in the order of their bits: the widest first."""
    return np.argsort(-spread, kind="stable")


def outline_words(size: int) -> int:
    """How many words hold the first half of a vector's bits."""
    return -(-words_for(size) // 2)


def words_for(size: int) -> int:
    """How many words hold the bits of a vector."""
    return -(-size // WORD)


def packed(bits: NDArray[Any]) -> NDArray[np.uint64]:
    """(..., size) truth values -> (..., words), filled up with zeros."""
    size = bits.shape[-1]
    if missing := words_for(size) * WORD - size:
        bits = np.pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, missing)])
    return np.packbits(bits, axis=-1, bitorder="little").view(np.uint64)
