"""Strings packed into two arrays, their UTF-8 bytes and offsets, which may be mapped from disk."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dragoman.types import IntArray


@dataclass(frozen=True)
class PackedStrings:
    """Strings numbered from 0."""

    offsets: IntArray  # int64, one more than there are strings
    content: IntArray  # uint8, UTF-8

    @classmethod
    def pack(cls, strings: Iterable[str]) -> Self:
        """The strings, packed in their order."""
        encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(string) for string in encoded], out=offsets[1:])
        return cls(offsets, np.frombuffer(b"".join(encoded), dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> str:
        start, end = self._offsets[number], self._offsets[number + 1]
        return str(self._bytes[start:end], "utf-8", "surrogatepass")

    @cached_property
    def _bytes(self) -> memoryview:  # a slice costs a fifth of an array's
        return self.content.data

    @cached_property
    def _offsets(self) -> memoryview:
        return self.offsets.data

    def __iter__(self) -> Iterator[str]:
        content, offsets = self.content.tobytes(), self.offsets.tolist()
        for start, end in pairwise(offsets):
            yield content[start:end].decode("utf-8", "surrogatepass")


def code_points(text: str) -> NDArray[np.uint32]:
    """The code points of ``text``."""
    return np.frombuffer(bytearray(text, "utf-32-le", "surrogatepass"), dtype=np.uint32)
