"""Many strings on disk as two arrays, their bytes and where each begins; mapped when loaded."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Self

import numpy as np

from dragoman.types import IntArray


@dataclass(frozen=True)
class Strings:
    """Strings numbered from 0."""

    offsets: IntArray  # int64, one more than there are strings
    content: IntArray  # uint8, UTF-8

    @classmethod
    def pack(cls, strings: Iterable[str]) -> Self:
        """The strings in their order."""
        encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(string) for string in encoded], out=offsets[1:])
        return cls(offsets, np.frombuffer(b"".join(encoded), dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> str:
        start, end = self._places[number], self._places[number + 1]
        return str(self._bytes[start:end], "utf-8", "surrogatepass")

    @cached_property
    def _bytes(self) -> memoryview:  # a slice of one costs a fifth of an array's
        return self.content.data

    @cached_property
    def _places(self) -> memoryview:
        return self.offsets.data

    def __iter__(self) -> Iterator[str]:
        content, offsets = self.content.tobytes(), self.offsets.tolist()
        for start, end in pairwise(offsets):
            yield content[start:end].decode("utf-8", "surrogatepass")

    @cached_property
    def numbers(self) -> dict[str, int]:
        """String -> number."""
        return {string: number for number, string in enumerate(self)}

    def save(self, folder: Path, name: str) -> None:
        """Write ``name.offsets.npy`` and ``name.content.npy``."""
        np.save(folder / f"{name}.offsets.npy", self.offsets)
        np.save(folder / f"{name}.content.npy", self.content)

    @classmethod
    def load(cls, folder: Path, name: str) -> Self:
        """The strings that ``save`` wrote under ``name``."""
        return cls(
            np.load(folder / f"{name}.offsets.npy", mmap_mode="r"),
            np.load(folder / f"{name}.content.npy", mmap_mode="r"),
        )
