"""Words of a collection -> the few documents that a term may be in, without reading the others.

A word's contexts move it, but not far: the documents worth reading for a term have one of the words
that are nearest to it on average. So every different word keeps the mean of its positions and the
list of its documents, and a search reads the documents of the nearest words alone.

    word_means.npy      (words, p) float32
    word_documents.npy word_starts.npy   the documents of every word
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dragoman.systems.searcher.quantized import Positions, mapped
from dragoman.training.texts import gathered
from dragoman.types import IntArray

BLOCK = 1 << 16  # positions that are added up at a time
FILES = ("means", "documents", "starts")


@dataclass(frozen=True, eq=False)
class NearWords:
    """The mean place and the documents of every different word."""

    means: NDArray[np.float32]
    documents: NDArray[np.int32]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, positions: Positions, words: IntArray, documents: IntArray) -> "NearWords":
        """From the word (from 0 on) and the document of every position."""
        count = int(words.max(initial=-1)) + 1
        sums = np.zeros((count, len(positions.columns)), dtype=np.float32)
        for first in range(0, len(positions), BLOCK):
            last = min(first + BLOCK, len(positions))
            ones = np.ones(last - first, dtype=np.float32)
            places = (words[first:last], np.arange(last - first))
            owned = csr_array((ones, places), shape=(count, last - first))
            sums += owned @ positions.rows(first, last)
        sightings = np.bincount(words, minlength=count)
        span = int(documents.max(initial=0)) + 1
        pairs = np.unique(words.astype(np.int64) * span + documents)
        starts = np.searchsorted(pairs // span, np.arange(count + 1)).astype(np.int64)
        means = np.asarray(sums / np.maximum(sightings, 1)[:, None], dtype=np.float32)
        return cls(means, (pairs % span).astype(np.int32), starts)

    def candidates(self, terms: NDArray[np.float32], nearest: int) -> IntArray:
        """The documents, rising, that have one of the ``nearest`` words of any term (n, p)."""
        near = self.means @ terms.T
        count = min(nearest, len(near))
        chosen = np.argpartition(-near, count - 1, axis=0)[:count] if count else near[:0]
        at, _ = gathered(self.starts, np.unique(chosen).astype(np.int64))
        return np.unique(self.documents[at])

    def save(self, folder: Path) -> None:
        """Write the arrays into ``folder``."""
        for name in FILES:
            np.save(folder / f"word_{name}.npy", getattr(self, name), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> "NearWords":
        """What ``save`` wrote; arrays are mapped, not read."""
        return cls(*(mapped(folder, f"word_{name}") for name in FILES))


def numbered(sentences: Sequence[tuple[str, ...]], numbers: dict[str, int]) -> NDArray[np.int32]:
    """The words of all sentences as numbers, new ones given in ``numbers``."""
    return np.fromiter(
        (numbers.setdefault(word, len(numbers)) for one in sentences for word in one),
        np.int32,
        sum(map(len, sentences)),
    )
