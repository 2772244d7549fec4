"""Words -> the nearest words of a vocabulary by Levenshtein distance, by an index of deletions.

Two words within distance t have a common string after at most t deletions from each, even from
their prefixes (symmetric deletes: Garbe 2012). The index holds the hash of every such string of
every vocabulary word; a look-up hashes those of its word and verifies the matches by their
distance. rapidfuzz has no index and compares with every word: in 400,000 words, a look-up with
``process.cdist`` takes 98 ms within distance 1 and 127 ms within 2, here 6.4 and 72 microseconds,
ratios of 15,000 and 1,800 (benchmarks/oov.py, one thread).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dragoman.errors import ConfigError
from dragoman.lexicons.vocabulary import ABSENT
from dragoman.storage.packed_strings import code_points
from dragoman.types import IntArray

MOST_DISTANCE = 2
PREFIX = {1: 64, 2: 10}  # letters to delete from, by distance; at distance 1 nearly all words'

Codes = NDArray[np.uint32]
Hashes = NDArray[np.uint64]

_WORDS = "uint32[::1]"
_STARTS = "int64[::1]"


@dataclass(frozen=True, eq=False)
class DeletionIndex:
    """The words of a vocabulary by the hashes of their deletion variants."""

    distance: int
    codes: NDArray[np.uint32]  # the letters of all words, concatenated
    starts: NDArray[np.int64]
    hashes: NDArray[np.uint64]  # ascending
    owners: NDArray[np.int32]  # the word of each hash
    buckets: NDArray[np.int64]  # the first hash with each prefix of bits

    @classmethod
    def build(cls, words: Sequence[str], distance: int) -> "DeletionIndex":
        """The index of ``words``, for look-ups within ``distance``."""
        if not 1 <= distance <= MOST_DISTANCE:
            raise ConfigError(f"distance must be 1 or 2, got {distance}")
        codes, starts = letters(words)
        sizes = variant_counts(np.diff(starts), distance)
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        hashes = np.empty(offsets[-1], dtype=np.uint64)
        owners = np.empty(offsets[-1], dtype=np.int32)
        _hash_words(codes, starts, offsets, distance, PREFIX[distance], hashes, owners)
        order = np.argsort(hashes, kind="stable")
        hashes, owners = hashes[order], owners[order]
        bits = max(1, len(hashes).bit_length())
        edges = np.arange((1 << bits) + 1, dtype=np.float64) * 2.0 ** (64 - bits)
        last = np.searchsorted(hashes, edges[:-1].astype(np.uint64))
        buckets = np.append(last, len(hashes)).astype(np.int64)
        return cls(distance, codes, starts, hashes, owners, buckets)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def nearest(self, words: Sequence[str], draws: NDArray[np.uint64]) -> tuple[IntArray, IntArray]:
        """The number and distance of a nearest word for each of ``words``; ``ABSENT`` if none.

        Of n words at the least distance, in the order of their numbers, the one at index
        ``draw % n`` is chosen.
        """
        codes, starts = letters(words)
        nearest = np.full(len(words), ABSENT, dtype=np.int64)
        distances = np.full(len(words), ABSENT, dtype=np.int64)
        index = (self.codes, self.starts, self.hashes, self.owners, self.buckets)
        prefix = PREFIX[self.distance]
        _find_words(codes, starts, draws, *index, self.distance, prefix, nearest, distances)
        return nearest, distances


def letters(words: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The code points of all words, concatenated, and where each word starts."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    return code_points("".join(words)), np.concatenate(([0], np.cumsum(lengths)))


def variant_counts(lengths: IntArray, distance: int) -> IntArray:
    """The number of deletion variants of words of these lengths."""
    size = np.minimum(lengths, PREFIX[distance]).astype(np.int64)
    counts: IntArray = 1 + size
    return counts + size * (size - 1) // 2 if distance > 1 else counts


@njit("uint64(uint64, uint64)", cache=True, inline="always")
def _mixed(value: np.uint64, letter: np.uint64) -> np.uint64:
    value ^= letter + np.uint64(0x9E3779B97F4A7C15)
    value *= np.uint64(0xFF51AFD7ED558CCD)
    return value ^ (value >> np.uint64(29))


@njit(f"uint64({_WORDS}, int64, int64, int64, int64)", cache=True)
def _hash_without(codes: Codes, start: int, stop: int, first: int, second: int) -> np.uint64:
    """The hash of the letters from ``start`` to ``stop`` without two offsets; -1 for none."""
    value = np.uint64(1)
    for offset in range(start, stop):
        if offset not in (first, second):
            value = _mixed(value, np.uint64(codes[offset]))
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xC4CEB9FE1A85EC53)
    return value ^ (value >> np.uint64(33))


@njit(f"int64({_WORDS}, int64, int64, int64, int64, uint64[::1])", cache=True)
def _variants(codes: Codes, start: int, stop: int, distance: int, prefix: int, out: Hashes) -> int:
    """Write the hashes of the deletion variants of one word's prefix to ``out``; their number."""
    stop = min(stop, start + prefix)
    out[0] = _hash_without(codes, start, stop, -1, -1)
    count = 1
    for first in range(start, stop):
        out[count] = _hash_without(codes, start, stop, first, -1)
        count += 1
        if distance > 1:
            for second in range(first + 1, stop):
                out[count] = _hash_without(codes, start, stop, first, second)
                count += 1
    return count


