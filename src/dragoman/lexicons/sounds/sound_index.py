"""A vocabulary by its sound: which of its words may be the same name as a given one.

Candidates share a block of consonants with the word. They are compared by compiled code, or by
``neighbours.same_names`` where a process does without; the answers are the same.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from hashlib import blake2b
from types import ModuleType
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dragoman import compilation
from dragoman.lexicons.sounds.blocks import is_word, sound_blocks, sound_hashes
from dragoman.lexicons.sounds.neighbours import (
    OTHER_SOUND,
    SAME_CONSONANTS,
    SAME_NAME,
    Neighbour,
    same_names,
)
from dragoman.lexicons.sounds.transliteration import has_vowels, romanised, sound_key
from dragoman.storage.packed_strings import PackedStrings
from dragoman.types import IntArray

CACHED_ANSWERS = 1 << 14
LONGEST_COMPARED = 64  # letters, one bit each; longer words are left to ``same_names``
MOST_DIGITS = 19  # of a number of 64 bits
COMPARED = ("letters", "starts", "keys", "vowelless", "alphabet", "hashes", "places")
# above .6, because rapidfuzz leaves out what is exactly as alike as that
LEAST_ALIKE = np.array([SAME_NAME, np.nextafter(SAME_CONSONANTS, 1.0)])
SURELY_ALIKE = np.array([OTHER_SOUND + SAME_NAME, OTHER_SOUND + SAME_CONSONANTS])

_SOUND_DIGITS = str.maketrans("fklmnprst", "123456789")


def _kernel() -> ModuleType:
    """The compiled loop; numba takes half a second to import."""
    from dragoman.lexicons.sounds import similarity  # noqa: PLC0415

    return similarity


def _codes(text: str) -> IntArray:
    """The code points of its letters."""
    return np.frombuffer(bytearray(text, "utf-32-le", "surrogatepass"), dtype=np.uint32)


def sound_number(word: str) -> int:
    """The word's sound key as a number of 64 bits: its sounds as digits, or a hash of too many."""
    key = sound_key(word)
    if len(key) > MOST_DIGITS:
        return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "little")
    return int(key.translate(_SOUND_DIGITS) or "0")


def sound_arrays(words: Iterable[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a ``SoundIndex`` over distinct words; those without a sound are left out.

    ``offsets`` and ``content`` are the words, in the order of their sound keys, so that those of a
    block lie close together; ``letters`` from ``starts`` their Latin letters as places in the
    ``alphabet``; ``keys`` their sound numbers; ``vowelless`` those in scripts that leave vowels
    unwritten, empty where there is none; ``hashes`` the blocks, rising, with ``places`` of words.
    """
    listed = sorted(word for word in words if is_word(word) and sound_blocks(word))
    listed.sort(key=sound_number)
    packed = PackedStrings.pack(listed)
    latin = [romanised(word) for word in listed]
    starts = np.zeros(len(latin) + 1, np.int64)
    np.cumsum([len(word) for word in latin], out=starts[1:])
    alphabet, letters = np.unique(_codes("".join(latin)), return_inverse=True)
    vowelless = np.array([not has_vowels(word) for word in listed], dtype=np.bool_)
    hashes, places = sound_hashes(listed)
    order = np.lexsort((places, hashes))
    return {
        "offsets": packed.offsets,
        "content": packed.content,
        "letters": letters.astype(np.uint16),
        "starts": starts,
        "keys": np.array([sound_number(word) for word in listed], dtype=np.uint64),
        "vowelless": vowelless if vowelless.any() else vowelless[:0],
        "alphabet": alphabet.astype(np.uint32),
        "hashes": hashes[order].astype(np.uint32),
        "places": places[order].astype(np.int32),
    }


class SoundIndex:
    """Words by sound; the arrays are those of ``sound_arrays``."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.words = PackedStrings(arrays["offsets"], arrays["content"])
        self._arrays = arrays
        self.same_names = lru_cache(CACHED_ANSWERS)(self._same_names)

    def _same_names(self, word: str) -> list[Neighbour]:
        """The words that may be the same name, most alike first."""
        blocks = sound_blocks(word) if is_word(word) else ()
        if not blocks or not len(self.words):
            return []
        wanted = np.array([crc32(block.encode()) for block in blocks], dtype=np.uint32)
        hashes = self._arrays["hashes"]
        firsts, lasts = np.searchsorted(hashes, wanted), np.searchsorted(hashes, wanted, "right")
        latin = romanised(word)
        if not compilation.is_enabled() or len(latin) > LONGEST_COMPARED:
            spans = zip(firsts.tolist(), lasts.tolist(), strict=True)
            near = {p for a, b in spans for p in self._arrays["places"][a:b].tolist()}
            return same_names(word, {self.words[place] for place in near})
        places, alike = _kernel().alike(
            wanted,
            _codes(latin),
            has_vowels(word),
            sound_number(word),
            int((lasts - firsts).sum()),
            LEAST_ALIKE,
            SURELY_ALIKE,
            *self._compared,
        )
        pairs = zip(places.tolist(), alike.tolist(), strict=True)
        named = [(self.words[place], likeness) for place, likeness in pairs]
        return sorted(named, key=lambda neighbour: (-neighbour[1], neighbour[0]))

    @cached_property
    def _compared(self) -> tuple[NDArray[Any], ...]:
        vowels = np.isin(self._arrays["alphabet"], _codes("aeiouy"))
        return (*(self._arrays[name] for name in COMPARED), vowels)
