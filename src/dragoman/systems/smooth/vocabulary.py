"""Texts -> word ids: tokenization, a vocabulary per language, initial word vectors."""

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
from dragoman.errors import ConfigError
from dragoman.systems.smooth.config import SmoothModelConfig
from dragoman.training.sequences import Bags, Sequences
from dragoman.types import FloatArray, Text

PADDING = 0  # the row of the padding

LanguageWords = tuple[str, Sequence[str]]  # a language and the words of a text in it


@dataclass(frozen=True, slots=True)
class SmoothVocabulary:
    """The words of each language, in the order of their rows; row 0 is the padding."""

    words: Mapping[str, tuple[str, ...]]
    _rows: Mapping[str, dict[str, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows: dict[str, dict[str, int]] = {}
        first = PADDING + 1
        for language, words in self.words.items():
            rows[language] = {word: row for row, word in enumerate(words, start=first)}
            first += len(words)
        object.__setattr__(self, "_rows", rows)

    @classmethod
    def learn(cls, texts: Iterable[LanguageWords], most: int, seen: int) -> "SmoothVocabulary":
        """The ``most`` frequent words of each language that occur at least ``seen`` times.

        A language without such words is left out, as it is when the words are read from a file.
        """
        counts: dict[str, Counter[str]] = {}
        for language, words in texts:
            counts.setdefault(language, Counter()).update(words)
        chosen = {
            language: tuple(
                word
                for word, count in sorted(words.items(), key=lambda item: (-item[1], item[0]))[
                    :most
                ]
                if count >= seen
            )
            for language, words in sorted(counts.items())
        }
        return cls({language: words for language, words in chosen.items() if words})

    def extended(self, vectors: Mapping[str, WordVectors], most: int) -> "SmoothVocabulary":
        """These words and those of ``vectors``, up to ``most`` per language."""
        extended = {
            language: tuple(dict.fromkeys([*words, *rows_by_spelling(vectors[language])]))[:most]
            if language in vectors
            else words
            for language, words in self.words.items()
        }
        return SmoothVocabulary(extended)

    def __len__(self) -> int:
        return PADDING + 1 + sum(map(len, self.words.values()))

    @property
    def languages(self) -> frozenset[str]:
        """The languages of the words."""
        return frozenset(self.words)

    def rows(self, words: Iterable[str], language: str) -> list[int]:
        """The rows of the words in the vocabulary; other words are skipped."""
        known = self._rows.get(language, {})
        return [row for word in words if (row := known.get(word)) is not None]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Language and word of every row after the padding."""
        for language, words in self.words.items():
            for word in words:
                yield language, word


@dataclass(frozen=True, slots=True)
class TokenizedTexts:
    """Texts as word ids, in order and counted."""

    sequences: Sequences
    bags: Bags

    def __len__(self) -> int:
        return len(self.sequences)


class SmoothTokenizer:
    """Splits texts into words and looks up their ids, as in training."""

    def __init__(self, config: SmoothModelConfig) -> None:
        self._config = config
        stop = StopWordList.LISTED if config.stop else StopWordList.NONE
        self._prepare = WordTokenizer(WordTokenizerConfig(stop=stop, numbers=True, shortest=1))

    def words(self, text: Text) -> list[str]:
        """The words of a text, in order."""
        return self._prepare(text.body, text.language)

    def to_ids(
        self, texts: Iterable[LanguageWords], vocabulary: SmoothVocabulary
    ) -> TokenizedTexts:
        """The ids of the first ``longest`` known words of each text."""
        longest = self._config.longest
        rows = (vocabulary.rows(words, language)[:longest] for language, words in texts)
        sequences = Sequences.pack(rows)
        padded_to = longest if self._config.count_padding else 0
        return TokenizedTexts(sequences, sequences.bags(padded_to, PADDING))

    @property
    def signature(self) -> str:
        """Equal for tokenizers that split every text alike."""
        return self._prepare.signature


def rows_by_spelling(vectors: WordVectors) -> dict[str, int]:
    """Normalized word -> its row; the first row of words with the same normalization."""
    rows: dict[str, int] = {}
    for row, word in enumerate(vectors.words):
        rows.setdefault(normalize_word(word, vectors.language), row)
    return rows


def initial_vectors(
    vocabularies: Sequence[SmoothVocabulary],
    dimension: int,
    vectors: Mapping[str, WordVectors],
    rng: np.random.Generator,
    *,
    own_lengths: bool = False,
) -> list[NDArray[np.float32]]:
    """A table for each vocabulary: given vectors, and samples of N(0, 1) for the other words.

    Given vectors are scaled to the mean length of sampled ones, or, with ``own_lengths``, to the
    length that they have in their file, as in the paper. A word without a
    vector is sampled once for all tables and languages, so that names and loan words begin as
    translations of themselves.
    """
    all_words = sorted({word for vocabulary in vocabularies for _, word in vocabulary})
    sampled = rng.standard_normal((len(all_words) + 1, dimension), dtype=np.float32)
    sampled_row = {word: row for row, word in enumerate(all_words, start=PADDING + 1)}
    tables = []
    for vocabulary in vocabularies:
        rows = [PADDING, *(sampled_row[word] for _, word in vocabulary)]
        table = sampled[rows]
        first = PADDING + 1
        for language, words in vocabulary.words.items():
            if language in vectors:
                known = rows_by_spelling(vectors[language])
                indices = np.array([i for i, word in enumerate(words) if word in known], dtype=int)
                chosen = [known[words[i]] for i in indices]
                lengths = _lengths(vectors[language], own=own_lengths)[chosen, None]
                table[first + indices] = vectors[language].matrix[chosen] * lengths
            first += len(words)
        tables.append(table)
    return tables


def _lengths(vectors: WordVectors, *, own: bool) -> FloatArray:
    """(words,): the lengths that the vectors begin with."""
    if not own:
        return np.full(len(vectors), np.sqrt(vectors.dimension), dtype=np.float32)
    if vectors.lengths is None:
        raise ConfigError(
            f"found vectors of {vectors.language!r} in a folder, where all have length one;"
            " expected a published file with their own lengths, as in"
            f" --vectors {vectors.language}=FILE"
        )
    return vectors.lengths
