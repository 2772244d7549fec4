"""Texts -> weighed bags over one matrix of points, as sparse rows that sum to one.

Two steps, so that an index can grow: ``Bagger.read`` turns a text into counts, whatever else is
in the collection; ``Bagger.bags`` weighs counts by the document frequencies known by then.
Weights follow Balikas et al. 2018, section 3.2, and their code: a word's document frequency is
counted in its own language, N is the number of documents of all languages together.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from scipy.sparse import csr_array

from dragoman.errors import ConfigError
from dragoman.protocols import Tokenizer
from dragoman.types import FloatArray, IntArray, Text
from dragoman.vectors.space import Rows
from dragoman.vectors.spelling import Preparation
from dragoman.vectors.words import ABSENT

FIRST_WORDS = 500
FEWEST_WORDS = 6  # known words that a document of the paper's experiment has at least


class Weighting(StrEnum):
    """What a word's count is multiplied with."""

    TF = "tf"  # one
    IDF = "idf"  # ln((N + 1) / (df + 1)) + 1, as the authors' code has it
    BARE_IDF = "bare-idf"  # ln((N + 1) / (df + 1)), as the paper prints it


@dataclass(frozen=True, slots=True, eq=False)
class CountedText:
    """The known words of one text, each once, with their rows and counts."""

    language: str
    words: tuple[str, ...]
    rows: IntArray
    counts: IntArray
    unknown: int = 0  # running words without a vector, up to the last word that counted

    @property
    def total(self) -> int:
        """How many known words the text has, repetitions counted."""
        return int(self.counts.sum())


@dataclass(slots=True)
class DocumentFrequencies:
    """In how many documents each word of each language stands; documents may come and go."""

    documents: int = 0
    counts: dict[str, Counter[str]] = field(default_factory=dict)

    @classmethod
    def fit(cls, texts: Iterable[CountedText]) -> "DocumentFrequencies":
        """The frequencies in all ``texts``, of whatever languages, together."""
        found = cls()
        for text in texts:
            found.add(text)
        return found

    def add(self, text: CountedText) -> None:
        """One more document."""
        self.documents += 1
        self.counts.setdefault(text.language, Counter()).update(text.words)

    def remove(self, text: CountedText) -> None:
        """One document less, which was added before."""
        known = self.counts.get(text.language, Counter())
        if self.documents < 1 or any(known[word] < 1 for word in text.words):
            raise ConfigError("found a text to remove that was never added")
        self.documents -= 1
        known.subtract(text.words)
        self.counts[text.language] = +known

    def weights(self, words: Sequence[str], language: str, weighting: Weighting) -> FloatArray:
        """What the counts of ``words`` are multiplied with; never negative."""
        if weighting is Weighting.TF:
            return np.ones(len(words))
        known: Mapping[str, int] = self.counts.get(language, {})
        frequencies = np.fromiter((known.get(word, 0) for word in words), np.float64, len(words))
        bare: FloatArray = np.log((self.documents + 1) / (frequencies + 1))
        return bare + 1 if weighting is Weighting.IDF else bare


@dataclass(frozen=True)
class Bagger:
    """Reads texts against one space; query and document sides may differ in language."""

    space: Rows
    tokenize: Tokenizer = field(default_factory=Preparation)
    weighting: Weighting = Weighting.IDF
    first: int = FIRST_WORDS  # known words that are kept of a text

    def __post_init__(self) -> None:
        if self.first < 1:
            raise ConfigError(f"first must be at least 1, got {self.first}")

    def read(self, text: Text) -> CountedText:
        """The known words of a text and their counts; independent of every other text."""
        words = self.tokenize(text.body, text.language)
        rows = self.space.rows(words, text.language)
        kept = np.flatnonzero(rows != ABSENT)[: self.first]
        reached = int(kept[-1]) + 1 if len(kept) == self.first else len(words)
        counts = Counter(words[place] for place in kept)
        row_of = {words[place]: int(rows[place]) for place in kept}
        return CountedText(
            text.language,
            tuple(counts),
            np.fromiter(row_of.values(), np.int64, len(row_of)),
            np.fromiter(counts.values(), np.int64, len(counts)),
            reached - len(kept),
        )

    def bags(self, texts: Sequence[CountedText], frequencies: DocumentFrequencies) -> csr_array:
        """One float32 row per text that sums to one; no known word makes an empty row.

        Columns are the rows of the space's points; words that share a point add up there, each
        weighed by its own idf. Columns rise within a row, and no stored weight is zero.
        """
        values = [
            text.counts * frequencies.weights(text.words, text.language, self.weighting)
            for text in texts
        ]
        lengths = [len(one) for one in values]
        starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        data = np.concatenate([np.zeros(0), *values])
        columns = np.concatenate([np.zeros(0, np.int64), *(text.rows for text in texts)])
        shape = (len(texts), len(self.space.points))
        return normalised(csr_array((data, columns, starts), shape=shape))

    def bag(self, text: Text, frequencies: DocumentFrequencies) -> csr_array:
        """The one row of one text."""
        return self.bags([self.read(text)], frequencies)


def normalised(bags: csr_array) -> csr_array:
    """The rows summing to one, as sorted float32 with 32-bit columns; an empty row stays empty."""
    bags.sum_duplicates()
    bags.eliminate_zeros()
    sums = np.asarray(bags.sum(axis=1)).ravel()
    sizes = np.diff(bags.indptr)
    data = (bags.data / np.repeat(sums, sizes)).astype(np.float32)
    places = (bags.indices.astype(np.int32), bags.indptr.astype(np.int32))
    return csr_array((data, *places), shape=bags.shape)
