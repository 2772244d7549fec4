"""Texts -> counted keys; queries and documents are read alike."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dragoman.embeddings.normalization import WordTokenizer, WordTokenizerConfig
from dragoman.systems.bags.config import BagConfig
from dragoman.systems.bags.word_sources import WordSource
from dragoman.types import Text


class Read(NamedTuple):
    """The known words of one text by rising key: a surface of each, and how often it occurs."""

    surfaces: tuple[str, ...]
    keys: tuple[str, ...]
    counts: tuple[int, ...]
    unknown: int  # running words without a vector


class Reader:
    """Reads texts with one source of word vectors."""

    def __init__(self, source: WordSource, config: BagConfig) -> None:
        self._source, self._first = source, config.first
        self._prepare = WordTokenizer(WordTokenizerConfig(stop=config.stop))

    @property
    def signature(self) -> str:
        """What must be equal for two readers to find the same words."""
        return f"{self._prepare.signature}|first:{self._first}"

    def __call__(self, text: Text) -> Read:
        """The known words of a text."""
        return self.read(self.words(text), text.language)

    def words(self, text: Text) -> list[str]:
        """The words of a text that may have a vector, in order."""
        return self._prepare(text.body, text.language)

    def read(self, words: Sequence[str], language: str) -> Read:
        """The known ones of these words."""
        keys = self._source.keys(words, language)
        known = [(key, word) for key, word in zip(keys, words, strict=True) if key is not None]
        known = known[: self._first]
        # in the order of the keys, so that sums over the words of equal bags are equal bit for bit
        counts = dict(sorted(Counter(key for key, _ in known).items()))
        surfaces = dict(reversed(known))  # the first word that a key was met with
        return Read(
            tuple(surfaces[key] for key in counts),
            tuple(counts),
            tuple(counts.values()),
            len(words) - sum(counts.values()),
        )
