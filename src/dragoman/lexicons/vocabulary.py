"""The words of one language in a fixed order, and the way back from a word to its number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dragoman.types import IntArray

ABSENT = -1


@dataclass(frozen=True)
class Vocabulary:
    """Words numbered from 0; ``ids`` finds a word's number."""

    words: tuple[str, ...]

    @cached_property
    def ids(self) -> dict[str, int]:
        """Word -> number."""
        return {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.ids

    def __getitem__(self, number: int) -> str:
        return self.words[number]

    def ids_of(self, words: Sequence[str]) -> IntArray:
        """The number of every word, ``ABSENT`` for one that is not here."""
        find = self.ids.get
        return np.fromiter((find(word, ABSENT) for word in words), np.int32, len(words))

    def extended(self, words: Sequence[str]) -> "Vocabulary":
        """The words here and, after them, those of ``words`` that are new, in their order."""
        new = dict.fromkeys(word for word in words if word not in self.ids)
        return Vocabulary((*self.words, *new))
