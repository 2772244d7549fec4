"""Dictionary entries -> counts of word pairs, whatever the length of the entries."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dragoman.lexicons import sparse_rows
from dragoman.lexicons.sparse_rows import Table
from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.protocols import Tokenizer
from dragoman.types import DictionaryEntry

LONGEST_SIDE = 4  # words; a longer side is an explanation, not a translation


@dataclass(frozen=True)
class EntryTerms:
    """The terms of both sides of one entry."""

    source: tuple[str, ...]
    target: tuple[str, ...]


def entry_terms(
    entries: Iterable[DictionaryEntry], tokenize: Tokenizer, source: str, target: str
) -> list[EntryTerms]:
    """The analysed entries, without explanations and empty sides."""
    analysed = (
        EntryTerms(tuple(tokenize(entry.source, source)), tuple(tokenize(entry.target, target)))
        for entry in entries
    )
    return [
        entry
        for entry in analysed
        if 0 < len(entry.source) <= LONGEST_SIDE and 0 < len(entry.target) <= LONGEST_SIDE
    ]


def pair_counts(
    entries: Iterable[EntryTerms], source_words: Vocabulary, target_words: Vocabulary
) -> Table:
    """The count of every word pair; the pairs of one entry share a count of one."""
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
