"""Aligned documents -> numbered words: what sampling reads, in arrays.

A corpus is monolingual (plain LDA), bilingual, or has more languages (Mimno et al. 2009); the words
of every language are numbered after those of the one before. Order within a document does not
matter to topics, so its words stand by number: equal words are neighbours.
"""

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dragoman.errors import ConfigError
from dragoman.protocols import Advance, Tokenizer, no_progress
from dragoman.types import IntArray, Text


@dataclass(frozen=True, eq=False)
class AlignedCorpus:
    """Documents that each stand in several languages, though some sides may be empty."""

    languages: tuple[str, ...]
    vocabularies: tuple[tuple[str, ...], ...]  # by language
    words: IntArray  # (running words,) int32; by document, then by language
    starts: IntArray  # (documents * languages + 1,) int64

    @property
    def documents(self) -> int:
        """How many there are, all languages of one counted once."""
        return (len(self.starts) - 1) // len(self.languages)

    @cached_property
    def sizes(self) -> IntArray:
        """How many different words each language has."""
        return np.array([len(words) for words in self.vocabularies], dtype=np.int64)

    @cached_property
    def languages_of_words(self) -> IntArray:
        """The number of each running word's language."""
        sides = np.arange(len(self.starts) - 1) % len(self.languages)
        return np.repeat(sides, np.diff(self.starts))

    @cached_property
    def digest(self) -> str:
        """What must be equal for two trainings to be on the same data."""
        found = hashlib.sha256(repr(self.languages).encode())
        for words in self.vocabularies:
            found.update("\n".join(words).encode("utf-8", "surrogatepass"))
        found.update(self.words.tobytes())
        found.update(self.starts.tobytes())
        return found.hexdigest()[:16]


def collect(
    items: Iterable[Sequence[Text]],
    languages: Sequence[str],
    tokenize: Tokenizer,
    first: int,
    advance: Advance = no_progress,
) -> AlignedCorpus:
    """The first words of every text; each item has one text per language, in their order."""
    numbers: list[dict[str, int]] = [{} for _ in languages]
    words, ends = array("i"), array("q", [0])
    for item in items:
        if [text.language for text in item] != list(languages):
            raise ConfigError(
                f"found texts in {', '.join(text.language or '?' for text in item)};"
                f" expected one in each of {', '.join(languages)}"
            )
        for text, known in zip(item, numbers, strict=True):
            kept = tokenize(text.body, text.language)[:first]
            words.extend(sorted(known.setdefault(word, len(known)) for word in kept))
            ends.append(len(words))
        advance()
    if not words:
        raise ConfigError("found no word in any document; expected aligned documents with text")
    flat = np.frombuffer(words, dtype=np.int32)
    starts = np.frombuffer(ends, dtype=np.int64)
    vocabularies = tuple(tuple(known) for known in numbers)
    offsets = np.concatenate(([0], np.cumsum([len(known) for known in numbers])))[:-1]
    corpus = AlignedCorpus(tuple(languages), vocabularies, flat, starts)
    moved = (flat + offsets[corpus.languages_of_words]).astype(np.int32)
    return AlignedCorpus(tuple(languages), vocabularies, moved, starts)
