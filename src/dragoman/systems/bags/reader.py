"""Texts -> counted words that have a vector, the same for queries and documents."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dragoman.embeddings.normalization import WordTokenizer, WordTokenizerConfig
from dragoman.systems.bags.config import BagSystemConfig
from dragoman.systems.bags.word_sources import WordSource
from dragoman.types import Text


class BagCounts(NamedTuple):
    """The known words of one text, in the order of their keys."""

    surfaces: tuple[str, ...]  # the first surface form of each key
    keys: tuple[str, ...]
    counts: tuple[int, ...]  # term frequencies
    unknown: int  # running words without a vector


class BagReader:
    """Counts the words of texts that one source has vectors for."""

    def __init__(self, source: WordSource, config: BagSystemConfig) -> None:
        self._source, self._first = source, config.first
        self._tokenize = WordTokenizer(WordTokenizerConfig(stop=config.stop))

    @property
    def signature(self) -> str:
        """What must be equal for two readers to count the same words."""
        return f"{self._tokenize.signature}|first:{self._first}"

    def __call__(self, text: Text) -> BagCounts:
        """The counted words of a text."""
        return self.count(self.words(text), text.language)

    def words(self, text: Text) -> list[str]:
        """The normalised words of a text without stop words, in order."""
        return self._tokenize(text.body, text.language)

    def count(self, words: Sequence[str], language: str) -> BagCounts:
        """The counts of those words that have a vector."""
        keys = self._source.keys(words, language)
        known = [(key, word) for key, word in zip(keys, words, strict=True) if key is not None]
        known = known[: self._first]
        # sorted by key, so that sums over the words of equal bags are equal bit for bit
        counts = dict(sorted(Counter(key for key, _ in known).items()))
        surfaces = dict(reversed(known))  # the first word of a key overwrites later ones
        return BagCounts(
            tuple(surfaces[key] for key in counts),
            tuple(counts),
            tuple(counts.values()),
            len(words) - sum(counts.values()),
        )
