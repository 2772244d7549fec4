"""Sentence pairs -> two packed arrays of word ids.

The arrays are written to disk while the text is read and memory-mapped afterwards, so that memory
holds the vocabulary and not the corpus.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.protocols import Advance
from dragoman.types import IntArray

BUFFERED = 1 << 20  # word ids in memory before they are written to disk


class WeightedPair(NamedTuple):
    """The words of a sentence pair, and how often it counts."""

    source: list[str]
    target: list[str]
    weight: int


class PackedTexts(NamedTuple):
    """The word ids of both sides: sentence n of a side is ``side[starts[n]:starts[n + 1]]``."""

    source: IntArray
    source_starts: IntArray
    target: IntArray
    target_starts: IntArray


@dataclass(frozen=True)
class PackedBitext:
    """Both vocabularies, sorted by falling count, then alphabetically, and the packed texts."""

    source_words: Vocabulary
    target_words: Vocabulary
    texts: PackedTexts
    weights: IntArray  # how often each sentence pair counts

    def __len__(self) -> int:
        return len(self.weights)

    def counts(self) -> tuple[IntArray, IntArray]:
        """The term frequency of each word, source and target."""
        return (
            np.bincount(self.texts.source, minlength=len(self.source_words)),
            np.bincount(self.texts.target, minlength=len(self.target_words)),
        )

    def sentence(self, number: int) -> tuple[IntArray, IntArray]:
        """The word ids of sentence pair ``number``, source and target."""
        source, source_starts, target, target_starts = self.texts
        return (
            source[slice(*source_starts[number : number + 2])],
            target[slice(*target_starts[number : number + 2])],
        )


@dataclass
class _PackedSide:
    """The growing packed text of one language."""

    path: Path
    ids: dict[str, int] = field(default_factory=dict)
    buffer: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def add(self, words: list[str]) -> None:
        ids = self.ids
        self.buffer.extend([ids.setdefault(word, len(ids)) for word in words])
        self.lengths.append(len(words))
        if len(self.buffer) >= BUFFERED:
            self.flush()

    def flush(self) -> None:
        with self.path.open("ab") as stream:
            np.array(self.buffer, dtype=np.int32).tofile(stream)
        self.buffer.clear()

    def finish(self) -> tuple[Vocabulary, IntArray, IntArray]:
        """Vocabulary, packed word ids and starts, with ids by falling count."""
        self.flush()
        packed = np.memmap(self.path, dtype=np.int32, mode="r+") if self.lengths else _EMPTY
        counts = np.bincount(packed, minlength=len(self.ids))
        words = list(self.ids)
        order = sorted(range(len(words)), key=lambda n: (-counts[n], words[n]))
        new_ids = np.empty(len(order), dtype=np.int32)
        new_ids[order] = np.arange(len(order), dtype=np.int32)
        for start in range(0, len(packed), BUFFERED):
            packed[start : start + BUFFERED] = new_ids[packed[start : start + BUFFERED]]
        starts = np.concatenate(([0], np.cumsum(self.lengths, dtype=np.int64)))
        return Vocabulary(tuple(words[n] for n in order)), packed, starts


_EMPTY = np.empty(0, dtype=np.int32)


def pack(pairs: Iterable[WeightedPair], folder: Path, advance: Advance) -> PackedBitext:
    """The analysed sentence pairs with their weights, packed into files in ``folder``."""
    source, target = _PackedSide(folder / "source.int32"), _PackedSide(folder / "target.int32")
    weights: list[int] = []
    for source_sentence, target_sentence, weight in pairs:
        source.add(source_sentence)
        target.add(target_sentence)
        weights.append(weight)
        advance()
    source_words, packed_source, source_starts = source.finish()
    target_words, packed_target, target_starts = target.finish()
    texts = PackedTexts(packed_source, source_starts, packed_target, target_starts)
    return PackedBitext(source_words, target_words, texts, np.array(weights, dtype=np.int32))
