"""A word and a vocabulary -> the words in it that are spelt, or sound, most like it.

Candidates come from small blocks (the same beginning, the same end, the same consonants but one),
so that a look-up costs microseconds whatever the vocabulary's size; ``rapidfuzz`` compares inside.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self
from zlib import crc32

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from dragoman.systems.lexical.blocks import SHORTEST, is_word, sound_blocks, sound_hashes
from dragoman.systems.lexical.transliteration import has_vowels, romanised, sound_key, unvowelled
from dragoman.text.strings import Strings
from dragoman.types import IntArray

SHARED = 4  # letters that beginnings or ends must share
LARGEST_BLOCK = 500

# How alike words must be, as the share of letters that need not be added or taken away.
SAME_WORD, SAME_NAME, SAME_CONSONANTS = 0.75, 0.65, 0.6
OTHER_SOUND = 0.1  # more is asked of words whose consonants sound different

Neighbour = tuple[str, float]  # a word, and how alike it is: 1 is equal


@dataclass(frozen=True)
class Neighbours:
    """The words of a vocabulary by the blocks of sounds that they stand in."""

    words: Strings
    hashes: IntArray  # uint32, rising: of the blocks; words of other blocks are told by comparing
    numbers: IntArray  # int32, of the word in the block

    @classmethod
    def of(cls, words: Strings) -> Self:
        """The neighbourhoods of ``words``, of those that consist of letters."""
        return cls(words, *_rising(*sound_hashes(list(words))))

    def with_more(self, words: Sequence[str]) -> Self:
        """The same with new words."""
        hashes, places = sound_hashes(words)
        hashes = np.concatenate([self.hashes, hashes])
        numbers = np.concatenate([self.numbers, places + np.int32(len(self.words))])
        return type(self)(Strings.pack([*self.words, *words]), *_rising(hashes, numbers))

    @cached_property
    def _listed(self) -> list[str]:
        """The words decoded, once, because look-ups read hundreds of them."""
        return list(self.words)

    def candidates(self, word: str) -> set[str]:
        """The words that share a block with ``word``."""
        if not is_word(word):
            return set()
        wanted = np.array([crc32(block.encode()) for block in sound_blocks(word)], dtype=np.uint32)
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
    def load(cls, folder: Path, name: str, words: Strings) -> Self:
        """What ``save`` wrote, mapped into memory."""
        hashes = np.load(folder / f"{name}.hashes.npy", mmap_mode="r")
        return cls(words, hashes, np.load(folder / f"{name}.numbers.npy", mmap_mode="r"))


class Spellings:
    """The words of a vocabulary by their beginnings and ends: inflection changes one of them."""

    def __init__(self, words: Iterable[str]) -> None:
        self._beginnings: defaultdict[str, list[str]] = defaultdict(list)
        self._ends: defaultdict[str, list[str]] = defaultdict(list)
        for word in words:
            if len(word) >= SHORTEST and is_word(word):
                self._beginnings[word[:SHARED]].append(word)
                self._ends[word[-SHARED:]].append(word)

    def candidates(self, word: str) -> set[str]:
        """The words that begin or end like ``word``; of too many, the first."""
        if len(word) < SHORTEST or not is_word(word):
            return set()
        beginning = self._beginnings.get(word[:SHARED], ())
        end = self._ends.get(word[-SHARED:], ())
        return {*beginning[:LARGEST_BLOCK], *end[:LARGEST_BLOCK]}


def _rising(hashes: IntArray, numbers: IntArray) -> tuple[IntArray, IntArray]:
    """By hash, then by number."""
    both = hashes.astype(np.uint64) << np.uint64(32) | numbers.astype(np.uint64)
    both.sort()
    return (both >> np.uint64(32)).astype(np.uint32), both.astype(np.uint32).astype(np.int32)


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
