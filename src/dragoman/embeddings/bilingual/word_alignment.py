"""Bitext and dictionary -> numbered words of both languages and how often they are aligned.

Words are spelt as ``spelling`` does and nothing is stopped or stemmed, so that the vectors learnt
from them are found by the words of texts. The aligner is that of ``lexicons``; dictionary entries
are read as short sentence pairs, as there.
"""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from dragoman.embeddings.normalization import StopWordList, WordTokenizer, WordTokenizerConfig
from dragoman.errors import ConfigError
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.alignment.aligner import AlignmentConfig, align
from dragoman.lexicons.alignment.packed_bitext import WeightedPair, pack
from dragoman.lexicons.dictionary import LONGEST_SIDE
from dragoman.lexicons.sparse_rows import Table
from dragoman.protocols import Advance, no_progress
from dragoman.types import IntArray

LONGEST = 100  # words; sentence pairs with a longer side are left out
ENTRY_WEIGHT = 2  # sentence pairs that a dictionary entry counts for
WORDS = WordTokenizer(WordTokenizerConfig(stop=StopWordList.NONE, shortest=1))

WordPair = tuple[tuple[str, ...], tuple[str, ...]]  # the words of both sides


@dataclass(frozen=True, eq=False)
class MonolingualText:
    """One language: its words by falling count, and its texts as numbers of words.

    Text n is ``packed[starts[n]:starts[n + 1]]``: first the sentences, then dictionary entries.
    """

    language: str
    words: tuple[str, ...]
    packed: IntArray
    starts: IntArray

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, eq=False)
class ParallelWords:
    """Two languages and the expected number of times that their words are aligned."""

    source: MonolingualText
    target: MonolingualText
    sentences: int  # pairs of texts that are sentences
    links: Table  # (source words, target words)

    def likeness(self) -> Table:
        """``sqrt(p(t|s) p(s|t))``: 1 for words that translate each other and nothing else."""
        forward = sparse_rows.normalised(self.links)
        backward = sparse_rows.normalised(csr_array(self.links.T))
        return sparse_rows.geometric_mean(forward, backward)


def tokenize_pairs(pairs: Iterable[tuple[str, str]], source: str, target: str) -> list[WordPair]:
    """The words of both sides of every pair; pairs with an empty side are left out."""
    both = ((tuple(WORDS(one, source)), tuple(WORDS(other, target))) for one, other in pairs)
    return [pair for pair in both if pair[0] and pair[1]]


def align_words(
    sentences: list[WordPair],
    entries: list[WordPair],
    languages: tuple[str, str],
    config: AlignmentConfig,
    advance: Advance = no_progress,
) -> ParallelWords:
    """Both sides numbered and aligned; ``advance`` is told of pairs packed and rounds done."""
    short = [pair for pair in sentences if max(map(len, pair)) <= LONGEST]
    listed = [pair for pair in entries if max(map(len, pair)) <= LONGEST_SIDE]
    with tempfile.TemporaryDirectory(prefix="dragoman-") as name:
        packed = pack(_weighed(short, listed), Path(name), advance)
        if not len(packed):
            raise ConfigError(
                f"found nothing to learn {languages[0]}-{languages[1]} from;"
                " expected sentence pairs or entries with words on both sides"
            )
        aligned = align(packed, Path(name), config, lambda _: advance())
        shape = (len(packed.source_words), len(packed.target_words))
        places = (aligned.model.rows, aligned.model.pairs.columns)
        counts = (aligned.forward_counts + aligned.backward_counts) / 2
        links = sparse_rows.table(*places, counts, shape)
        # the packed files go with their folder
        source, target = (
            MonolingualText(language, vocabulary.words, np.array(texts), starts)
            for language, vocabulary, texts, starts in (
                (languages[0], packed.source_words, *packed.texts[:2]),
                (languages[1], packed.target_words, *packed.texts[2:]),
            )
        )
    return ParallelWords(source, target, len(short), links)


def _weighed(sentences: list[WordPair], entries: list[WordPair]) -> Iterator[WeightedPair]:
    for source, target in sentences:
        yield WeightedPair(list(source), list(target), 1)
    for source, target in entries:
        yield WeightedPair(list(source), list(target), ENTRY_WEIGHT)
