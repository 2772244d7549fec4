"""Texts -> the features of a student encoder: words, and the character n-grams inside them.

A word that was met in training is one feature; its 3- to 5-grams, with the word's ends marked, are
others, so that forms of a word share most of what they are, and a word never met is still guessed
by its parts (Bojanowski et al. 2017). A feature is known by a 32-bit hash; no string is stored.
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

SHORTEST, LONGEST = 3, 5  # letters of an n-gram, the marks of the word's ends included
# what a word's n-grams weigh together (as a vector) beside the word itself
NGRAMS = 2.0


@dataclass(frozen=True, kw_only=True, slots=True)
class SubwordConfig:
    """Which features are worth a row: the most frequent ones, up to a size."""

    rows: int = 60_000
    min_words: int = 3  # an n-gram is kept if it is in so many different words

    def __post_init__(self) -> None:
        if self.rows < 1 or self.min_words < 1:
            raise ConfigError(
                f"rows and min_words must be 1 or more, got {self.rows} and {self.min_words}"
            )


class UnstemmedAnalyzer:
    """Cuts and folds texts of one language, as the lexical systems do, without stemming."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._analyzer = Analyzer(AnalyzerConfig(stop=False, stem=False))

    def __call__(self, text: str) -> list[str]:
        """The words of a text, in order."""
        return self._analyzer(text, self.language)

    def as_written(self, text: str) -> list[tuple[str, str]]:
        """The words of a text with their forms in it, in order."""
        return self._analyzer.analyse_with_surface(text, self.language)

    @property
    def signature(self) -> str:
        """What must be equal for the same text to have the same words."""
        return self._analyzer.signature(self.language)


def word_key(word: str) -> int:
    """The hash of a whole word, never that of an n-gram with the same letters."""
    return crc32(b"\0" + word.encode("utf-8", "replace"))


def ngram_keys(word: str) -> list[int]:
    """The hashes of a word's n-grams; the marked word itself is none of them."""
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
    """Words that were met and have no row of their own, only their n-grams'."""

    keys: NDArray[np.uint32] = field(default_factory=_no_keys)  # rising
    weights: NDArray[np.float16] = field(default_factory=_no_weights)  # their idf


@dataclass(frozen=True)
class SubwordVocabulary:
    """The features that have a row, and what words weigh."""

    keys: NDArray[np.uint32]  # the features' hashes, rising
    weights: NDArray[np.float16]  # the idf of a word's row; 0 for an n-gram's
    unseen: float  # the idf of a word that was not met
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

    def only(self, rows: IntArray) -> "SubwordVocabulary":
        """These rows alone, which rise; words that lose theirs stay met and weigh the same."""
        lost = self.weights > 0
        lost[rows] = False
        return replace(
            self,
            keys=self.keys[rows],
            weights=self.weights[rows],
            rowless=RowlessWords(self.keys[lost], self.weights[lost]),
        )

    def has(self, word: str) -> bool:
        """Whether a whole word was met."""
        return self._met(word) is not None

    def weight(self, word: str) -> float:
        """How much a word says: its idf in the texts that the vocabulary was learnt from."""
        met = self._met(word)
        return self.unseen if met is None else met

    def _met(self, word: str) -> float | None:
        """The idf of a word that was met."""
        asked = [word_key(word)]
        for known in (self, self.rowless):
            if len(found := _places(asked, known.keys)):
                return float(known.weights[found[0]])
        return None

    def features(self, word: str) -> tuple[IntArray, FloatArray]:
        """The rows of a word and their weights, together of length one; none if all is unseen."""
        whole = _places([word_key(word)], self.keys)
        parts = _places(ngram_keys(word), self.keys)
        weights = np.ones(len(whole) + len(parts), dtype=np.float32)
        weights[len(whole) :] = NGRAMS / np.sqrt(max(1, len(parts)))
        return np.concatenate([whole, parts]), weights / max(1e-9, float(np.linalg.norm(weights)))


def _places(asked: Sequence[int], known: NDArray[np.uint32]) -> IntArray:
    """Where the hashes stand among the known ones, which rise; those that do not are left out."""
    if not len(known):
        return np.zeros(0, dtype=np.int32)
    hashes = np.array(asked, dtype=np.uint32)
    places = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
    found: IntArray = places[known[places] == hashes].astype(np.int32)
    return found


def _idf(texts: int, containing: int) -> float:
    return float(np.log1p(texts / (1 + containing)))
