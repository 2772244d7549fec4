"""Pivot words -> the pivot words that mean nearly the same, by vectors of the default encoder.

Tables contain stems, and so does this list: ``tools/build_neighbours.py`` encodes the most
frequent form of every frequent stem of the shipped tables and compares them all.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from dragoman.errors import InputError
from dragoman.lexicons.lexicon_files import (
    Tensors,
    compress,
    decompress,
    words_from_bytes,
    words_to_bytes,
)
from dragoman.lexicons.shipped_lexicons import DATA
from dragoman.types import FloatArray, IntArray

FILE = DATA / "neighbours.safetensors.zst"
VERSION = 1
STEPS = 255  # of a similarity, from 0 to 1


class WordNeighbours:
    """Words, and for each the others that are nearest to it."""

    def __init__(
        self, words: Sequence[str], neighbours: IntArray, similarities: FloatArray
    ) -> None:
        """``neighbours`` are numbers of words, one row per word, nearest first."""
        self.words, self._neighbours, self._similarities = words, neighbours, similarities
        self._numbers: Mapping[str, int] = {word: number for number, word in enumerate(words)}

    def similar_to_any(self, words: Sequence[str]) -> tuple[IntArray, FloatArray]:
        """Numbers of the neighbours of these words, the nearest first, with their similarities.

        These lie in (0, 1]. A neighbour of several words is there several times.
        """
        rows = [self._numbers[word] for word in words if word in self._numbers]
        similarities = self._similarities[rows].ravel()
        order = np.argsort(-similarities, kind="stable")[: np.count_nonzero(similarities > 0)]
        return self._neighbours[rows].ravel()[order], similarities[order]


@cache
def shipped_neighbours() -> WordNeighbours:
    """The neighbours in the package's data; read once per process."""
    return unpack_neighbours(FILE)


def pack_neighbours(words: Sequence[str], neighbours: IntArray, similarities: FloatArray) -> bytes:
    """A compressed file; equal neighbours give equal bytes."""
    levels = np.rint(np.clip(similarities, 0, 1) * STEPS).astype(np.uint8)
    numbers = np.asarray(neighbours, np.int32)
    tensors: Tensors = {
        "version": np.array([VERSION], np.uint8),
        "words": words_to_bytes(tuple(words)),
        "neighbours": np.ascontiguousarray(numbers),
        "similarities": np.ascontiguousarray(levels),
    }
    return compress(tensors)


def unpack_neighbours(path: Path) -> WordNeighbours:
    """What ``pack_neighbours`` wrote."""
    tensors = decompress(path, "packed neighbours of words")
    if (version := tensors["version"].tolist()) != [VERSION]:
        raise InputError(path, None, found=f"version {version}", expected=f"version {VERSION}")
    return WordNeighbours(
        words_from_bytes(tensors["words"]),
        tensors["neighbours"],
        tensors["similarities"].astype(np.float64) / STEPS,
    )