@njit(
    f"void({_WORDS}, {_STARTS}, {_STARTS}, int64, int64, uint64[::1], int32[::1])",
    cache=True,
    nogil=True,
)
def _hash_words(
    codes: Codes,
    starts: IntArray,
    offsets: IntArray,
    distance: int,
    prefix: int,
    hashes: Hashes,
    owners: IntArray,
) -> None:
    for word in range(len(starts) - 1):
        out = hashes[offsets[word] : offsets[word + 1]]
        _variants(codes, starts[word], starts[word + 1], distance, prefix, out)
        owners[offsets[word] : offsets[word + 1]] = word


@njit(f"int64({_WORDS}, int64, int64, {_WORDS}, int64, int64, int64)", cache=True)
def _distance(one: Codes, a: int, b: int, other: Codes, c: int, d: int, most: int) -> int:
    """The Levenshtein distance, or ``most + 1`` if it is above ``most`` (Ukkonen's band)."""
    while a < b and c < d and one[a] == other[c]:
        a += 1
        c += 1
    while a < b and c < d and one[b - 1] == other[d - 1]:
        b -= 1
        d -= 1
    n, m = b - a, d - c
    if abs(n - m) > most:
        return most + 1
    if n == 0 or m == 0:
        return max(n, m)
    row = np.empty(m + 1, dtype=np.int64)
    for j in range(m + 1):
        row[j] = j
    for i in range(1, n + 1):
        low, high = max(1, i - most), min(m, i + most)
        diagonal = row[low - 1]
        row[low - 1] = i if low == 1 else most + 1
        least = row[low - 1]
        for j in range(low, high + 1):
            above = row[j] if j < i + most else most + 1
            cost = diagonal + (one[a + i - 1] != other[c + j - 1])
            diagonal = row[j]
            row[j] = min(cost, above + 1, row[j - 1] + 1)
            least = min(least, row[j])
        if least > most:
            return most + 1
    return min(int(row[m]), most + 1)


@njit(
    f"void({_WORDS}, {_STARTS}, uint64[::1], {_WORDS}, {_STARTS}, uint64[::1], int32[::1],"
    f" {_STARTS}, int64, int64, int64[::1], int64[::1])",
    cache=True,
    nogil=True,
)
def _find_words(
    codes: Codes,
    starts: IntArray,
    draws: Hashes,
    known: Codes,
    known_starts: IntArray,
    hashes: Hashes,
    owners: IntArray,
    buckets: IntArray,
    distance: int,
    prefix: int,
    nearest: IntArray,
    distances: IntArray,
) -> None:
    variants = np.empty(1 + prefix + prefix * (prefix - 1) // 2, dtype=np.uint64)
    near = np.empty(64, dtype=np.int64)
    bits = 0
    while (1 << bits) < len(buckets) - 1:
        bits += 1
    for word in range(len(starts) - 1):
        start, stop = starts[word], starts[word + 1]
        least, count = distance, 0
        for variant in range(_variants(codes, start, stop, distance, prefix, variants)):
            value = variants[variant]
            bucket = np.int64(value >> np.uint64(64 - bits))
            for entry in range(buckets[bucket], buckets[bucket + 1]):
                if hashes[entry] != value:
                    continue
                owner = np.int64(owners[entry])
                first, last = known_starts[owner], known_starts[owner + 1]
                away = _distance(codes, start, stop, known, first, last, least)
                if away > least:
                    continue
                if away < least:
                    least, count = away, 0
                if count == len(near):
                    near = np.concatenate((near, np.empty_like(near)))
                near[count] = owner
                count += 1
        if count:
            unique = np.unique(near[:count])
            nearest[word] = unique[np.int64(draws[word] % np.uint64(len(unique)))]
            distances[word] = least
