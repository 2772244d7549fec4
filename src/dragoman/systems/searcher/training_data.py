"""Bitext -> numbers: the words of both sides, the terms of every pair, pairs that are held out."""

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
    """Some pairs: the numbers of the documents' words, and which terms each pair has."""

    texts: Sequences
    terms: Sequences

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True)
class SearcherTrainingData:
    """All that a training reads."""

    name: str
    languages: tuple[str, str]  # of queries, of documents
    terms: Terms
    words: DocumentWords
    term_bags: Bags  # of every term
    word_bags: Bags  # of every different word of the documents' side
    training: SearcherSplit
    held_out: SearcherSplit
    spoken: tuple[Sequences, Sequences]  # the query side of both parts, as numbers of words
    spoken_words: Sequence[str]
    first: InitialVectors | None = None  # where the training does not begin with drawn ones


@dataclass(frozen=True)
class _WordLists(Sequence[Sequence[str]]):
    """Texts as words, made when they are read."""

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
            return [self[one] for one in range(*row.indices(len(self)))]
        if row >= len(self):
            raise IndexError(row)
        first, last = self.texts.starts[row], self.texts.starts[row + 1]
        return [self.words[number] for number in self.texts.words[first:last]]


def read_training_data(
    name: str,
    pairs: Iterable[SentencePair],
    languages: tuple[str, str],
    config: SearcherConfig,
    advance: Advance = no_progress,
) -> SearcherTrainingData:
    """The pairs that have words on both sides, in numbers; terms are those of training pairs."""
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
    held, kept = np.sort(order[:count]), np.sort(order[count:])
    spoken = select_rows(left_texts, kept), select_rows(left_texts, held)
    terms, of_pairs = learn_terms(spoken[0], query_side.words, languages[0], config.terms)
    others = known_terms(_WordLists(spoken[1], query_side.words), terms, languages[0])
    texts = select_rows(right_texts, kept), select_rows(right_texts, held)
    words = DocumentWords.learn(
        _WordLists(texts[0], document_side.words),
        frozenset({languages[1]}),
        config.model.rows,
        subwords=config.model.subwords,
    )
    first = None
    if config.first is SearcherInit.ALIGNED:
        sides, spelt = (spoken[0], texts[0]), (query_side.words, document_side.words)
        first = aligned_vectors(sides, spelt, languages, terms, words, config.model.size)
    return SearcherTrainingData(
        name=name,
        languages=languages,
        terms=terms,
        words=words,
        term_bags=terms.bags(),
        word_bags=words.bags(document_side.words),
        training=SearcherSplit(texts[0], of_pairs),
        held_out=SearcherSplit(texts[1], others),
        spoken=spoken,
        spoken_words=query_side.words,
        first=first,
    )


def select_rows(texts: Sequences, rows: IntArray) -> Sequences:
    """Some rows as texts of their own."""
    at, starts = gather_positions(texts.starts, rows)
    return Sequences(np.ascontiguousarray(texts.words[at]), starts)
