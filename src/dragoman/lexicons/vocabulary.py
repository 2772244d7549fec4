"""The words of one language in a fixed order, and the id of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dragoman.types import IntArray

ABSENT = -1


@dataclass(frozen=True)
class Vocabulary:
    """Words with ids from 0."""

    words: tuple[str, ...]

    @cached_property
    def ids(self) -> dict[str, int]:
        """Word -> id."""
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
        """The id of every word, ``ABSENT`` for an unknown one."""
        return lookup(self.ids, words, np.int32)

    def extended(self, words: Sequence[str]) -> "Vocabulary":
        """All words here, followed by the new ones of ``words`` in their order."""
        new = dict.fromkeys(word for word in words if word not in self.ids)
        return Vocabulary((*self.words, *new))


def lookup(ids: Mapping[str, int], words: Sequence[str], dtype: type[np.integer[Any]]) -> IntArray:
    """The id of every word as an array, ``ABSENT`` for an unknown one."""
    find = ids.get
    return np.fromiter((find(word, ABSENT) for word in words), dtype, len(words))
