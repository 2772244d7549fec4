"""Bitext -> training data: word ids of both sides, the terms of every pair, held-out pairs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from dragoman.errors import InputError
from dragoman.protocols import Advance, no_progress
from dragoman.systems.searcher.config import SearcherConfig, SearcherInit
from dragoman.systems.searcher.document_words import DocumentWords
from dragoman.systems.searcher.examples import VocabularyBuilder, known_terms, learn_terms
from dragoman.systems.searcher.initialization import InitialVectors, aligned_vectors
from dragoman.systems.searcher.terms import Terms, all_words
from dragoman.training.sequences import Bags, Sequences, gather_positions
from dragoman.types import IntArray, SentencePair, Text

FEWEST_PAIRS = 10


@dataclass(frozen=True, slots=True)
class SearcherSplit:
    """Pairs: the word ids of the document side, and the terms of the query side."""

    texts: Sequences
    terms: Sequences

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True)
class SearcherTrainingData:
    """The data of a training."""

    name: str
    languages: tuple[str, str]  # of queries and of documents
    terms: Terms
    words: DocumentWords
    term_bags: Bags  # of every term
    word_bags: Bags  # of every distinct word of the document side
    training: SearcherSplit
    held_out: SearcherSplit
    query_texts: tuple[Sequences, Sequences]  # query sides of training and held-out pairs
    query_words: Sequence[str]  # by word id
    initial: InitialVectors | None = None  # None: random


@dataclass(frozen=True)
class _WordLists(Sequence[Sequence[str]]):
    """Texts as lists of words, looked up lazily."""

    texts: Sequences
    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, row: int) -> list[str]: ...

    @overload
    def __getitem__(self, row: slice) -> list[list[str]]: ...

    def __getitem__(self, row: int | slice) -> list[str] | list[list[str]]:
        if isinstance(row, slice):
            return [self[index] for index in range(*row.indices(len(self)))]
        if row >= len(self):
            raise IndexError(row)
        return [self.words[number] for number in self.texts.row(row)]


def read_training_data(
    name: str,
    pairs: Iterable[SentencePair],
    languages: tuple[str, str],
    config: SearcherConfig,
    advance: Advance = no_progress,
) -> SearcherTrainingData:
    """The pairs with words on both sides; terms are those of the training pairs."""
    query_side, document_side = VocabularyBuilder(), VocabularyBuilder()
    for pair in pairs:
        left = all_words(Text(pair.source, languages[0]))
        right = all_words(Text(pair.target, languages[1]))
        if left and right:
            query_side.add(left)
            document_side.add(right[: config.model.longest])
        advance()
    left_texts, right_texts = query_side.sequences, document_side.sequences
    if len(left_texts) < FEWEST_PAIRS:
        raise InputError(
            name, None, found=f"{len(left_texts)} pairs with words", expected=f"{FEWEST_PAIRS}"
        )
    order = np.random.default_rng(config.train.seed).permutation(len(left_texts))
    count = max(1, min(config.held_out, len(order) // 10))
    held_out, training = np.sort(order[:count]), np.sort(order[count:])
    query_texts = select_rows(left_texts, training), select_rows(left_texts, held_out)
    terms, training_terms = learn_terms(
        query_texts[0], query_side.words, languages[0], config.terms
    )
    held_out_texts = _WordLists(query_texts[1], query_side.words)
    held_out_terms = known_terms(held_out_texts, terms, languages[0])
    texts = select_rows(right_texts, training), select_rows(right_texts, held_out)
    words = DocumentWords.learn(
        _WordLists(texts[0], document_side.words),
        frozenset({languages[1]}),
        config.model.rows,
        subwords=config.model.subwords,
    )
    initial = None
    if config.first is SearcherInit.ALIGNED:
        sides, side_words = (query_texts[0], texts[0]), (query_side.words, document_side.words)
        initial = aligned_vectors(sides, side_words, languages, terms, words, config.model.size)
    return SearcherTrainingData(
        name=name,
        languages=languages,
        terms=terms,
        words=words,
        term_bags=terms.bags(),
        word_bags=words.bags(document_side.words),
        training=SearcherSplit(texts[0], training_terms),
        held_out=SearcherSplit(texts[1], held_out_terms),
        query_texts=query_texts,
        query_words=query_side.words,
        initial=initial,
    )


def select_rows(texts: Sequences, rows: IntArray) -> Sequences:
    """Some rows as sequences of their own."""
    at, starts = gather_positions(texts.starts, rows)
    return Sequences(np.ascontiguousarray(texts.words[at]), starts)
