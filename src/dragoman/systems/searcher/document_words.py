"""Words of documents -> bags of rows: the word itself and its character n-grams.

Inflected forms of Swahili or Finnish share most of their n-grams, so a form that the bitext lacks
is represented by its parts (``encoders.subwords``).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dragoman.encoders.subwords import SubwordConfig, SubwordVocabulary, word_key
from dragoman.lexicons.vocabulary import ABSENT
from dragoman.training.sequences import Bags

NEVER = 1 << 62  # minimum number of words of an n-gram that excludes all of them
CACHED_WORDS = 1 << 17


class DocumentWords:
    """The vocabulary of document words of all languages."""

    def __init__(self, vocabulary: SubwordVocabulary, languages: frozenset[str]) -> None:
        self.vocabulary, self.languages = vocabulary, languages
        self._features = lru_cache(CACHED_WORDS)(vocabulary.features)

    @classmethod
    def learn(
        cls,
        texts: Sequence[Sequence[str]],
        languages: frozenset[str],
        rows: int,
        *,
        subwords: bool = True,
    ) -> "DocumentWords":
        """At most ``rows``: the most frequent words, and n-grams that several words share."""
        config = (
            SubwordConfig(rows=rows) if subwords else SubwordConfig(rows=2 * rows, min_words=NEVER)
        )
        return cls(SubwordVocabulary.learn(texts, config), languages)

    def __len__(self) -> int:
        return len(self.vocabulary)

    def row(self, word: str) -> int:
        """The row of a whole word; ``ABSENT`` if it has none."""
        key = np.uint32(word_key(word))
        row = int(np.searchsorted(self.vocabulary.keys, key))
        exists = row < len(self.vocabulary) and self.vocabulary.keys[row] == key
        return row if exists else ABSENT

    def bags(self, words: Sequence[str]) -> Bags:
        """One bag per word; empty for a word without any known part."""
        features = [self._features(word) for word in words]
        starts = np.cumsum([0, *(len(rows) for rows, _ in features)], dtype=np.int64)
        rows = np.concatenate([np.zeros(0, np.int32), *(rows for rows, _ in features)])
        weights = np.concatenate([np.zeros(0, np.float32), *(weights for _, weights in features)])
        return Bags(rows.astype(np.int32), starts, weights.astype(np.float32))
