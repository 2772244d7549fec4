"""Documents and their vectors -> which of them are translations of each other, and how likely.

Two documents in different languages are compared by the cosine of their mean rows, by how far this
stands above the best other document in either language (the margin criterion of bitext mining,
Artetxe and Schwenk 2019), by the numbers in their texts, and by their lengths. A logistic model
weighs the four; `tools/learn_grouping.py` learns and measures it.
"""

import re
from collections.abc import Sequence
from functools import cache
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.encoders.passages import letters
from dragoman.indexes.snapshot import Snapshot
from dragoman.scores.logistic import LogisticModel
from dragoman.storage.facts import Format
from dragoman.storage.gathering import ranges, starts_of
from dragoman.types import Document, FloatArray, IntArray

FORMAT = Format("dragoman-translations", 1, "tools/learn_grouping.py")
DATA = Path(__file__).parent / "data" / "translations.json"
NUMBER = re.compile(r"\d{1,15}")
READ = 4_000  # letters in which numbers are looked up
WIDTH_READ = 500  # letters that show how wide those of a text are
BACKGROUND = 0.5  # cosine of documents on one subject, where no third one is there to compare with
WIDEST = 0.3  # margin that says all
DOUBT = 2  # numbers: agreement in one or two says little
MOST_LENGTHS = 2.0  # of the logarithm of the ratio of lengths


class TranslationPair(NamedTuple):
    """Two documents in different languages by their positions, rising, and what compares them."""

    first: int
    second: int
    features: tuple[float, float, float, float]  # cosine, margin, numbers, lengths


class PairModel(NamedTuple):
    """What the features of a pair say, and the log-odds from which it counts as a translation."""

    model: LogisticModel
    least: float

    def links(self, pairs: Sequence[TranslationPair]) -> list[tuple[int, int]]:
        """The pairs that count, the likeliest first."""
        scored = [(-self.model.log_odds(one.features), one.first, one.second) for one in pairs]
        return [(one, other) for odds, one, other in sorted(scored) if -odds >= self.least]


@cache
def shipped_model() -> PairModel:
    """The model that the package carries."""
    facts = FORMAT.read(DATA)
    return PairModel(LogisticModel(facts["bias"], tuple(facts["weights"])), facts["least"])


def translations(documents: Sequence[Document], vectors: FloatArray) -> list[tuple[int, int]]:
    """The pairs of documents that are translations of each other, the likeliest first."""
    return shipped_model().links(translation_pairs(documents, vectors))


def mean_rows(snapshot: Snapshot, space: str, numbers: IntArray) -> NDArray[np.float32]:
    """The mean row of each document, of length one; zero where it has none."""
    parts = [(*one, one[0].segment.rows(space)) for one in snapshot.by_reader(numbers)]
    width = max((matrix.rows.shape[1] for _, _, matrix in parts), default=0)
    sums = np.zeros((len(numbers), width), np.float32)
    for reader, positions, matrix in parts:
        local = numbers[positions] - reader.base
        firsts, sizes = matrix.starts[local], np.diff(matrix.starts)[local]
        filled = sizes > 0
        if filled.any():
            rows = matrix.take(ranges(firsts[filled], sizes[filled])).astype(np.float32)
            starts = starts_of(sizes[filled])[:-1]
            sums[positions[filled]] = np.add.reduceat(rows, starts)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return (sums / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


class _Nearest(NamedTuple):
    """For every document: its nearest one in some language, and the cosine of the next."""

    best: IntArray
    next_cosine: FloatArray


def translation_pairs(documents: Sequence[Document], vectors: FloatArray) -> list[TranslationPair]:
    """The pairs of documents in different languages, each the other's nearest in its language."""
    cosines = (vectors @ vectors.T).astype(np.float64)
    languages = np.array([document.language for document in documents])
    filled = cosines.diagonal() > 0
    nearest = {
        code: _nearest(cosines, np.flatnonzero(filled & (languages == code)))
        for code in sorted({*languages[filled].tolist()})
    }

    @cache
    def facts(row: int) -> TextFacts:
        return TextFacts.of(documents[row].content.body)

    pairs = []
    for first in np.flatnonzero(filled).tolist():
        mine = nearest[languages[first]]
        for theirs in (near for code, near in nearest.items() if code != languages[first]):
            second = int(theirs.best[first])
            if second > first and mine.best[second] == first:
                cosine = float(cosines[first, second])
                other = float(max(theirs.next_cosine[first], mine.next_cosine[second]))
                by_vectors = cosine, min(cosine - other, WIDEST)
                features = (*by_vectors, *compared(facts(first), facts(second)))
                pairs.append(TranslationPair(first, second, features))
    return pairs


def _nearest(cosines: FloatArray, columns: IntArray) -> _Nearest:
    """The nearest of some documents to each one."""
    chosen = cosines[:, columns]
    best = chosen.argmax(axis=1)
    if len(columns) == 1:
        return _Nearest(columns[best], np.full(len(cosines), BACKGROUND))
    return _Nearest(columns[best], np.partition(chosen, -2, axis=1)[:, -2])


class TextFacts(NamedTuple):
    """What is compared of a text, whatever its language."""

    numbers: frozenset[int]  # in the beginning, whatever digits its script has
    length: float  # in letters of an alphabet

    @classmethod
    def of(cls, text: str) -> "TextFacts":
        """The facts of a text; the width of its letters is that of its beginning."""
        numbers = frozenset(int(number) for number in NUMBER.findall(text[:READ]))
        head = text[:WIDTH_READ]
        return cls(numbers, max(len(text), 1) * letters(head) / max(len(head), 1))


def compared(mine: TextFacts, other: TextFacts) -> tuple[float, float]:
    """How far the numbers of two texts agree (-1 to 1, 0 without numbers), how unlike in length."""
    common, different = len(mine.numbers & other.numbers), len(mine.numbers ^ other.numbers)
    agreement = (common - different) / (common + different + DOUBT)
    ratio = log(max(mine.length, 1.0) / max(other.length, 1.0))
    return agreement, min(abs(ratio), MOST_LENGTHS)
