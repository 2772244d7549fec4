"""Word ids of many texts -> flat arrays: in order (``Sequences``) or counted (``Bags``).

Row i is ``words[starts[i]:starts[i + 1]]``, without padding. A batch is a selection of rows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.types import IntArray


@dataclass(frozen=True, slots=True)
class Sequences:
    """Texts as the ids of their words, in order."""

    words: NDArray[np.int32]
    starts: NDArray[np.int64]

    @classmethod
    def pack(cls, texts: Iterable[Sequence[int]]) -> "Sequences":
        """The texts, concatenated."""
        lists = list(texts)
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        words = np.fromiter((word for text in lists for word in text), np.int32, starts[-1])
        return cls(words, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, row: int) -> NDArray[np.int32]:
        """The word ids of one text."""
        return self.words[self.starts[row] : self.starts[row + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each text."""
        return np.diff(self.starts)

    def bags(self, padded_to: int = 0, padding: int = 0) -> "Bags":
        """Every text as its distinct words, each with its relative frequency in the text.

        With ``padded_to``, texts are padded to that length with the word ``padding`` first.
        """
        rows = np.repeat(np.arange(len(self)), self.lengths)
        highest = int(self.words.max(initial=0)) + 1
        keys, counts = np.unique(rows * highest + self.words, return_counts=True)
        owners, words = keys // highest, (keys % highest).astype(np.int32)
        lengths = np.maximum(self.lengths, padded_to)
        shares = counts / np.maximum(lengths, 1)[owners]
        if padded_to:
            empty = (lengths - self.lengths) / np.maximum(lengths, 1)
            owners = np.concatenate([owners, np.arange(len(self))])
            words = np.concatenate([words, np.full(len(self), padding, np.int32)])
            shares = np.concatenate([shares, empty])
            order = np.lexsort((words, owners))
            owners, words, shares = owners[order], words[order], shares[order]
        starts = np.searchsorted(owners, np.arange(len(self) + 1)).astype(np.int64)
        return Bags(words, starts, shares.astype(np.float32))


@dataclass(frozen=True, slots=True)
class Bags:
    """Texts as distinct words with weights."""

    words: NDArray[np.int32]
    starts: NDArray[np.int64]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.starts) - 1


def gather_positions(
    starts: IntArray, rows: IntArray
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions of the words of ``rows`` in the flat array, and the start of each row in them."""
    sizes = starts[rows + 1] - starts[rows]
    ends = np.cumsum(sizes)
    within = np.arange(int(sizes.sum())) - np.repeat(ends - sizes, sizes)
    return np.repeat(starts[rows], sizes) + within, np.concatenate([[0], ends]).astype(np.int64)
