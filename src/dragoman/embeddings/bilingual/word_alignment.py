"""Bitext and dictionary -> packed texts of both languages and the counts of aligned words.

Words are normalised as by ``normalize_word``, without stop words and stemming, so that the words of
texts can be looked up in the learnt vectors. The aligner is that of ``lexicons``; dictionary
entries are added as short sentence pairs, as there.
"""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.embeddings.normalization import StopWordList, WordTokenizer, WordTokenizerConfig
from dragoman.errors import ConfigError
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.alignment.aligner import AlignmentConfig, align
from dragoman.lexicons.alignment.packed_bitext import WeightedPair, pack
from dragoman.lexicons.dictionary import LONGEST_SIDE
from dragoman.lexicons.sparse_rows import Table
from dragoman.protocols import Advance, no_progress
from dragoman.types import IntArray

LONGEST = 100  # words; sentence pairs with a longer side are skipped
ENTRY_WEIGHT = 2  # how many sentence pairs a dictionary entry counts for
TOKENIZER = WordTokenizer(WordTokenizerConfig(stop=StopWordList.NONE, shortest=1))

WordPair = tuple[tuple[str, ...], tuple[str, ...]]  # the words of both sides


@dataclass(frozen=True, eq=False)
class MonolingualText:
    """One language: its words by falling count, and its texts as word ids.

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
    """The texts of two languages and the expected counts of their aligned words."""

    source: MonolingualText
    target: MonolingualText
    sentences: int  # the number of sentence pairs, before the dictionary entries
    links: Table  # (source words, target words)

    def translation_strength(self) -> Table:
        """``sqrt(p(t|s) p(s|t))``: 1 for words that are each other's only translation."""
        forward = sparse_rows.normalised(self.links)
        backward = sparse_rows.normalised(sparse_rows.transposed(self.links))
        return sparse_rows.geometric_mean(forward, backward)


def tokenize_pairs(pairs: Iterable[tuple[str, str]], source: str, target: str) -> list[WordPair]:
    """The words of both sides of every pair, without pairs with an empty side."""
    both = (
        (tuple(TOKENIZER(one, source)), tuple(TOKENIZER(other, target))) for one, other in pairs
    )
    return [pair for pair in both if pair[0] and pair[1]]


def align_words(
    sentences: list[WordPair],
    entries: list[WordPair],
    languages: tuple[str, str],
    config: AlignmentConfig,
    advance: Advance = no_progress,
) -> ParallelWords:
    """Both sides packed and aligned; ``advance`` is called per packed pair and EM round."""
    short = [pair for pair in sentences if max(map(len, pair)) <= LONGEST]
    listed = [pair for pair in entries if max(map(len, pair)) <= LONGEST_SIDE]
    with tempfile.TemporaryDirectory(prefix="dragoman-") as name:
        packed = pack(_weighted(short, listed), Path(name), advance)
        if not len(packed):
            raise ConfigError(
                f"found nothing to learn {languages[0]}-{languages[1]} from;"
                " expected sentence pairs or entries with words on both sides"
            )
        aligned = align(packed, Path(name), config, lambda _: advance())
        shape = (len(packed.source_words), len(packed.target_words))
        cells = (aligned.model.rows, aligned.model.pairs.columns)
        counts = (aligned.forward_counts + aligned.backward_counts) / 2
        links = sparse_rows.table(*cells, counts, shape)
        # copies, because the packed files are deleted with their folder
        source, target = (
            MonolingualText(language, vocabulary.words, np.array(texts), starts)
            for language, vocabulary, texts, starts in (
                (languages[0], packed.source_words, *packed.texts[:2]),
                (languages[1], packed.target_words, *packed.texts[2:]),
            )
        )
    return ParallelWords(source, target, len(short), links)


def _weighted(sentences: list[WordPair], entries: list[WordPair]) -> Iterator[WeightedPair]:
    for source, target in sentences:
        yield WeightedPair(list(source), list(target), 1)
    for source, target in entries:
        yield WeightedPair(list(source), list(target), ENTRY_WEIGHT)
