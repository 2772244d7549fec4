"""A word against the words of its blocks: compiled, bit-parallel, with ``rapidfuzz``'s numbers.

Words are compared by the letters that they share in order (the longest common subsequence): all of
a word's letters are bits of one number, and one step takes one letter of the other word (Hyyrö
2004). Written here because ``rapidfuzz`` takes strings, and making hundreds of them for each word
that is looked up costs ten times as much as comparing them.
"""

import numpy as np
from numba import boolean, float64, int32, int64, njit, types, uint16, uint32, uint64
from numpy.typing import NDArray

from dragoman.types import FloatArray, IntArray

BoolArray = NDArray[np.bool_]
READ = {  # arrays may be mapped from files, where nobody writes to them
    kind: types.Array(kind, 1, "C", readonly=True)
    for kind in (boolean, int32, int64, uint16, uint32, uint64, float64)
}

SLACK = 1e-9  # of what is only a first sight; the share itself is compared exactly
VOWELS = tuple(ord(letter) for letter in "aeiouy")


@njit(int64(READ[uint32], uint32), cache=True, nogil=True)
def _first_at_least(rising: IntArray, wanted: np.uint32) -> int:
    low, high = 0, len(rising)
    while low < high:
        middle = (low + high) >> 1
        if rising[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit(uint32[::1](READ[uint32]), cache=True, nogil=True)
def _without_vowels(word: IntArray) -> IntArray:
    """The word's letters but a, e, i, o, u and y."""
    kept = np.empty_like(word)
    size = 0
    for letter in word:
        if letter not in VOWELS:
            kept[size] = letter
            size += 1
    return kept[:size]


@njit(uint64[::1](READ[uint32], READ[uint32]), cache=True, nogil=True)
def _places(word: IntArray, alphabet: IntArray) -> IntArray:
    """For every letter of the alphabet, the bits of the places where the word has it."""
    places = np.zeros(len(alphabet), dtype=np.uint64)
    for place in range(len(word)):
        letter = _first_at_least(alphabet, word[place])
        if letter < len(alphabet) and alphabet[letter] == word[place]:
            places[letter] |= np.uint64(1) << np.uint64(place)
    return places


@njit(int64(uint64), cache=True, nogil=True)
def _ones(bits: np.uint64) -> int:
    """How many bits are set, added up in pairs, fours and bytes."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    fours = np.uint64(0x3333333333333333)
    bits = (bits & fours) + ((bits >> np.uint64(2)) & fours)
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(int64(READ[uint64], READ[uint16], int64, int64), cache=True, nogil=True)
def _shared(places: IntArray, letters: IntArray, start: int, end: int) -> int:
    """How many letters ``letters[start:end]`` shares in order with the word of ``places``."""
    free = ~np.uint64(0)
    for place in range(np.uint64(start), np.uint64(end)):
        met = free & places[letters[place]]
        free = (free + met) | (free - met)
    return _ones(~free)


@njit(int64(READ[uint16], int64, int64, READ[boolean]), cache=True, nogil=True)
def _consonants_in(letters: IntArray, start: int, end: int, vowels: BoolArray) -> int:
    count = 0
    for place in range(start, end):
        count += not vowels[letters[place]]
    return count


@njit(
    types.Tuple((int32[::1], float64[::1]))(  # type: ignore[no-untyped-call]
        READ[uint32],
        READ[uint32],
        boolean,
        uint64,
        int64,
        READ[float64],
        READ[float64],
        READ[uint16],
        READ[int64],
        READ[uint64],
        READ[boolean],
        READ[uint32],
        READ[uint32],
        READ[int32],
        READ[boolean],
    ),
    cache=True,
    nogil=True,
)
def alike(
    blocks: IntArray,
    word: IntArray,
    has_vowels: bool,
    key: np.uint64,
    room: int,
    least: FloatArray,
    surely: FloatArray,
    letters: IntArray,
    starts: IntArray,
    keys: IntArray,
    vowelless: BoolArray,
    alphabet: IntArray,
    hashes: IntArray,
    places: IntArray,
    vowels: BoolArray,
) -> tuple[IntArray, FloatArray]:
    """The words in ``blocks`` that may be the same name, and how alike they are.

    ``room`` is the number of words in the blocks. Vowels count where both scripts write them;
    ``least`` and ``surely`` hold what is required of words that sound the same and of others, with
    vowels and without. ``vowels`` are the letters of the alphabet that are left out; the other
    arrays are those of ``sound_index.SoundIndex``.
    """
    found, likeness = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.float64)
    consonants = _without_vowels(word)
    whole, bones = _places(word, alphabet), _places(consonants, alphabet)
    size = 0
    for block in blocks:
        for entry in range(_first_at_least(hashes, block), len(hashes)):
            if hashes[entry] != block:
                break
            place = places[entry]
            start, end = starts[place], starts[place + 1]
            required = least if keys[place] == key else surely
            if not has_vowels or (len(vowelless) > 0 and vowelless[place]):
                needed, shared = required[1], _shared(bones, letters, start, end)
                both = len(consonants) + _consonants_in(letters, start, end, vowels)
            else:
                needed, both = required[0], len(word) + end - start
                if 2 * min(len(word), end - start) < both * needed - SLACK:
                    continue  # too long or too short, whatever its letters
                shared = _shared(whole, letters, start, end)
            if 2 * shared < both * needed - SLACK:
                continue
            share = 1.0 - (both - 2 * shared) / both
            if share >= needed and place not in found[:size]:
                found[size], likeness[size] = place, share
                size += 1
    return found[:size].copy(), likeness[:size].copy()
