"""The words of a fixed collection by their sound: packed when indexed, compared by compiled code.

The answers are those of ``neighbours.nearest_names`` over the words that share a block with the one
asked for; a first look-up costs microseconds instead of hundreds, because nothing is decoded or
transliterated again. Collections that change keep ``names.Names``, which needs no compiled code.
"""

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dragoman.systems.lexical.blocks import is_word, sound_blocks
from dragoman.systems.lexical.neighbours import (
    LARGEST_BLOCK,
    OTHER_SOUND,
    SAME_CONSONANTS,
    SAME_NAME,
    Neighbour,
    Neighbours,
    nearest_names,
)
from dragoman.systems.lexical.transliteration import has_vowels, romanised, sound_key
from dragoman.text.strings import Strings
from dragoman.types import IntArray

CACHED_ANSWERS = 1 << 16
LONGEST_COMPARED = 64  # letters, one bit each; longer words are left to ``nearest_names``
MOST = 3
MOST_DIGITS = 19  # of a number of 64 bits
ARRAYS = ("numbers", "letters", "starts", "keys", "vowelless", "alphabet", "hashes", "places")
# above .6, because rapidfuzz leaves out what is exactly as alike as that
LEAST_ALIKE = np.array([SAME_NAME, np.nextafter(SAME_CONSONANTS, 1.0)])
SURELY_ALIKE = np.array([OTHER_SOUND + SAME_NAME, OTHER_SOUND + SAME_CONSONANTS])

_SOUND_DIGITS = str.maketrans("fklmnprst", "123456789")


def _kernel() -> ModuleType:
    """The compiled loop; numba takes a second to import."""
    from dragoman.systems.lexical import comparing  # noqa: PLC0415

    return comparing


def _codes(text: str) -> IntArray:
    """The code points of its letters."""
    return np.frombuffer(bytearray(text, "utf-32-le", "surrogatepass"), dtype=np.uint32)


def sound_number(word: str) -> int:
    """The word's sound key as a number of 64 bits: its sounds as digits, or a hash of too many."""
    key = sound_key(word)
    if len(key) > MOST_DIGITS:
        return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "little")
    return int(key.translate(_SOUND_DIGITS) or "0")


@dataclass(frozen=True)
class Sounds:
    """Words as places of letters in an alphabet, and the blocks of sounds that they stand in.

    Words stand in the order of their sound keys, so that those of a block lie close together.
    """

    words: Strings
    numbers: IntArray  # int32, of the word at each place in that order
    letters: IntArray  # uint16, of the words in Latin script, all in a row
    starts: IntArray  # int64, of each word's letters
    keys: IntArray  # uint64, each word's ``sound_number``
    vowelless: NDArray[np.bool_]  # the words in scripts that leave vowels unwritten; may be empty
    alphabet: IntArray  # uint32, rising: code points
    hashes: IntArray  # uint32, rising: of the blocks
    places: IntArray  # int32, of a word in the block, rising within it

    @classmethod
    def of(cls, words: Strings) -> Self:
        """The words by sound."""
        listed = list(words)
        keys = np.array([sound_number(word) for word in listed], dtype=np.uint64)
        numbers = np.argsort(keys, kind="stable").astype(np.int32)
        ordered = [listed[number] for number in numbers.tolist()]
        latin = [romanised(word) for word in ordered]
        lengths = np.array([len(word) for word in latin], dtype=np.int64)
        alphabet, letters = np.unique(_codes("".join(latin)), return_inverse=True)
        vowelless = np.array([not has_vowels(word) for word in ordered], dtype=np.bool_)
        return cls(
            words,
            numbers,
            letters.astype(np.uint16),
            np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)]),
            keys[numbers],
            vowelless if vowelless.any() else vowelless[:0],
            alphabet,
            *_blocks(words, numbers),
        )

    def nearest(self, word: str) -> list[Neighbour]:
        """The words that may be the same name, most alike first."""
        found = self._answers.get(word)
        if found is None:
            if len(self._answers) >= CACHED_ANSWERS:
                self._answers.clear()
            found = self._answers[word] = self._nearest(word)
        return found

    @cached_property
    def _answers(self) -> dict[str, list[Neighbour]]:
        return {}

    def _nearest(self, word: str) -> list[Neighbour]:
        blocks = sound_blocks(word) if is_word(word) else ()
        latin = romanised(word)
        if not blocks:
            return []
        wanted = np.array([crc32(block.encode()) for block in blocks], dtype=np.uint32)
        if len(latin) > LONGEST_COMPARED:
            shared = self.numbers[self.places[np.isin(self.hashes, wanted)]]
            return nearest_names(word, {self.words[number] for number in shared.tolist()}, MOST)
        numbers, alike = _kernel().alike(
            wanted,
            _codes(latin),
            has_vowels(word),
            sound_number(word),
            MOST,
            len(blocks) * LARGEST_BLOCK,
            LEAST_ALIKE,
            SURELY_ALIKE,
            *self._compared,
        )
        pairs = zip(numbers.tolist(), alike.tolist(), strict=True)
        named = [(self.words[number], likeness) for number, likeness in pairs]
        return sorted(named, key=lambda neighbour: (-neighbour[1], neighbour[0]))[:MOST]

    @cached_property
    def _compared(self) -> tuple[NDArray[np.generic], ...]:
        """The arrays as compiled code takes them; a mapped one costs more to hand over."""
        mapped = (getattr(self, name) for name in ARRAYS)
        return (*map(np.asarray, mapped), np.isin(self.alphabet, _codes("aeiouy")))

    def save(self, folder: Path, language: str) -> None:
        """Write all but the words, which the collection keeps."""
        for array in ARRAYS:
            np.save(folder / f"names-{language or 'und'}.{array}.npy", getattr(self, array))

    @classmethod
    def load(cls, folder: Path, language: str, words: Strings) -> Self:
        """What ``save`` wrote about ``words``, mapped into memory.

        Copy-on-write, because compiled code with a signature takes no read-only array.
        """
        paths = (folder / f"names-{language or 'und'}.{array}.npy" for array in ARRAYS)
        return cls(words, *(np.load(path, mmap_mode="c") for path in paths))


def _blocks(words: Strings, numbers: IntArray) -> tuple[IntArray, IntArray]:
    """The hashes of the blocks, and the places of the words in them; large blocks are cut."""
    whole = Neighbours.of(words)
    ranks = np.arange(len(whole.hashes)) - np.searchsorted(whole.hashes, whole.hashes)
    kept = ranks < LARGEST_BLOCK
    hashes = whole.hashes[kept]
    place_of = np.empty(len(numbers), dtype=np.int32)
    place_of[numbers] = np.arange(len(numbers), dtype=np.int32)
    places = place_of[whole.numbers[kept]]
    order = np.lexsort((places, hashes))
    return hashes[order], places[order]
