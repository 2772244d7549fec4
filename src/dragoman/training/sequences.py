"""Words of many texts -> flat arrays: in order (``Sequences``) or counted (``Bags``).

Row i is ``words[starts[i]:starts[i + 1]]``; nothing is padded. A batch is a selection of rows and
copies nothing until it has to.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.types import IntArray


@dataclass(frozen=True, slots=True)
class Sequences:
    """Texts as the numbers of their words, in order."""

    words: NDArray[np.int32]
    starts: NDArray[np.int64]

    @classmethod
    def pack(cls, texts: Iterable[Sequence[int]]) -> "Sequences":
        """The texts one after the other."""
        lists = list(texts)
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        words = np.fromiter((word for text in lists for word in text), np.int32, starts[-1])
        return cls(words, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many words each text has."""
        return np.diff(self.starts)

    def bags(self, padded_to: int = 0, padding: int = 0) -> "Bags":
        """Every text as its different words, each with its share of the text.

        With ``padded_to`` the shares are of that many places, and the word ``padding`` has the
        places that the text leaves empty.
        """
        rows = np.repeat(np.arange(len(self)), self.lengths)
        highest = int(self.words.max(initial=0)) + 1
        keys, counts = np.unique(rows * highest + self.words, return_counts=True)
        places, words = keys // highest, (keys % highest).astype(np.int32)
        lengths = np.maximum(self.lengths, padded_to)
        shares = counts / np.maximum(lengths, 1)[places]
        if padded_to:
            empty = (lengths - self.lengths) / np.maximum(lengths, 1)
            places = np.concatenate([places, np.arange(len(self))])
            words = np.concatenate([words, np.full(len(self), padding, np.int32)])
            shares = np.concatenate([shares, empty])
            order = np.lexsort((words, places))
            places, words, shares = places[order], words[order], shares[order]
        starts = np.searchsorted(places, np.arange(len(self) + 1)).astype(np.int64)
        return Bags(words, starts, shares.astype(np.float32))


@dataclass(frozen=True, slots=True)
class Bags:
    """Texts as different words with weights."""

    words: NDArray[np.int32]
    starts: NDArray[np.int64]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.starts) - 1


def gather_positions(
    starts: IntArray, rows: IntArray
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the words of ``rows`` stand in the flat array, and where each row starts among them."""
    sizes = starts[rows + 1] - starts[rows]
    ends = np.cumsum(sizes)
    within = np.arange(int(sizes.sum())) - np.repeat(ends - sizes, sizes)
    return np.repeat(starts[rows], sizes) + within, np.concatenate([[0], ends]).astype(np.int64)
