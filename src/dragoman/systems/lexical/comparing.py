"""A word against the words of its blocks: compiled, bit-parallel, with ``rapidfuzz``'s numbers.

Words are compared by the letters that they share in order (the longest common subsequence): all of
a word's letters are bits of one number, and one step takes one letter of the other word (Hyyrö
2004). Written here because ``rapidfuzz`` takes strings, and making hundreds of them for each word
that is looked up costs ten times as much as comparing them.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dragoman.types import FloatArray, IntArray

BoolArray = NDArray[np.bool_]

SLACK = 1e-9  # of what is only a first sight; the share itself is compared exactly
VOWELS = tuple(ord(letter) for letter in "aeiouy")


@njit("int64(uint32[::1], uint32)", cache=True, nogil=True)
def _first_at_least(rising: IntArray, wanted: np.uint32) -> int:
    low, high = 0, len(rising)
    while low < high:
        middle = (low + high) >> 1
        if rising[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit("uint32[::1](uint32[::1])", cache=True, nogil=True)
def _without_vowels(word: IntArray) -> IntArray:
    """The word's letters but a, e, i, o, u and y."""
    kept = np.empty_like(word)
    size = 0
    for letter in word:
        if letter not in VOWELS:
            kept[size] = letter
            size += 1
    return kept[:size]


@njit("uint64[::1](uint32[::1], uint32[::1])", cache=True, nogil=True)
def _places(word: IntArray, alphabet: IntArray) -> IntArray:
    """For every letter of the alphabet, the bits of the places where the word has it."""
    places = np.zeros(len(alphabet), dtype=np.uint64)
    for place in range(len(word)):
        letter = _first_at_least(alphabet, word[place])
        if letter < len(alphabet) and alphabet[letter] == word[place]:
            places[letter] |= np.uint64(1) << np.uint64(place)
    return places


@njit("int64(uint64)", cache=True, nogil=True)
def _ones(bits: np.uint64) -> int:
    """How many bits are set, added up in pairs, fours and bytes."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    fours = np.uint64(0x3333333333333333)
    bits = (bits & fours) + ((bits >> np.uint64(2)) & fours)
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit("int64(uint64[::1], uint16[::1], int64, int64)", cache=True, nogil=True)
def _shared(places: IntArray, letters: IntArray, start: int, end: int) -> int:
    """How many letters ``letters[start:end]`` shares in order with the word of ``places``."""
    free = ~np.uint64(0)
    for place in range(np.uint64(start), np.uint64(end)):
        met = free & places[letters[place]]
        free = (free + met) | (free - met)
    return _ones(~free)


@njit("int64(uint16[::1], int64, int64, boolean[::1])", cache=True, nogil=True)
def _consonants_in(letters: IntArray, start: int, end: int, vowels: BoolArray) -> int:
    count = 0
    for place in range(start, end):
        count += not vowels[letters[place]]
    return count


@njit("int64(int32[::1], float64[::1], int64, float64)", cache=True, nogil=True)
def _drop_below(found: IntArray, likeness: FloatArray, size: int, least: float) -> int:
    """Drop words that are less alike than ``least``; the answer is how many are left."""
    kept = 0
    for place in range(size):
        if likeness[place] >= least:
            found[kept], likeness[kept] = found[place], likeness[place]
            kept += 1
    return kept


@njit("void(float64[::1], float64)", cache=True, nogil=True)
def _insert(falling: FloatArray, value: float) -> None:
    """Put the value in its place; the last one goes."""
    place = len(falling) - 1
    while place > 0 and falling[place - 1] < value:
        falling[place] = falling[place - 1]
        place -= 1
    falling[place] = max(falling[place], value)


@njit(
    "Tuple((int32[::1], float64[::1]))(uint32[::1], uint32[::1], boolean, uint64, int64, int64,"
    " float64[::1], float64[::1], int32[::1], uint16[::1], int64[::1], uint64[::1], boolean[::1],"
    " uint32[::1], uint32[::1], int32[::1], boolean[::1])",
    cache=True,
    nogil=True,
)
def alike(
    blocks: IntArray,
    word: IntArray,
    has_vowels: bool,
    key: np.uint64,
    most: int,
    room: int,
    least: FloatArray,
    surely: FloatArray,
    numbers: IntArray,
    letters: IntArray,
    starts: IntArray,
    keys: IntArray,
    vowelless: BoolArray,
    alphabet: IntArray,
    hashes: IntArray,
    places: IntArray,
    vowels: BoolArray,
) -> tuple[IntArray, FloatArray]:
    """The ``most`` words in ``blocks`` that are likeliest the same name, and how alike they are.

    There are more where the last of them is equalled; ``room`` is that for all in the blocks.
    Vowels count where both scripts write them; ``least`` and ``surely`` hold what is asked of words
    that sound the same and of others, with vowels and without. ``vowels`` are the letters of the
    alphabet that are left out; the other arrays are those of ``sounds.Sounds``.
    """
    found, likeness = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.float64)
    best = np.zeros(most, dtype=np.float64)
    consonants = _without_vowels(word)
    whole, bones = _places(word, alphabet), _places(consonants, alphabet)
    size = 0
    for block in blocks:
        for entry in range(_first_at_least(hashes, block), len(hashes)):
            if hashes[entry] != block:
                break
            place = places[entry]
            start, end = starts[place], starts[place + 1]
            asked = least if keys[place] == key else surely
            if not has_vowels or (len(vowelless) > 0 and vowelless[place]):
                needed, shared = max(asked[1], best[-1]), _shared(bones, letters, start, end)
                both = len(consonants) + _consonants_in(letters, start, end, vowels)
            else:
                needed, both = max(asked[0], best[-1]), len(word) + end - start
                if 2 * min(len(word), end - start) < both * needed - SLACK:
                    continue  # too long or too short, whatever its letters
                shared = _shared(whole, letters, start, end)
            if 2 * shared < both * needed - SLACK:
                continue
            share = 1.0 - (both - 2 * shared) / both
            if share >= needed and numbers[place] not in found[:size]:
                found[size], likeness[size] = numbers[place], share
                _insert(best, share)
                size += 1
    size = _drop_below(found, likeness, size, best[-1])
    return found[:size], likeness[:size]
