"""A dictionary as counts of word pairs, whatever the length of its entries."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dragoman.lexicons import sparse_rows
from dragoman.lexicons.sparse_rows import Table
from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.protocols import Tokenizer
from dragoman.types import DictionaryEntry

LONGEST_SIDE = 4  # a longer side explains the word instead of translating it


@dataclass(frozen=True)
class EntryWords:
    """The words of both sides of one entry."""

    source: tuple[str, ...]
    target: tuple[str, ...]


def entry_words(
    entries: Iterable[DictionaryEntry], tokenize: Tokenizer, source: str, target: str
) -> list[EntryWords]:
    """The analysed entries that translate; explanations and empty sides are left out."""
    analysed = (
        EntryWords(tuple(tokenize(entry.source, source)), tuple(tokenize(entry.target, target)))
        for entry in entries
    )
    return [
        words
        for words in analysed
        if 0 < len(words.source) <= LONGEST_SIDE and 0 < len(words.target) <= LONGEST_SIDE
    ]


def pair_counts(
    entries: Iterable[EntryWords], source_words: Vocabulary, target_words: Vocabulary
) -> Table:
    """How often the dictionary pairs two words; an entry's one sighting is shared by its pairs."""
    sources: list[int] = []
    targets: list[int] = []
    shares: list[float] = []
    for entry in entries:
        share = 1 / (len(entry.source) * len(entry.target))
        for word in entry.source:
            for translation in entry.target:
                sources.append(source_words.ids[word])
                targets.append(target_words.ids[translation])
                shares.append(share)
    return sparse_rows.table(
        np.array(sources, dtype=np.int32),
        np.array(targets, dtype=np.int32),
        np.array(shares),
        (len(source_words), len(target_words)),
    )
