"""Words -> character n-grams and their bucket numbers (Bojanowski et al. 2017, section 3.2).

The word is framed by ``<`` and ``>``, so that a prefix differs from the same letters inside. The
hash is fastText's: FNV-1a over UTF-8 with sign-extended bytes, so that buckets are those of a
``.bin`` model trained with as many.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError

_OFFSET = np.uint32(2166136261)
_PRIME = np.uint32(16777619)


def ngrams(word: str, low: int = 3, high: int = 6) -> list[str]:
    """The n-grams of ``<word>`` with ``low`` to ``high`` characters, by start, then by length.

    A single ``<`` or ``>`` is none of them.
    """
    _check(low, high)
    framed = f"<{word}>"
    return [
        framed[start : start + size]
        for start in range(len(framed))
        for size in range(low, min(high, len(framed) - start) + 1)
        if size > 1 or 0 < start < len(framed) - 1
    ]


def fnv1a(text: str) -> int:
    """The 32-bit hash of a text, as fastText takes it."""
    return int(_hash(np.frombuffer(text.encode("utf-8"), np.uint8)))


def buckets(word: str, count: int, low: int = 3, high: int = 6) -> NDArray[np.int64]:
    """The bucket, from 0 to ``count`` - 1, of each of ``ngrams(word, low, high)`` in that order."""
    _check(low, high)
    if count < 1:
        raise ConfigError(f"count must be at least 1, got {count}")
    framed = np.frombuffer(f"<{word}>".encode(), np.uint8)
    hashes: NDArray[np.int64] = _ngram_hashes(framed, low, high)
    return hashes % count


def _check(low: int, high: int) -> None:
    if not 1 <= low <= high:
        raise ConfigError(f"n-grams need 1 <= low <= high, got low {low} and high {high}")


@numba.njit(cache=True)
def _hash(octets: NDArray[np.uint8]) -> np.uint32:
    value = _OFFSET
    for octet in octets:
        value = np.uint32(value ^ np.uint32(np.int8(octet)))
        value = np.uint32(value * _PRIME)
    return value


@numba.njit(cache=True)
def _ngram_hashes(octets: NDArray[np.uint8], low: int, high: int) -> NDArray[np.int64]:
    """The hash of each n-gram; a byte that continues a character begins none."""
    starts = np.flatnonzero((octets & 0xC0) != 0x80)
    ends = np.append(starts[1:], len(octets))
    length = len(starts)
    found = np.empty(length * (high - low + 1), np.int64)
    number = 0
    for first in range(length):
        for size in range(low, min(high, length - first) + 1):
            if size == 1 and (first == 0 or first == length - 1):
                continue
            found[number] = _hash(octets[starts[first] : ends[first + size - 1]])
            number += 1
    return found[:number]
