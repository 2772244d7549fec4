"""Word counts -> a compound splitter, after Koehn and Knight (2003, "Empirical methods for compound
splitting"): the split whose parts have the highest geometric mean of counts, if that is above the
count of the whole word.
"""

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from dragoman.errors import ConfigError
from dragoman.text.languages import canonical
from dragoman.tokens import stopwords

# Linking elements between two parts. Other languages join parts without any, as Finnish does.
LINKERS: Mapping[str, tuple[str, ...]] = {
    "af": ("s", "e"),
    "da": ("s", "e"),
    "de": ("s", "es", "n", "en", "er", "e", "ens", "ns"),
    "nl": ("s", "e", "en", "er"),
    "no": ("s", "e"),
    "sv": ("s", "e", "o", "u"),
}
MOST_PARTS = 4
LONGEST_WORD = 64
CACHED_WORDS = 1 << 16


@dataclass(frozen=True, slots=True)
class CompoundPart:
    """One part of a compound and the linking letters after it."""

    word: str
    linker: str = ""


class CompoundSplitter:
    """Splits the words of one language; the order of ``counts`` does not matter.

    ``counts`` has the words that may be parts, with the same normalization as the words to split.
    """

    def __init__(self, language: str, counts: Mapping[str, int], min_length: int = 4) -> None:
        if min_length < 2:
            raise ConfigError(f"min_length must be at least 2, got {min_length}")
        self.language = canonical(language)
        self.counts = counts
        self.min_length = min_length
        self.parts = lru_cache(CACHED_WORDS)(self._parts)

    @classmethod
    def train(
        cls, counts: Mapping[str, int], language: str, *, min_length: int = 4, min_count: int = 3
    ) -> Self:
        """A splitter whose parts are the suitable words of ``counts``.

        Stop words are no parts (Nachfrage is not nach + Frage), nor are words with other characters
        than letters, nor words with a count below ``min_count``.
        """
        code = canonical(language)
        stop = {word.casefold() for word in stopwords.full_list(code)}
        parts = {
            word: count
            for word, count in counts.items()
            if count >= min_count and len(word) >= min_length and word.isalpha()
        }
        return cls(code, {word: parts[word] for word in sorted(parts.keys() - stop)}, min_length)

    @property
    def signature(self) -> str:
        """A digest of everything that a split depends on."""
        listed = "\n".join(f"{word}\t{self.counts[word]}" for word in sorted(self.counts))
        return f"{self.min_length}-{hashlib.sha256(listed.encode()).hexdigest()[:12]}"

    def split(self, word: str) -> list[str]:
        """The parts without their linking letters; the word itself if it is no compound."""
        return [part.word for part in self.parts(word)]

    def _parts(self, word: str) -> tuple[CompoundPart, ...]:
        """The parts with their linking letters; joined, they are the word."""
        best = _CompoundSplit(math.log(max(self.counts.get(word, 0), 1)), (CompoundPart(word),))
        if 2 * self.min_length <= len(word) <= LONGEST_WORD:
            best = max([best, *self._best_by_number(word)], key=_CompoundSplit.rank)
        return best.parts

    def _best_by_number(self, word: str) -> list["_CompoundSplit"]:
        """The best split into two parts, three and so on, by dynamic programming from the end."""
        tails = {
            start: _CompoundSplit(
                math.log(self.counts[word[start:]]), (CompoundPart(word[start:]),)
            )
            for start in range(self.min_length, len(word))
            if word[start:] in self.counts
        }
        splits: list[_CompoundSplit] = []
        for _ in range(MOST_PARTS - 1):
            if not tails:
                break
            longer: dict[int, _CompoundSplit] = {}
            for start, split in self._one_part_longer(word, tails):
                longer[start] = max(longer.get(start, split), split, key=_CompoundSplit.rank)
            if 0 in longer:
                splits.append(longer.pop(0))
            tails = longer
        return splits

    def _one_part_longer(
        self, word: str, tails: Mapping[int, "_CompoundSplit"]
    ) -> Iterator[tuple[int, "_CompoundSplit"]]:
        linkers = ("", *LINKERS.get(self.language, ()))
        for tail_start, tail in tails.items():
            for linker in linkers:
                end = tail_start - len(linker)
                if end < self.min_length or not word.endswith(linker, end, tail_start):
                    continue
                for start in range(end - self.min_length + 1):
                    if count := self.counts.get(word[start:end]):
                        part = CompoundPart(word[start:end], linker)
                        yield (
                            start,
                            _CompoundSplit(math.log(count) + tail.log_counts, (part, *tail.parts)),
                        )


@dataclass(frozen=True, slots=True)
class _CompoundSplit:
    log_counts: float  # the sum over the parts
    parts: tuple[CompoundPart, ...]

    def rank(self) -> tuple[float, int, str]:
        """Sort key: the geometric mean; ties by fewer parts, then by the first part."""
        return self.log_counts / len(self.parts), -len(self.parts), self.parts[0].word
