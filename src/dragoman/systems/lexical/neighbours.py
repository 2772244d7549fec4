"""A word and a vocabulary -> the words in it that are spelt, or sound, most like it.

Candidates come from small blocks (the same beginning, the same end, the same consonants but one),
so that a look-up costs microseconds whatever the vocabulary's size; ``rapidfuzz`` compares inside.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from zlib import crc32

import numpy as np
from rapidfuzz.distance import Indel

from dragoman.systems.lexical.strings import Strings
from dragoman.systems.lexical.transliteration import has_vowels, romanised, sound_key, unvowelled
from dragoman.types import IntArray

SHORTEST = 4  # letters; below that, chance resembles too much
SHARED = 4  # letters that beginnings or ends must share
FORGIVING = 3  # consonants that a name needs before one of them may differ
LARGEST_BLOCK = 500

Blocks = Callable[[str], Sequence[str]]
Similarity = Callable[[str, str], float]  # 1 for equal, 0 for different


@dataclass(frozen=True)
class Neighbours:
    """The words of a vocabulary by the blocks they stand in."""

    words: Strings
    blocks: Blocks
    hashes: IntArray  # uint32, rising: of the blocks; words of other blocks are told by comparing
    numbers: IntArray  # int32, of the word in the block

    @classmethod
    def of(cls, words: Strings, blocks: Blocks) -> Self:
        """The neighbourhoods of ``words``, of those that consist of letters."""
        pairs = [
            (crc32(block.encode()), number)
            for number, word in enumerate(words)
            if is_word(word)
            for block in blocks(word)
        ]
        hashes = np.array([pair[0] for pair in pairs], dtype=np.uint32)
        numbers = np.array([pair[1] for pair in pairs], dtype=np.int32)
        order = np.argsort(hashes, kind="stable")
        return cls(words, blocks, hashes[order], numbers[order])

    def candidates(self, word: str) -> set[str]:
        """The words that share a block with ``word``."""
        if not is_word(word):
            return set()
        wanted = np.array([crc32(block.encode()) for block in self.blocks(word)], dtype=np.uint32)
        starts = np.searchsorted(self.hashes, wanted, "left")
        ends = np.searchsorted(self.hashes, wanted, "right")
        numbers: set[int] = set()
        for start, end in zip(starts, ends, strict=True):
            numbers.update(self.numbers[start : min(end, start + LARGEST_BLOCK)].tolist())
        return {self.words[number] for number in numbers}

    def save(self, folder: Path, name: str) -> None:
        """Write the blocks; the words are kept elsewhere."""
        np.save(folder / f"{name}.hashes.npy", self.hashes)
        np.save(folder / f"{name}.numbers.npy", self.numbers)

    @classmethod
    def load(cls, folder: Path, name: str, words: Strings, blocks: Blocks) -> Self:
        """What ``save`` wrote, mapped into memory."""
        hashes = np.load(folder / f"{name}.hashes.npy", mmap_mode="r")
        return cls(words, blocks, hashes, np.load(folder / f"{name}.numbers.npy", mmap_mode="r"))


def nearest_of(
    word: str, candidates: Iterable[str], similar: Similarity, most: int = 3
) -> list[tuple[str, float]]:
    """Up to ``most`` candidates with a similarity above 0, most similar first."""
    found = [
        (candidate, resemblance)
        for candidate in candidates
        if (resemblance := similar(word, candidate)) > 0
    ]
    return sorted(found, key=lambda neighbour: (-neighbour[1], neighbour[0]))[:most]


def is_word(word: str) -> bool:
    """Whether it can be compared by its letters."""
    return not any(map(str.isdigit, word))


def spelling_blocks(word: str) -> Sequence[str]:
    """Its beginning and its end: inflection changes one of them."""
    if len(word) < SHORTEST:
        return ()
    return (f"{word[:SHARED]}-", f"-{word[-SHARED:]}")


def sound_blocks(word: str) -> Sequence[str]:
    """Its consonants, and all of them but one: what a name keeps when it is written elsewhere."""
    key = sound_key(word)
    enough = len(key) > 1 and len(word) >= SHORTEST if has_vowels(word) else len(key) > 2
    if not enough:
        return ()
    if len(key) < FORGIVING:
        return (key,)
    return tuple({key, *(key[:place] + key[place + 1 :] for place in range(len(key)))})


def same_word(word: str, other: str) -> float:
    """How alike two spellings in one language are; 0 where they can hardly be one word."""
    resemblance = float(Indel.normalized_similarity(word, other))
    return resemblance if resemblance >= 0.75 else 0.0


def same_name(word: str, other: str) -> float:
    """How alike two words sound, across scripts; 0 where they can hardly be one name."""
    latin, other_latin = romanised(word), romanised(other)
    least = 0.65 if sound_key(word) == sound_key(other) else 0.75
    if not (has_vowels(word) and has_vowels(other)):
        latin, other_latin = unvowelled(latin), unvowelled(other_latin)
        least -= 0.05  # there is less to compare
    resemblance = float(Indel.normalized_similarity(latin, other_latin))
    return resemblance if resemblance >= least else 0.0
