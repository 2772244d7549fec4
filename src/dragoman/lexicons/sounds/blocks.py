"""Words -> blocks of sounds: words that may be the same name share at least one."""

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from dragoman.lexicons.sounds.transliteration import has_vowels, sound_key
from dragoman.types import IntArray

SHORTEST = 4  # letters; shorter words resemble each other by chance
FORGIVING = 3  # consonants that a name needs before one of them may differ


def is_word(word: str) -> bool:
    """Whether the word can be compared by its letters."""
    return word.isalpha() or not any(map(str.isdigit, word))


def has_sound(word: str, key: str) -> bool:
    """Whether ``key``, the word's sound key, is long enough to identify it."""
    return len(key) > 1 and len(word) >= SHORTEST if has_vowels(word) else len(key) > 2


def sound_blocks(word: str) -> Sequence[str]:
    """The word's sound key, and the key without one of its consonants, for each of them."""
    key = sound_key(word)
    if not has_sound(word, key):
        return ()
    if len(key) < FORGIVING:
        return (key,)
    return (key, *[key[:n] + key[n + 1 :] for n in range(len(key))])


def block_hashes(keys: Sequence[str]) -> tuple[IntArray, IntArray]:
    """The CRC-32 of every block of words with these sound keys, and the row of its word."""
    hashes: list[int] = []
    sizes: list[int] = []
    for key in map(str.encode, keys):
        before = len(hashes)
        hashes.append(crc32(key))
        if len(key) >= FORGIVING:
            hashes += [crc32(key[:n] + key[n + 1 :]) for n in range(len(key))]
        sizes.append(len(hashes) - before)
    return np.array(hashes, np.uint32), np.repeat(np.arange(len(keys), dtype=np.int32), sizes)
