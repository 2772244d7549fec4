"""A word -> the blocks of sounds that it shares with the words that may be the same name.

Questions ask word by word (``sound_blocks``); a collection's words are blocked many at a time, as
hashes only (``sound_hashes``), because making a string of every block takes ten times as long.
"""

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from dragoman.lexicons.sounds.transliteration import has_vowels, sound_key, sound_keys
from dragoman.types import IntArray

SHORTEST = 4  # letters; below that, chance resembles too much
FORGIVING = 3  # consonants that a name needs before one of them may differ
LONGEST_AT_ONCE = 24  # consonants; a longer word is seldom one, and is left to ``sound_blocks``

# What a byte does to the checksum that it meets, from the checksums of single bytes.
_STEPS = np.array([crc32(bytes([255 ^ byte])) for byte in range(256)], np.uint32) ^ 0xFF000000


def is_word(word: str) -> bool:
    """Whether it can be compared by its letters."""
    return word.isalpha() or not any(map(str.isdigit, word))


def sound_blocks(word: str) -> Sequence[str]:
    """Its consonants, then all of them but one: what a name keeps when it is written elsewhere."""
    key = sound_key(word)
    if not _tells(word, key):
        return ()
    if len(key) < FORGIVING:
        return (key,)
    return (key, *[key[:n] + key[n + 1 :] for n in range(len(key))])


def _tells(word: str, key: str) -> bool:
    """Whether there is enough of a word's sounds to know it by."""
    return len(key) > 1 and len(word) >= SHORTEST if has_vowels(word) else len(key) > 2


def sound_hashes(words: Sequence[str]) -> tuple[IntArray, IntArray]:
    """The hashes of the ``sound_blocks`` of words, and the place of the word that each is of.

    Words that do not consist of letters have none.
    """
    keys = sound_keys(words)
    sizes = np.array(
        [len(k) if _tells(w, k) and is_word(w) else 0 for w, k in zip(words, keys, strict=True)],
        np.int64,
    )
    hashes: list[IntArray] = [np.empty(0, np.uint32)]
    places: list[IntArray] = [np.empty(0, np.int32)]
    for size in np.unique(sizes[sizes > 0]).tolist():
        chosen = np.flatnonzero(sizes == size).astype(np.int32)
        if size <= LONGEST_AT_ONCE:
            letters = "".join([keys[place] for place in chosen.tolist()]).encode()
            found = _checksums(np.frombuffer(letters, np.uint8).reshape(-1, size).T.copy())
        else:
            blocks = [sound_blocks(words[place]) for place in chosen.tolist()]
            found = [
                np.array([crc32(block.encode()) for block in each], np.uint32)
                for each in zip(*blocks, strict=True)
            ]
        hashes += found
        places += [chosen] * len(found)
    return np.concatenate(hashes), np.concatenate(places)


def _checksums(letters: IntArray) -> list[IntArray]:
    """CRC-32 of words of one length, then of these without their first letter, their second ...

    The letters of a word stand in a column. Words too short to lose a letter are taken whole.
    """
    before: IntArray = np.full(letters.shape[1], 0xFFFFFFFF, np.uint32)
    found = []
    for left_out in range(len(letters)):
        checksum = before
        for letter in letters[left_out + 1 :]:
            checksum = _followed(checksum, letter)
        found.append(~checksum)
        before = _followed(before, letters[left_out])
    return [~before, *found] if len(letters) >= FORGIVING else [~before]


def _followed(checksum: IntArray, letter: IntArray) -> IntArray:
    followed: IntArray = _STEPS[(checksum ^ letter) & 0xFF] ^ (checksum >> 8)
    return followed
