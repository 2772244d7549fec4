"""Aligned texts -> arrays of word numbers, the input of the sampler.

A corpus is monolingual (plain LDA), bilingual, or has more languages (Mimno et al. 2009). Word
numbers continue from one language to the next. Topics ignore word order, so the words of a text are
sorted by number.
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
    """Documents in several languages; the text of a document in a language may be empty."""

    languages: tuple[str, ...]
    vocabularies: tuple[tuple[str, ...], ...]  # by language
    words: IntArray  # (running words,) int32; document after document, language after language
    starts: IntArray  # (documents * languages + 1,) int64

    @property
    def documents(self) -> int:
        """The number of documents; all languages of one count once."""
        return (len(self.starts) - 1) // len(self.languages)

    @cached_property
    def vocabulary_sizes(self) -> IntArray:
        """The number of distinct words of each language."""
        return np.array([len(words) for words in self.vocabularies], dtype=np.int64)

    @cached_property
    def languages_of_words(self) -> IntArray:
        """The index of each running word's language."""
        languages = np.arange(len(self.starts) - 1) % len(self.languages)
        return np.repeat(languages, np.diff(self.starts))

    @cached_property
    def digest(self) -> str:
        """The same for two corpora if and only if they hold the same data."""
        digest = hashlib.sha256(repr(self.languages).encode())
        for words in self.vocabularies:
            digest.update("\n".join(words).encode("utf-8", "surrogatepass"))
        digest.update(self.words.tobytes())
        digest.update(self.starts.tobytes())
        return digest.hexdigest()[:16]


def build_corpus(
    items: Iterable[Sequence[Text]],
    languages: Sequence[str],
    tokenize: Tokenizer,
    first: int,
    advance: Advance = no_progress,
) -> AlignedCorpus:
    """The corpus of the ``first`` words of every text.

    Each item has one text per language, in the order of ``languages``.
    """
    numbers: list[dict[str, int]] = [{} for _ in languages]
    words, ends = array("i"), array("q", [0])
    for item in items:
        if [text.language for text in item] != list(languages):
            raise ConfigError(
                f"found texts in {', '.join(text.language or '?' for text in item)};"
                f" expected one in each of {', '.join(languages)}"
            )
        for text, known in zip(item, numbers, strict=True):
            tokens = tokenize(text.body, text.language)[:first]
            words.extend(sorted(known.setdefault(token, len(known)) for token in tokens))
            ends.append(len(words))
        advance()
    if not words:
        raise ConfigError("found no word in any document; expected aligned documents with text")
    flat = np.frombuffer(words, dtype=np.int32)
    starts = np.frombuffer(ends, dtype=np.int64)
    vocabularies = tuple(tuple(known) for known in numbers)
    offsets = np.concatenate(([0], np.cumsum([len(known) for known in numbers])))[:-1]
    corpus = AlignedCorpus(tuple(languages), vocabularies, flat, starts)
    numbered = (flat + offsets[corpus.languages_of_words]).astype(np.int32)
    return AlignedCorpus(tuple(languages), vocabularies, numbered, starts)
