"""Word vectors of several languages -> one matrix of points, and the row of every word.

Section numbers are those of Balikas et al. 2018: E^l1 and E^l2 are in one shared space (3.1), here
stacked; words with the same spelling may share one vector (3.3).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from dragoman.embeddings.normalization import normalize_word
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError
from dragoman.lexicons.vocabulary import lookup
from dragoman.types import FloatArray, IntArray


class WordLookup(Protocol):
    """Looks words up among points, exactly (``WordSpace``) or with misspellings."""

    @property
    def points(self) -> FloatArray:
        """One row of length one per word."""
        ...

    def rows(self, words: Sequence[str], language: str) -> IntArray:
        """The row of every word, ``ABSENT`` for an unknown one."""
        ...


@dataclass(frozen=True, eq=False)
class WordSpace:
    """The stacked vectors; ``word_rows[language][word]`` is the row of a normalised word."""

    points: FloatArray  # (rows, dimension), float32
    words: tuple[str, ...]  # by row, before normalisation
    word_rows: Mapping[str, Mapping[str, int]]

    @classmethod
    def stack(cls, vectors: Iterable[WordVectors]) -> "WordSpace":
        """All words of all languages; of words with one normalised form, the first has the row."""
        given = list(vectors)
        _check(given)
        word_rows: dict[str, dict[str, int]] = {}
        words: list[str] = []
        for one in given:
            first = len(words)
            word_rows[one.language] = {
                normalize_word(word, one.language): first + row
                for row, word in reversed(list(enumerate(one.words)))
            }
            words += one.words
        points = np.concatenate([np.asarray(one.matrix) for one in given])
        return cls(points, tuple(words), word_rows)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages in the order of stacking."""
        return tuple(self.word_rows)

    def rows(self, words: Sequence[str], language: str) -> IntArray:
        """The row of every word, ``ABSENT`` where the language or the word is unknown."""
        return lookup(self.word_rows.get(language, {}), words, np.int64)

    def collapsed(self) -> "WordSpace":
        """Words with the same spelling share the vector of the largest language (section 3.3)."""
        by_size = sorted(self.word_rows, key=lambda code: -len(self.word_rows[code]))
        first: dict[str, int] = {}
        for language in by_size:
            for word, row in self.word_rows[language].items():
                first.setdefault(word, row)
        word_rows = {
            language: {word: first[word] for word in known}
            for language, known in self.word_rows.items()
        }
        return replace(self, word_rows=word_rows)


def _check(given: Sequence[WordVectors]) -> None:
    if not given:
        raise ConfigError("found no word vectors; expected those of at least one language")
    languages = [one.language for one in given]
    if len(set(languages)) < len(languages):
        raise ConfigError(f"found a language twice in {', '.join(languages)}; expected each once")
    if len({one.dimension for one in given}) > 1:
        found = ", ".join(f"{one.language}: {one.dimension}" for one in given)
        raise ConfigError(f"found vectors of different lengths ({found}); expected one space")
