"""Counts that follow a changing collection: documents in and out, idf and lengths always true.

A dimension is a hash of (language, kind, word), so that no vocabulary has to be kept in step with
the store. A collection of a million distinct words meets about a hundred collisions among 2**32,
each of which adds the postings of one more word to a rare query.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Self

import numpy as np

from dragoman.scores.bm25 import idf
from dragoman.systems.lexical.names import Names
from dragoman.types import FloatArray, IntArray

LISTED = 1 << 20  # dimensions named before they are added up
MERGED_ABOVE = 200_000  # changed dimensions kept apart before they join the settled ones


@lru_cache(maxsize=1_000_000)
def dimension(language: str, kind: str, word: str) -> int:
    """32 bits of the hash of a language's word."""
    digest = blake2b(f"{language}\t{kind}\t{word}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "little")


class Sums(NamedTuple):
    """Numbers by dimension."""

    dimensions: IntArray  # uint32, rising
    values: FloatArray  # float64

    @classmethod
    def empty(cls) -> Self:
        """None at all."""
        return cls(np.empty(0, np.uint32), np.empty(0, np.float64))

    def at(self, wanted: int) -> float:
        """The number of one dimension; 0 where there is none."""
        if not len(self.dimensions):
            return 0.0
        # an argument of another type would turn the whole array into it, at every call
        place = int(self.dimensions.searchsorted(np.uint32(wanted)))
        found = place < len(self.dimensions) and self.dimensions[place] == wanted
        return float(self.values[place]) if found else 0.0

    def plus(self, other: Self) -> Self:
        """Both together."""
        both = np.concatenate([self.dimensions, other.dimensions])
        unique, where = np.unique(both, return_inverse=True)
        weights = np.concatenate([self.values, other.values])
        sums = np.bincount(where, weights=weights, minlength=len(unique))
        return type(self)(unique, sums.astype(np.float64))


class Frequencies:
    """Expected document frequencies by dimension: settled ones, and recent changes beside them.

    Nobody asks for frequencies while an index is built, so changes are listed as they come and
    added up when one is read, or when there are many.
    """

    def __init__(self, settled: Sums | None = None) -> None:
        self._layers = settled or Sums.empty(), Sums.empty()
        self._listed: defaultdict[float, list[IntArray]] = defaultdict(list)  # by amount
        self._waiting = 0  # dimensions in the lists
        self._lock = Lock()  # documents may be added while questions are asked

    def __getitem__(self, wanted: int) -> float:
        if self._listed:
            self._add_up(MERGED_ABOVE)
        settled, recent = self._layers
        return max(0.0, settled.at(wanted) + recent.at(wanted))

    def add(self, dimensions: IntArray, amount: float) -> None:
        """Count ``amount``, which may be negative, for each time that a dimension is named."""
        with self._lock:
            self._listed[amount].append(dimensions.astype(np.uint32, copy=False))
            self._waiting += len(dimensions)
        if self._waiting > LISTED:
            self._add_up(MERGED_ABOVE)

    def _add_up(self, merged_above: int) -> Sums:
        """The settled frequencies, after adding recent changes to them if these are many."""
        with self._lock:
            settled, recent = self._layers
            for amount, named in self._listed.items():
                unique, counts = np.unique(np.concatenate(named), return_counts=True)
                recent = recent.plus(Sums(unique, amount * counts))
            if len(recent.dimensions) > merged_above:
                whole = settled.plus(recent)
                kept = whole.values > 1e-9
                settled, recent = Sums(whole.dimensions[kept], whole.values[kept]), Sums.empty()
            self._layers = settled, recent
            self._listed.clear()
            self._waiting = 0
            return settled

    def save(self, folder: Path) -> None:
        """Write the arrays."""
        settled = self._add_up(0)
        np.save(folder / "dimensions.npy", settled.dimensions)
        np.save(folder / "frequencies.npy", settled.values)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """The arrays, mapped into memory, as plain views: one number is read sooner from them."""
        names = ("dimensions", "frequencies")
        maps = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in names)
        return cls(Sums(*(each.view(np.ndarray) for each in maps)))


@dataclass(frozen=True)
class LiveNamespace:
    """The words that documents of one language are found by, with today's counts."""

    language: str
    kind: str  # "own": the documents' words; "pivot": what they stand for
    documents: int
    mean_length: float
    frequencies: Frequencies

    def find(self, word: str) -> int:
        """The word's dimension; every word has one."""
        return dimension(self.language, self.kind, word)

    def frequency_at(self, wanted: int) -> float:
        """In how many documents the word with this dimension occurs."""
        return self.frequencies[wanted]

    def idf_at(self, wanted: int) -> float:
        """The idf of the word with this dimension."""
        return self.idf_of(self.frequencies[wanted])

    def idf_of(self, frequency: float) -> float:
        """Of a word with this document frequency."""
        return idf(frequency, self.documents)


class NamesByLanguage(dict[str, Names]):
    """The words of every language; those of a new one are the same for all threads."""

    def __missing__(self, language: str) -> Names:
        return self.setdefault(language, Names())


@dataclass
class LivePostings:
    """The namespaces of a changing collection; mean lengths are those of its build."""

    mean_lengths: dict[str, float]
    pivot_language: str
    documents: Counter[str] = field(default_factory=Counter)
    frequencies: Frequencies = field(default_factory=Frequencies)
    names: NamesByLanguage = field(default_factory=NamesByLanguage)

    @property
    def changes(self) -> bool:
        """Documents come and go."""
        return True

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the documents."""
        return tuple(sorted(code for code, count in self.documents.items() if count > 0))

    def chosen(self, languages: Collection[str] | None) -> tuple[str, ...]:
        """The languages of the documents, those in ``languages`` where given."""
        return tuple(code for code in self.languages if languages is None or code in languages)

    def own(self, language: str) -> LiveNamespace:
        """The documents' own words in ``language``."""
        return self._namespace(language, "own")

    def pivot(self, language: str) -> LiveNamespace | None:
        """The pivot words that documents in ``language`` stand for."""
        return None if language == self.pivot_language else self._namespace(language, "pivot")

    def _namespace(self, language: str, kind: str) -> LiveNamespace:
        mean_length = self.mean_lengths.get(language)
        if mean_length is None:
            mean_length = self._typical_length
        return LiveNamespace(
            language, kind, self.documents[language], mean_length, self.frequencies
        )

    @property
    def _typical_length(self) -> float:
        """For a language that came after the build."""
        known = list(self.mean_lengths.values())
        return float(np.mean(known)) if known else 0.0


def mean_lengths(lengths: Iterable[tuple[str, int]]) -> dict[str, float]:
    """The mean number of words per language, over documents that have any."""
    totals, counts = Counter[str](), Counter[str]()
    for language, length in lengths:
        if length:
            totals[language] += length
            counts[language] += 1
    return {language: totals[language] / counts[language] for language in totals}
