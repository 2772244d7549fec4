"""Words without a vector -> the vector of a word spelt nearly alike (Balikas et al. 2018, 3.3).

Two heuristics, each with its switch: a word that its language's dictionary lacks takes the vector
of its nearest dictionary word within Levenshtein distance t, one of them at random where several
are equally near; a word that several languages spell alike has the vector of the largest one.
The choice among equals depends on the generator's seed and the word alone, not on what was asked
before, so an index that grows is the index that was built at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock

import numpy as np

from dragoman.embeddings.deletion_index import MOST_DISTANCE, DeletionIndex
from dragoman.embeddings.space import WordLookup, WordSpace
from dragoman.embeddings.word_vectors import ABSENT
from dragoman.errors import ConfigError
from dragoman.protocols import Tokenizer
from dragoman.types import FloatArray, IntArray, Text


@dataclass(frozen=True, kw_only=True, slots=True)
class OovConfig:
    """What is done about words without a vector; the defaults are the paper's."""

    distance: int = 1  # t; 0 leaves unknown words unknown
    collapse: bool = True  # words that languages spell alike share a vector

    def __post_init__(self) -> None:
        if not 0 <= self.distance <= MOST_DISTANCE:
            raise ConfigError(f"distance must be 0, 1 or 2, got {self.distance}")


def with_substitutes(space: WordSpace, config: OovConfig, rng: np.random.Generator) -> WordLookup:
    """The space with the protocol's parts that ``config`` switches on."""
    shared = space.collapsed() if config.collapse else space
    return FuzzyWordSpace(shared, config.distance, rng) if config.distance else shared


class FuzzyWordSpace:
    """A space in which a word that is nearly spelt right has a row; safe between threads."""

    def __init__(self, space: WordSpace, distance: int, rng: np.random.Generator) -> None:
        self.space, self.distance = space, distance
        self._key = rng.bytes(16)
        self._dictionaries: dict[str, _SubstituteIndex] = {}
        self._lock = Lock()

    @property
    def points(self) -> FloatArray:
        """One row of length one per word."""
        return self.space.points

    def rows(self, words: Sequence[str], language: str) -> IntArray:
        """The row of every word or of one spelt nearly alike, ``ABSENT`` where there is none."""
        rows = self.space.rows(words, language)
        missing = np.flatnonzero(rows == ABSENT).tolist()
        if missing and self.space.word_rows.get(language):
            near = self._dictionary(language).near([words[place] for place in missing])
            rows[missing] = [ABSENT if one is None else one.row for one in near]
        return rows

    def substitutes(self, words: Sequence[str], language: str) -> list["Substitute | None"]:
        """What stands for each unknown word; None for words that are known or stay unknown."""
        known = self.space.word_rows.get(language, {})
        if not known:
            return [None] * len(words)
        found = self._dictionary(language).near(words)
        return [None if word in known else one for word, one in zip(words, found, strict=True)]

    def _dictionary(self, language: str) -> "_SubstituteIndex":
        with self._lock:
            if language not in self._dictionaries:
                known = self.space.word_rows[language]
                self._dictionaries[language] = _SubstituteIndex(known, self.distance, self._key)
            return self._dictionaries[language]


@dataclass(frozen=True, slots=True)
class Substitute:
    """The dictionary word that stands for an unknown one."""

    word: str
    row: int
    distance: int


class _SubstituteIndex:
    """The near words of one language, looked up once each."""

    def __init__(self, known: Mapping[str, int], distance: int, key: bytes) -> None:
        self._words = sorted(known)  # the order of reading must not decide among equals
        self._rows = [known[word] for word in self._words]
        self._index = DeletionIndex.build(self._words, distance)
        self._key = key
        self._met: dict[str, Substitute | None] = {}

    def near(self, words: Sequence[str]) -> list[Substitute | None]:
        new = [word for word in dict.fromkeys(words) if word not in self._met]
        if new:
            draws = np.fromiter(map(self._draw, new), np.uint64, len(new))
            found, distances = self._index.nearest(new, draws)
            for word, number, distance in zip(new, found.tolist(), distances.tolist(), strict=True):
                self._met[word] = (
                    Substitute(self._words[number], self._rows[number], distance)
                    if number >= 0
                    else None
                )
        return [self._met[word] for word in words]

    def _draw(self, word: str) -> int:
        raw = word.encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(raw, digest_size=8, key=self._key).digest(), "little")


@dataclass(slots=True)
class Coverage:
    """How many words of some texts have a vector."""

    running: int = 0
    known: int = 0
    words: set[str] = field(default_factory=set, repr=False)
    known_words: set[str] = field(default_factory=set, repr=False)

    def add(self, words: Sequence[str], rows: IntArray) -> None:
        """Count the words of one more text."""
        self.running += len(words)
        self.known += int((rows != ABSENT).sum())
        self.words.update(words)
        self.known_words.update(
            word for word, row in zip(words, rows.tolist(), strict=True) if row != ABSENT
        )

    @property
    def of_running(self) -> float:
        """The share of running words that have a vector; 0 of no words."""
        return self.known / self.running if self.running else 0.0

    @property
    def of_distinct(self) -> float:
        """The share of different words that have a vector; 0 of no words."""
        return len(self.known_words) / len(self.words) if self.words else 0.0


def word_coverage(
    texts: Iterable[Text], rows: WordLookup, tokenize: Tokenizer
) -> dict[str, Coverage]:
    """The coverage of ``texts`` by language; measured before and after, it shows what OOV does."""
    found: dict[str, Coverage] = {}
    for text in texts:
        words = tokenize(text.body, text.language)
        found.setdefault(text.language, Coverage()).add(words, rows.rows(words, text.language))
    return found
