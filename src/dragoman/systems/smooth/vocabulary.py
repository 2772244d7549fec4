"""Texts -> numbers of words: which words have a row, by language, and how a text is read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dragoman.embeddings.normalization import (
    StopWordList,
    WordTokenizer,
    WordTokenizerConfig,
    normalize_word,
)
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.systems.smooth.config import SmoothModelConfig
from dragoman.training.sequences import Bags, Sequences
from dragoman.types import Text

PADDING = 0  # the row that no word has

LanguageWords = tuple[str, Sequence[str]]  # a language and the words of a text in it


@dataclass(frozen=True, slots=True)
class SmoothVocabulary:
    """The words of each language, in the order of their rows; the first row is the padding's."""

    words: Mapping[str, tuple[str, ...]]
    _rows: Mapping[str, dict[str, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows: dict[str, dict[str, int]] = {}
        first = PADDING + 1
        for language, words in self.words.items():
            rows[language] = {word: first + place for place, word in enumerate(words)}
            first += len(words)
        object.__setattr__(self, "_rows", rows)

    @classmethod
    def learn(cls, texts: Iterable[LanguageWords], most: int, seen: int) -> "SmoothVocabulary":
        """The ``most`` frequent words of each language that were met at least ``seen`` times."""
        counts: dict[str, Counter[str]] = {}
        for language, words in texts:
            counts.setdefault(language, Counter()).update(words)
        chosen = {
            language: tuple(
                word
                for word, count in sorted(found.items(), key=lambda item: (-item[1], item[0]))[
                    :most
                ]
                if count >= seen
            )
            for language, found in sorted(counts.items())
        }
        return cls(chosen)

    def joined(self, vectors: Mapping[str, WordVectors], most: int) -> "SmoothVocabulary":
        """These words, and those that have a given vector, up to ``most`` a language."""
        grown = {
            language: tuple(dict.fromkeys([*words, *rows_by_spelling(vectors[language])]))[:most]
            if language in vectors
            else words
            for language, words in self.words.items()
        }
        return SmoothVocabulary(grown)

    def __len__(self) -> int:
        return PADDING + 1 + sum(map(len, self.words.values()))

    @property
    def languages(self) -> frozenset[str]:
        """The languages that texts may be in."""
        return frozenset(self.words)

    def rows(self, words: Iterable[str], language: str) -> list[int]:
        """The rows of the words that have one; the others are left out."""
        known = self._rows.get(language, {})
        return [row for word in words if (row := known.get(word)) is not None]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Language and word of every row after the padding's."""
        for language, words in self.words.items():
            for word in words:
                yield language, word


@dataclass(frozen=True, slots=True)
class TokenizedTexts:
    """Texts as a tower reads them, in order and counted."""

    sequences: Sequences
    bags: Bags

    def __len__(self) -> int:
        return len(self.sequences)


class SmoothTokenizer:
    """Cuts texts into words, as in training."""

    def __init__(self, config: SmoothModelConfig) -> None:
        self._config = config
        stop = StopWordList.LISTED if config.stop else StopWordList.NONE
        self._prepare = WordTokenizer(WordTokenizerConfig(stop=stop, numbers=True, shortest=1))

    def words(self, text: Text) -> list[str]:
        """The words of a text, in order."""
        return self._prepare(text.body, text.language)

    def numbered(
        self, texts: Iterable[LanguageWords], vocabulary: SmoothVocabulary
    ) -> TokenizedTexts:
        """Texts by their known words, the first ``longest`` of them."""
        longest = self._config.longest
        rows = (vocabulary.rows(words, language)[:longest] for language, words in texts)
        sequences = Sequences.pack(rows)
        padded_to = longest if self._config.count_padding else 0
        return TokenizedTexts(sequences, sequences.bags(padded_to, PADDING))

    @property
    def signature(self) -> str:
        """What must be equal for a text to be read as in training."""
        return self._prepare.signature


def rows_by_spelling(vectors: WordVectors) -> dict[str, int]:
    """The rows of given vectors by the one spelling that texts are read in; the first of equals."""
    found: dict[str, int] = {}
    for row, word in enumerate(vectors.words):
        found.setdefault(normalize_word(word, vectors.language), row)
    return found


def initial_vectors(
    vocabularies: Sequence[SmoothVocabulary],
    dimension: int,
    vectors: Mapping[str, WordVectors],
    rng: np.random.Generator,
) -> list[NDArray[np.float32]]:
    """A table for each vocabulary: given vectors, and draws from N(0, 1) for the other words.

    Given vectors of length one are stretched to the length that drawn ones have on average. A word
    without a vector is drawn once for all tables and languages, so names and loan words start as
    translations of themselves.
    """
    everything = sorted({word for vocabulary in vocabularies for _, word in vocabulary})
    drawn = rng.standard_normal((len(everything) + 1, dimension), dtype=np.float32)
    place = {word: row for row, word in enumerate(everything, start=PADDING + 1)}
    tables = []
    for vocabulary in vocabularies:
        rows = [PADDING, *(place[word] for _, word in vocabulary)]
        table = drawn[rows]
        first = PADDING + 1
        for language, words in vocabulary.words.items():
            if language in vectors:
                known = rows_by_spelling(vectors[language])
                here = np.array([at for at, word in enumerate(words) if word in known], dtype=int)
                given = vectors[language].matrix[[known[words[at]] for at in here]]
                table[first + here] = given * np.sqrt(dimension, dtype=np.float32)
            first += len(words)
        tables.append(table)
    return tables
