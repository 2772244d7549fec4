"""Bitext as numbers: sentence pairs in, two packed arrays of word numbers out.

The arrays are written to disk while the text is read and mapped into memory afterwards, so that
memory holds the vocabulary and not the corpus.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.protocols import Advance
from dragoman.types import IntArray

BUFFERED = 1 << 20  # word numbers held back before they go to disk


class WeightedPair(NamedTuple):
    """The words of a sentence pair, and how often it counts."""

    source: list[str]
    target: list[str]
    weight: int


@dataclass(frozen=True)
class PackedBitext:
    """Sentence pair n is ``source[source_starts[n]:source_starts[n + 1]]`` and the target's alike.

    Words are numbered by falling count, then alphabetically.
    """

    source_words: Vocabulary
    target_words: Vocabulary
    source: IntArray
    target: IntArray
    source_starts: IntArray
    target_starts: IntArray
    weights: IntArray  # how often each sentence pair counts

    def __len__(self) -> int:
        return len(self.weights)

    def counts(self) -> tuple[IntArray, IntArray]:
        """How often each word stands in the text, source and target."""
        return (
            np.bincount(self.source, minlength=len(self.source_words)),
            np.bincount(self.target, minlength=len(self.target_words)),
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

    def finished(self) -> tuple[Vocabulary, IntArray, IntArray]:
        """Vocabulary, packed words and starts, numbered by falling count."""
        self.flush()
        packed = np.memmap(self.path, dtype=np.int32, mode="r+") if self.lengths else _NOTHING
        counts = np.bincount(packed, minlength=len(self.ids))
        words = list(self.ids)
        order = sorted(range(len(words)), key=lambda n: (-counts[n], words[n]))
        numbers = np.empty(len(order), dtype=np.int32)
        numbers[order] = np.arange(len(order), dtype=np.int32)
        for start in range(0, len(packed), BUFFERED):
            packed[start : start + BUFFERED] = numbers[packed[start : start + BUFFERED]]
        starts = np.concatenate(([0], np.cumsum(self.lengths, dtype=np.int64)))
        return Vocabulary(tuple(words[n] for n in order)), packed, starts


_NOTHING = np.empty(0, dtype=np.int32)


def pack(pairs: Iterable[WeightedPair], folder: Path, advance: Advance) -> PackedBitext:
    """The analysed sentence pairs with their weights, packed into files in ``folder``."""
    source, target = _PackedSide(folder / "source.int32"), _PackedSide(folder / "target.int32")
    weights: list[int] = []
    for source_sentence, target_sentence, weight in pairs:
        source.add(source_sentence)
        target.add(target_sentence)
        weights.append(weight)
        advance()
    source_words, packed_source, source_starts = source.finished()
    target_words, packed_target, target_starts = target.finished()
    return PackedBitext(
        *(source_words, target_words, packed_source, packed_target),
        *(source_starts, target_starts, np.array(weights, dtype=np.int32)),
    )
