"""Texts -> the features of a student encoder: words, and the character n-grams inside them.

A word of the training texts is one feature; its 3- to 5-grams, with the word's boundaries marked,
are others, so that forms of a word share most features, and an out-of-vocabulary word has those of
its parts (Bojanowski et al. 2017). A feature is identified by a 32-bit hash; no string is stored.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.types import FloatArray, IntArray

SHORTEST, LONGEST = 3, 5  # letters of an n-gram, boundary marks included
NGRAMS = 2.0  # the norm of the weights of a word's n-grams; the word itself weighs 1


@dataclass(frozen=True, kw_only=True, slots=True)
class SubwordConfig:
    """The size of the vocabulary: the most frequent features get a row."""

    rows: int = 60_000
    min_words: int = 3  # the number of distinct words that an n-gram must occur in

    def __post_init__(self) -> None:
        if self.rows < 1 or self.min_words < 1:
            raise ConfigError(
                f"rows and min_words must be 1 or more, got {self.rows} and {self.min_words}"
            )


class UnstemmedAnalyzer:
    """The analysis of the lexical systems for one language, without stop words and stemming."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._analyzer = Analyzer(AnalyzerConfig(stop=False, stem=False))

    def __call__(self, text: str) -> list[str]:
        """The words of a text, in order."""
        return self._analyzer(text, self.language)

    def with_surface(self, text: str) -> list[tuple[str, str]]:
        """The words of a text with their surface forms, in order."""
        return self._analyzer.analyse_with_surface(text, self.language)

    @property
    def signature(self) -> str:
        """Analyzers with the same signature give the same words."""
        return self._analyzer.signature(self.language)


def word_key(word: str) -> int:
    """The hash of a whole word; an n-gram with the same letters has another."""
    return crc32(b"\0" + word.encode("utf-8", "replace"))


def ngram_keys(word: str) -> list[int]:
    """The hashes of a word's n-grams, without the marked word itself."""
    marked = f"<{word}>"
    return [
        crc32(marked[start : start + size].encode("utf-8", "replace"))
        for size in range(SHORTEST, min(LONGEST, len(marked) - 1) + 1)
        for start in range(len(marked) - size + 1)
    ]


def _no_keys() -> NDArray[np.uint32]:
    return np.zeros(0, dtype=np.uint32)


def _no_weights() -> NDArray[np.float16]:
    return np.zeros(0, dtype=np.float16)


@dataclass(frozen=True)
class RowlessWords:
    """Words of the training texts without a row of their own; only their n-grams have rows."""

    keys: NDArray[np.uint32] = field(default_factory=_no_keys)  # ascending
    weights: NDArray[np.float16] = field(default_factory=_no_weights)  # their idf


@dataclass(frozen=True)
class SubwordVocabulary:
    """The features that have a row, and the idf of words."""

    keys: NDArray[np.uint32]  # the features' hashes, ascending
    weights: NDArray[np.float16]  # the idf of a word's row; 0 for an n-gram's
    unseen: float  # the idf of an out-of-vocabulary word
    rowless: RowlessWords = field(default_factory=RowlessWords)

    @classmethod
    def learn(cls, texts: Sequence[Sequence[str]], config: SubwordConfig) -> "SubwordVocabulary":
        """The features of the words of ``texts``: half the rows at most for whole words."""
        words = Counter(word for text in texts for word in set(text))
        whole = sorted(words, key=lambda word: (-words[word], word))[: config.rows // 2]
        ngrams = Counter(key for word in words for key in set(ngram_keys(word)))
        frequent = sorted(
            (key for key, count in ngrams.items() if count >= config.min_words),
            key=lambda key: (-ngrams[key], key),
        )
        chosen = {word_key(word): _idf(len(texts), words[word]) for word in whole}
        for key in frequent[: config.rows - len(chosen)]:
            chosen.setdefault(key, 0.0)
        keys = sorted(chosen)
        return cls(
            np.array(keys, dtype=np.uint32),
            np.array([chosen[key] for key in keys], dtype=np.float16),
            float(np.float16(_idf(len(texts), 0))),
        )

    def __len__(self) -> int:
        return len(self.keys)

    def restricted(self, rows: IntArray) -> "SubwordVocabulary":
        """Only the rows ``rows`` (ascending); words that lose theirs retain their idf."""
        lost = self.weights > 0
        lost[rows] = False
        return replace(
            self,
            keys=self.keys[rows],
            weights=self.weights[rows],
            rowless=RowlessWords(self.keys[lost], self.weights[lost]),
        )

    def has(self, word: str) -> bool:
        """Whether the word was in the training texts."""
        return self._known_idf(word) is not None

    def weight(self, word: str) -> float:
        """The word's idf in the training texts."""
        idf = self._known_idf(word)
        return self.unseen if idf is None else idf

    def _known_idf(self, word: str) -> float | None:
        """The idf of a word of the training texts, None for others."""
        key = [word_key(word)]
        for known in (self, self.rowless):
            if len(rows := _find(key, known.keys)):
                return float(known.weights[rows[0]])
        return None

    def features(self, word: str) -> tuple[IntArray, FloatArray]:
        """The rows of a word's features and their weights, a vector of length one; may be empty."""
        whole = _find([word_key(word)], self.keys)
        parts = _find(ngram_keys(word), self.keys)
        weights = np.ones(len(whole) + len(parts), dtype=np.float32)
        weights[len(whole) :] = NGRAMS / np.sqrt(max(1, len(parts)))
        return np.concatenate([whole, parts]), weights / max(1e-9, float(np.linalg.norm(weights)))


def _find(wanted: Sequence[int], ascending: NDArray[np.uint32]) -> IntArray:
    """The rows of ``ascending`` that hold the wanted hashes; missing ones are skipped."""
    if not len(ascending):
        return np.zeros(0, dtype=np.int32)
    hashes = np.array(wanted, dtype=np.uint32)
    rows = np.minimum(np.searchsorted(ascending, hashes), len(ascending) - 1)
    matches: IntArray = rows[ascending[rows] == hashes].astype(np.int32)
    return matches


def _idf(texts: int, containing: int) -> float:
    return float(np.log1p(texts / (1 + containing)))
