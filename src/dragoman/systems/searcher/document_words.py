"""Words of documents -> bags of rows: the word itself and its character n-grams.

Inflected forms of Swahili or Finnish share most of their n-grams, so one that bitext never had is
still read by its parts (``vectors.subwords``).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dragoman.embeddings.word_vectors import ABSENT
from dragoman.encoders.subwords import SubwordConfig, SubwordVocabulary, word_key
from dragoman.training.sequences import Bags

NEVER = 1 << 62  # words that an n-gram must be in to be kept, where none is wanted
CACHED_WORDS = 1 << 17


class DocumentWords:
    """The rows that words of documents have, whatever their language."""

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
        """At most ``rows``: the most frequent words and, beside them, n-grams of several words."""
        config = (
            SubwordConfig(rows=rows) if subwords else SubwordConfig(rows=2 * rows, min_words=NEVER)
        )
        return cls(SubwordVocabulary.learn(texts, config), languages)

    def __len__(self) -> int:
        return len(self.vocabulary)

    def row(self, word: str) -> int:
        """The row of a whole word; ``ABSENT`` where it has none."""
        key = np.uint32(word_key(word))
        place = int(np.searchsorted(self.vocabulary.keys, key))
        here = place < len(self.vocabulary) and self.vocabulary.keys[place] == key
        return place if here else ABSENT

    def bags(self, words: Sequence[str]) -> Bags:
        """One bag per word; empty for a word of which nothing is known."""
        found = [self._features(word) for word in words]
        starts = np.cumsum([0, *(len(rows) for rows, _ in found)], dtype=np.int64)
        rows = np.concatenate([np.zeros(0, np.int32), *(rows for rows, _ in found)])
        weights = np.concatenate([np.zeros(0, np.float32), *(weights for _, weights in found)])
        return Bags(rows.astype(np.int32), starts, weights.astype(np.float32))
