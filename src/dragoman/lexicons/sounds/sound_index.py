"""A vocabulary by sound: the words that may be the same name as a given one.

Candidates share a block of consonants with the word. They are compared by compiled code, or by
``neighbours.same_names`` where compilation is off; the results are equal.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from hashlib import blake2b
from operator import itemgetter
from types import ModuleType
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dragoman import compilation
from dragoman.lexicons.sounds.blocks import block_hashes, has_sound, is_word, sound_blocks
from dragoman.lexicons.sounds.neighbours import (
    OTHER_SOUND,
    SAME_CONSONANTS,
    SAME_NAME,
    Neighbour,
    same_names,
)
from dragoman.lexicons.sounds.transliteration import (
    has_vowels,
    romanised,
    sound_key,
    sound_keys,
)
from dragoman.storage.packed_strings import PackedStrings, code_points

CACHED_LOOKUPS = 1 << 14
LONGEST_COMPARED = 64  # letters, one bit each; longer words are left to ``same_names``
MOST_DIGITS = 19  # of a number of 64 bits
COMPARED = ("letters", "starts", "keys", "vowelless", "alphabet", "hashes", "places")
# above .6, because rapidfuzz excludes a similarity of exactly .6
SAME_SOUND_THRESHOLDS = np.array([SAME_NAME, np.nextafter(SAME_CONSONANTS, 1.0)])
OTHER_SOUND_THRESHOLDS = np.array([OTHER_SOUND + SAME_NAME, OTHER_SOUND + SAME_CONSONANTS])

_SOUND_DIGITS = str.maketrans("fklmnprst", "123456789")


def _kernel() -> ModuleType:
    """The compiled module, imported on first use: numba takes half a second to import."""
    from dragoman.lexicons.sounds import similarity  # noqa: PLC0415

    return similarity


def key_number(key: str) -> int:
    """A sound key as a number of 64 bits: its sounds as digits, or a hash of too many."""
    if len(key) > MOST_DIGITS:
        return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "little")
    return int(key.translate(_SOUND_DIGITS) or "0")


def sound_arrays(words: Iterable[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a ``SoundIndex`` over distinct words; those without a sound are left out.

    ``offsets`` and ``content`` are the words, sorted by sound key, so that the words of a block
    are close together; ``letters`` from ``starts`` their Latin letters as positions in the
    ``alphabet``; ``keys`` their sound numbers; ``vowelless`` flags scripts that do not write
    vowels, empty if no word is in one; ``hashes`` the blocks, ascending, and ``places`` the row of
    each block's word.
    """
    candidates = sorted(filter(is_word, words))
    numbered = [
        (key_number(key), word, key)
        for word, key in zip(candidates, sound_keys(candidates), strict=True)
        if has_sound(word, key)
    ]
    numbered.sort(key=itemgetter(0))
    listed = [word for _, word, _ in numbered]
    packed = PackedStrings.pack(listed)
    latin = [romanised(word) for word in listed]
    starts = np.zeros(len(latin) + 1, np.int64)
    np.cumsum([len(word) for word in latin], out=starts[1:])
    alphabet, letters = np.unique(code_points("".join(latin)), return_inverse=True)
    vowelless = np.array([not has_vowels(word) for word in listed], dtype=np.bool_)
    hashes, rows = block_hashes([key for _, _, key in numbered])
    order = np.lexsort((rows, hashes))
    return {
        "offsets": packed.offsets,
        "content": packed.content,
        "letters": letters.astype(np.uint16),
        "starts": starts,
        "keys": np.array([number for number, _, _ in numbered], dtype=np.uint64),
        "vowelless": vowelless if vowelless.any() else vowelless[:0],
        "alphabet": alphabet.astype(np.uint32),
        "hashes": hashes[order],
        "places": rows[order],
    }


class SoundIndex:
    """Words by sound; the arrays are those of ``sound_arrays``."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.words = PackedStrings(arrays["offsets"], arrays["content"])
        self._arrays = arrays
        self.same_names = lru_cache(CACHED_LOOKUPS)(self._same_names)

    def _same_names(self, word: str) -> list[Neighbour]:
        """The words that may be the same name, most similar first."""
        blocks = sound_blocks(word) if is_word(word) else ()
        if not blocks or not len(self.words):
            return []
        wanted = np.array([crc32(block.encode()) for block in blocks], dtype=np.uint32)
        hashes = self._arrays["hashes"]
        firsts, lasts = np.searchsorted(hashes, wanted), np.searchsorted(hashes, wanted, "right")
        latin = romanised(word)
        if not compilation.is_enabled() or len(latin) > LONGEST_COMPARED:
            spans = zip(firsts.tolist(), lasts.tolist(), strict=True)
            near = {row for a, b in spans for row in self._arrays["places"][a:b].tolist()}
            return same_names(word, {self.words[row] for row in near})
        rows, similarities = _kernel().similar_rows(
            wanted,
            code_points(latin),
            has_vowels(word),
            key_number(sound_key(word)),
            int((lasts - firsts).sum()),
            SAME_SOUND_THRESHOLDS,
            OTHER_SOUND_THRESHOLDS,
            *self._compared,
        )
        pairs = zip(rows.tolist(), similarities.tolist(), strict=True)
        names = [(self.words[row], similarity) for row, similarity in pairs]
        return sorted(names, key=lambda neighbour: (-neighbour[1], neighbour[0]))

    @cached_property
    def _compared(self) -> tuple[NDArray[Any], ...]:
        is_vowel = np.isin(self._arrays["alphabet"], code_points("aeiouy"))
        return (*(self._arrays[name] for name in COMPARED), is_vowel)
