"""Out-of-vocabulary words -> the vectors of similarly spelt words (Balikas et al. 2018, 3.3).

Two heuristics, each with a setting: an out-of-vocabulary word takes the vector of the nearest word
of its language within Levenshtein distance t, a random one of several equally near; a word with the
same spelling in several languages has the vector of the largest one. The random choice depends on
the generator's seed and the word only, not on earlier look-ups, so that an index does not depend on
the order in which documents were added.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock

import numpy as np

from dragoman.embeddings.deletion_index import MOST_DISTANCE, DeletionIndex
from dragoman.embeddings.space import WordLookup, WordSpace
from dragoman.errors import ConfigError
from dragoman.lexicons.vocabulary import ABSENT
from dragoman.protocols import Tokenizer
from dragoman.types import FloatArray, IntArray, Text


@dataclass(frozen=True, kw_only=True, slots=True)
class OovConfig:
    """The heuristics for words without a vector; the defaults are the paper's."""

    distance: int = 1  # t; 0 switches substitutes off
    collapse: bool = True  # words with the same spelling in several languages share a vector

    def __post_init__(self) -> None:
        if not 0 <= self.distance <= MOST_DISTANCE:
            raise ConfigError(f"distance must be 0, 1 or 2, got {self.distance}")


def with_substitutes(space: WordSpace, config: OovConfig, rng: np.random.Generator) -> WordLookup:
    """The space with the heuristics of ``config``."""
    shared = space.collapsed() if config.collapse else space
    return FuzzyWordSpace(shared, config.distance, rng) if config.distance else shared


class FuzzyWordSpace:
    """A space in which out-of-vocabulary words have the row of a substitute; thread-safe."""

    def __init__(self, space: WordSpace, distance: int, rng: np.random.Generator) -> None:
        self.space, self.distance = space, distance
        self._key = rng.bytes(16)
        self._indexes: dict[str, _SubstituteIndex] = {}
        self._lock = Lock()

    @property
    def points(self) -> FloatArray:
        """One row of length one per word."""
        return self.space.points

    def rows(self, words: Sequence[str], language: str) -> IntArray:
        """The row of every word or of its substitute, ``ABSENT`` if it has none."""
        rows = self.space.rows(words, language)
        missing = np.flatnonzero(rows == ABSENT).tolist()
        if missing and self.space.word_rows.get(language):
            substitutes = self._index(language).find([words[position] for position in missing])
            rows[missing] = [ABSENT if one is None else one.row for one in substitutes]
        return rows

    def substitutes(self, words: Sequence[str], language: str) -> list["Substitute | None"]:
        """The substitute of each word; None for known words and for words without one."""
        known = self.space.word_rows.get(language, {})
        if not known:
            return [None] * len(words)
        nearest = self._index(language).find(words)
        return [None if word in known else one for word, one in zip(words, nearest, strict=True)]

    def _index(self, language: str) -> "_SubstituteIndex":
        with self._lock:
            if language not in self._indexes:
                known = self.space.word_rows[language]
                self._indexes[language] = _SubstituteIndex(known, self.distance, self._key)
            return self._indexes[language]


@dataclass(frozen=True, slots=True)
class Substitute:
    """The known word that replaces an out-of-vocabulary one."""

    word: str
    row: int
    distance: int


class _SubstituteIndex:
    """The nearest words of one language, with a cache of look-ups."""

    def __init__(self, known: Mapping[str, int], distance: int, key: bytes) -> None:
        self._words = sorted(known)  # the choice must not depend on the order of the vectors
        self._rows = [known[word] for word in self._words]
        self._index = DeletionIndex.build(self._words, distance)
        self._key = key
        self._cache: dict[str, Substitute | None] = {}

    def find(self, words: Sequence[str]) -> list[Substitute | None]:
        new = [word for word in dict.fromkeys(words) if word not in self._cache]
        if new:
            draws = np.fromiter(map(self._draw, new), np.uint64, len(new))
            nearest, distances = self._index.nearest(new, draws)
            for word, number, distance in zip(
                new, nearest.tolist(), distances.tolist(), strict=True
            ):
                self._cache[word] = (
                    Substitute(self._words[number], self._rows[number], distance)
                    if number >= 0
                    else None
                )
        return [self._cache[word] for word in words]

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
        """Count the words of a text."""
        self.running += len(words)
        self.known += int((rows != ABSENT).sum())
        self.words.update(words)
        self.known_words.update(
            word for word, row in zip(words, rows.tolist(), strict=True) if row != ABSENT
        )

    @property
    def of_running(self) -> float:
        """The share of running words that have a vector; 0 without words."""
        return self.known / self.running if self.running else 0.0

    @property
    def of_distinct(self) -> float:
        """The share of distinct words that have a vector; 0 without words."""
        return len(self.known_words) / len(self.words) if self.words else 0.0


def word_coverage(
    texts: Iterable[Text], rows: WordLookup, tokenize: Tokenizer
) -> dict[str, Coverage]:
    """The coverage of ``texts`` by language."""
    coverage: dict[str, Coverage] = {}
    for text in texts:
        words = tokenize(text.body, text.language)
        coverage.setdefault(text.language, Coverage()).add(words, rows.rows(words, text.language))
    return coverage
