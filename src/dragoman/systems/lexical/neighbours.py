"""A word and a vocabulary -> the words in it that are spelt, or sound, most like it.

Candidates come from small blocks (the same beginning, the same end, the same consonants but one),
so that a look-up costs microseconds whatever the vocabulary's size; ``rapidfuzz`` compares inside.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self
from zlib import crc32

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from dragoman.systems.lexical.transliteration import has_vowels, romanised, sound_key, unvowelled
from dragoman.text.strings import Strings
from dragoman.types import IntArray

SHORTEST = 4  # letters; below that, chance resembles too much
SHARED = 4  # letters that beginnings or ends must share
FORGIVING = 3  # consonants that a name needs before one of them may differ
LARGEST_BLOCK = 500

# How alike words must be, as the share of letters that need not be added or taken away.
SAME_WORD, SAME_NAME, SAME_CONSONANTS = 0.75, 0.65, 0.6
OTHER_SOUND = 0.1  # more is asked of words whose consonants sound different

Blocks = Callable[[str], Sequence[str]]
Neighbour = tuple[str, float]  # a word, and how alike it is: 1 is equal


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

    def with_more(self, words: Collection[str], blocks: Mapping[str, Sequence[str]]) -> Self:
        """The same with new words, whose blocks are known."""
        number = {word: place for place, word in enumerate(words, start=len(self.words))}
        sizes = np.array([len(members) for members in blocks.values()], dtype=np.int64)
        named = np.array([crc32(block.encode()) for block in blocks], dtype=np.uint32).repeat(sizes)
        members = np.array([number[w] for each in blocks.values() for w in each], dtype=np.int32)
        hashes = np.concatenate([self.hashes, named])
        numbers = np.concatenate([self.numbers, members])
        order = np.lexsort((numbers, hashes))
        together = Strings.pack([*self.words, *words])
        return type(self)(together, self.blocks, hashes[order], numbers[order])

    @cached_property
    def _listed(self) -> list[str]:
        """The words decoded, once, because look-ups read hundreds of them."""
        return list(self.words)

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
        return {self._listed[number] for number in numbers}

    def save(self, folder: Path, name: str) -> None:
        """Write the blocks; the words are kept elsewhere."""
        np.save(folder / f"{name}.hashes.npy", self.hashes)
        np.save(folder / f"{name}.numbers.npy", self.numbers)

    @classmethod
    def load(cls, folder: Path, name: str, words: Strings, blocks: Blocks) -> Self:
        """What ``save`` wrote, mapped into memory."""
        hashes = np.load(folder / f"{name}.hashes.npy", mmap_mode="r")
        return cls(words, blocks, hashes, np.load(folder / f"{name}.numbers.npy", mmap_mode="r"))


def is_word(word: str) -> bool:
    """Whether it can be compared by its letters."""
    return word.isalpha() or not any(map(str.isdigit, word))


def spelling_blocks(word: str) -> Sequence[str]:
    """Its beginning and its end: inflection changes one of them."""
    if len(word) < SHORTEST:
        return ()
    return (f"{word[:SHARED]}-", f"-{word[-SHARED:]}")


def sound_blocks(word: str) -> Sequence[str]:
    """Its consonants, then all of them but one: what a name keeps when it is written elsewhere."""
    key = sound_key(word)
    enough = len(key) > 1 and len(word) >= SHORTEST if has_vowels(word) else len(key) > 2
    if not enough:
        return ()
    if len(key) < FORGIVING:
        return (key,)
    return tuple(dict.fromkeys([key, *(key[:n] + key[n + 1 :] for n in range(len(key)))]))


def nearest_spelling(word: str, candidates: Collection[str]) -> tuple[str, float] | None:
    """The candidate spelt most like ``word``, and how alike they are (1 is equal)."""
    found = _alike(word, {candidate: candidate for candidate in candidates}, SAME_WORD)
    return found[0] if found else None


def nearest_names(word: str, candidates: Collection[str], most: int = 3) -> list[Neighbour]:
    """Up to ``most`` candidates that may be the same name in any script, most alike first.

    Letters are compared in Latin script; consonants alone where a script leaves vowels unwritten.
    Where the consonants sound different, more letters must be equal.
    """
    latin, vowels = romanised(word), has_vowels(word)
    written, bare = {}, {}
    for other in candidates:
        if vowels and has_vowels(other):
            written[other] = other if other.isascii() else romanised(other)
        else:
            bare[other] = unvowelled(romanised(other))
    found = _alike(latin, written, SAME_NAME) + _alike(unvowelled(latin), bare, SAME_CONSONANTS)
    key = sound_key(word)
    sure = [
        (other, alike)
        for other, alike in found
        if sound_key(other) == key
        or alike >= OTHER_SOUND + (SAME_NAME if other in written else SAME_CONSONANTS)
    ]
    return sorted(sure, key=lambda neighbour: (-neighbour[1], neighbour[0]))[:most]


def _alike(word: str, written: Mapping[str, str], least: float) -> list[Neighbour]:
    """The words whose written form shares at least ``least`` of its letters with ``word``'s."""
    scored = process.extract(
        word,
        written,
        scorer=Indel.normalized_similarity,
        processor=None,
        score_cutoff=least,
        limit=None,
    )
    found = [(other, float(alike)) for _, alike, other in scored]
    return sorted(found, key=lambda neighbour: (-neighbour[1], neighbour[0]))
