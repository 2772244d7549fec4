"""Documents as bags of words -> the counts that are expected of their dimensions, many at a time.

tf(e, d) = sum over f of tf(f, d) p(e | f), as in ``psq``. A store is filled with documents while an
encoder keeps all cores busy, so what is done here for every word is done by arrays.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from dragoman.scores.impacts import Rows

# One dimension that a word may stand for; dimensions fit 32 bits.
ENTRY = np.dtype([("dimension", np.int64), ("probability", np.float64)])
BITS = 32


class PackedDimensions(dict[str, bytes]):
    """Word -> its dimensions as the bytes of ``ENTRY``, worked out when it is first met."""

    def __init__(self, find: Callable[[str], Sequence[tuple[int, float]]]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, word: str) -> bytes:
        packed = self[word] = np.array(self._find(word), ENTRY).tobytes()
        return packed


def expected_counts(bags: Sequence[Counter[str]], dimensions: PackedDimensions) -> Rows:
    """A row per bag, dimensions rising; a dimension's counts are added in the order of the words.

    The keys of a batch, (row, dimension), are sorted together; sums are taken in float64.
    """
    words = [dimensions[word] for bag in bags for word in bag]
    counts = np.fromiter(chain.from_iterable(bag.values() for bag in bags), np.float64, len(words))
    sizes = np.fromiter(map(len, words), np.int64, len(words)) // ENTRY.itemsize
    entries = np.frombuffer(b"".join(words), ENTRY)
    rows = np.arange(len(bags)).repeat([len(bag) for bag in bags]).repeat(sizes)
    keys, places = np.unique(rows << BITS | entries["dimension"], return_inverse=True)
    added = entries["probability"] * counts.repeat(sizes)
    sums = np.bincount(places, weights=added, minlength=len(keys))
    return Rows(
        keys.searchsorted(np.arange(len(bags) + 1) << BITS),
        (keys & ((1 << BITS) - 1)).astype(np.uint32),
        sums.astype(np.float32),
    )
