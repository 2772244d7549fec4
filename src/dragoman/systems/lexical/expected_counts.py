"""Documents as bags of words -> the counts that are expected of their dimensions, many at a time.

tf(e, d) = sum over f of tf(f, d) p(e | f), as in ``psq``. An index is filled with documents while
an encoder keeps all cores busy, so what is done here for every word is done by arrays.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from threading import Lock
from typing import NamedTuple

import numpy as np

from dragoman.indexes.spaces import Counts
from dragoman.systems.lexical.word_counts import WordBag
from dragoman.types import FloatArray, IntArray

BITS = 32  # that dimensions fit
HIGHEST = float(np.finfo(np.float16).max)  # count of a posting; BM25 saturates long before

Pairs = Sequence[tuple[int, float]]  # the dimensions of a word, with probabilities


class Entries(NamedTuple):
    """The dimensions of several words, one word after the other."""

    sizes: IntArray  # how many each word has
    dimensions: IntArray
    probabilities: FloatArray


class PackedDimensions:
    """Number of a word -> its dimensions, worked out once, in the order of the numbers.

    ``words`` grows at its end; ``find`` maps the new words of a batch together.
    """

    def __init__(
        self, words: Sequence[str], find: Callable[[Sequence[str]], Iterable[Pairs]]
    ) -> None:
        self._words, self._find = words, find
        self._ends, self._dimensions, self._probabilities = array("q", [0]), array("I"), array("d")
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._ends) - 1

    def of(self, numbers: IntArray) -> Entries:
        """The dimensions of the words with these numbers."""
        with self._lock:
            self._find_below(int(numbers.max(initial=-1)) + 1)
            return self._gathered(numbers)

    def _find_below(self, number: int) -> None:
        new = self._words[len(self) : number]
        entries: list[tuple[int, float]] = []
        ends: list[int] = []
        for pairs in self._find(new) if new else ():
            entries += pairs
            ends.append(len(self._dimensions) + len(entries))
        self._dimensions.extend([dimension for dimension, _ in entries])
        self._probabilities.extend([probability for _, probability in entries])
        self._ends.extend(ends)

    def _gathered(self, numbers: IntArray) -> Entries:
        """Copies, and no view lives on: an array that is viewed cannot grow."""
        ends = np.frombuffer(self._ends, np.int64)
        starts, sizes = ends[numbers], np.diff(ends)[numbers]
        before = sizes.cumsum() - sizes
        indices = np.arange(sizes.sum()) + (starts - before).repeat(sizes)
        return Entries(
            sizes,
            np.frombuffer(self._dimensions, np.uint32)[indices],
            np.frombuffer(self._probabilities, np.float64)[indices],
        )


def expected_counts(bags: Sequence[WordBag], dimensions: PackedDimensions) -> list[Counts]:
    """The counts of each bag, dimensions rising; those of one are added in the order of the words.

    The keys of a batch, (row, dimension), are sorted together; sums are taken in float64.
    """
    numbers = np.frombuffer(b"".join([bag.numbers for bag in bags]), np.intc)
    counts = np.frombuffer(b"".join([bag.counts for bag in bags]), np.intc)
    sizes = np.array([len(bag.numbers) for bag in bags], np.int64) // numbers.itemsize
    rows = np.arange(len(bags)).repeat(sizes)
    entries = dimensions.of(numbers)
    keys, inverse = np.unique(
        rows.repeat(entries.sizes) << BITS | entries.dimensions, return_inverse=True
    )
    added = entries.probabilities * counts.repeat(entries.sizes)
    sums = np.bincount(inverse, weights=added, minlength=len(keys))
    sums = np.minimum(sums, HIGHEST).astype(np.float32)
    starts = keys.searchsorted(np.arange(len(bags) + 1) << BITS).tolist()
    dimensions_of_keys = (keys & ((1 << BITS) - 1)).astype(np.uint32)
    return [
        Counts(dimensions_of_keys[start:end], np.asarray(sums[start:end], np.float32), bag.length)
        for (start, end), bag in zip(pairwise(starts), bags, strict=True)
    ]
