"""Documents as bags of words -> the counts that are expected of their dimensions, many at a time.

tf(e, d) = sum over f of tf(f, d) p(e | f), as in ``psq``. An index is filled with documents while
an encoder keeps all cores busy, so what is done here for every word is done by arrays.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import count, pairwise
from threading import Lock
from typing import NamedTuple

import numpy as np

from dragoman.indexes.spaces import Counts
from dragoman.storage.gathering import ranges
from dragoman.types import FloatArray, IntArray

BITS = 32  # that dimensions fit
CACHED_WORDS = 1 << 17  # of a language; some 35 MB when full
HIGHEST = float(np.finfo(np.float16).max)  # count of a posting; BM25 saturates long before

Pairs = Sequence[tuple[int, float]]  # the dimensions of a word, with probabilities


class Entries(NamedTuple):
    """The dimensions of several words, one word after the other."""

    sizes: IntArray  # how many each word has
    dimensions: IntArray
    probabilities: FloatArray


class PackedDimensions:
    """Words -> their dimensions, which ``find`` works out for new words.

    Those of the last words are kept, up to ``CACHED_WORDS`` and a batch.
    """

    def __init__(self, find: Callable[[str], Pairs]) -> None:
        self._find = find
        self._lock = Lock()
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._ends, self._dimensions, self._probabilities = array("q", [0]), array("I"), array("d")

    def of(self, words: Sequence[str]) -> Entries:
        """The dimensions of the words."""
        with self._lock:
            if len(self._numbers) > CACHED_WORDS:
                self._forget()
            self._add(word for word in words if word not in self._numbers)
            return self._gathered(np.array([self._numbers[word] for word in words], np.int64))

    def _add(self, words: Iterable[str]) -> None:
        new = [*dict.fromkeys(words)]
        entries: list[tuple[int, float]] = []
        ends: list[int] = []
        for pairs in map(self._find, new):
            entries += pairs
            ends.append(len(self._dimensions) + len(entries))
        self._dimensions.extend([dimension for dimension, _ in entries])
        self._probabilities.extend([probability for _, probability in entries])
        self._ends.extend(ends)
        self._numbers.update(zip(new, count(len(self._numbers)), strict=False))

    def _gathered(self, numbers: IntArray) -> Entries:
        """Copies, and no view lives on: an array that is viewed cannot grow."""
        ends = np.frombuffer(self._ends, np.int64)
        starts, sizes = ends[numbers], np.diff(ends)[numbers]
        indices = ranges(starts, sizes)
        return Entries(
            sizes,
            np.frombuffer(self._dimensions, np.uint32)[indices],
            np.frombuffer(self._probabilities, np.float64)[indices],
        )


def expected_counts(bags: Sequence[Counter[str]], dimensions: PackedDimensions) -> list[Counts]:
    """The counts of each bag, dimensions rising; those of one are added in the order of the words.

    The keys of a batch, (row, dimension), are sorted together; sums are taken in float64.
    """
    counts = np.array([times for bag in bags for times in bag.values()], np.int64)
    rows = np.arange(len(bags)).repeat([len(bag) for bag in bags])
    entries = dimensions.of([word for bag in bags for word in bag])
    keys, inverse = np.unique(
        rows.repeat(entries.sizes) << BITS | entries.dimensions, return_inverse=True
    )
    added = entries.probabilities * counts.repeat(entries.sizes)
    sums = np.bincount(inverse, weights=added, minlength=len(keys))
    sums = np.minimum(sums, HIGHEST).astype(np.float32)
    starts = keys.searchsorted(np.arange(len(bags) + 1) << BITS).tolist()
    dimensions_of_keys = (keys & ((1 << BITS) - 1)).astype(np.uint32)
    return [
        Counts(dimensions_of_keys[start:end], np.asarray(sums[start:end], np.float32), bag.total())
        for (start, end), bag in zip(pairwise(starts), bags, strict=True)
    ]
