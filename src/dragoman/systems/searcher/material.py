"""Bitext -> numbers: the words of both sides, the terms of every pair, pairs that are held out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from dragoman.errors import InputError
from dragoman.protocols import Advance, no_progress
from dragoman.systems.searcher.config import First, SearcherConfig
from dragoman.systems.searcher.document_words import DocumentWords
from dragoman.systems.searcher.examples import Numbering, known_terms, learn_terms
from dragoman.systems.searcher.first_vectors import FirstVectors, aligned_vectors
from dragoman.systems.searcher.terms import Terms, words_of
from dragoman.training.texts import Bags, Sequences, gathered
from dragoman.types import IntArray, SentencePair, Text

FEWEST_PAIRS = 10


@dataclass(frozen=True, slots=True)
class Part:
    """Some pairs: the numbers of the documents' words, and which terms each pair has."""

    texts: Sequences
    terms: Sequences

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True)
class Material:
    """All that a training reads."""

    name: str
    languages: tuple[str, str]  # of queries, of documents
    terms: Terms
    words: DocumentWords
    term_bags: Bags  # of every term
    word_bags: Bags  # of every different word of the documents' side
    training: Part
    held_out: Part
    spoken: tuple[Sequences, Sequences]  # the query side of both parts, as numbers of words
    spoken_words: Sequence[str]
    first: FirstVectors | None = None  # where the training does not begin with drawn ones


@dataclass(frozen=True)
class _Lines(Sequence[Sequence[str]]):
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


def read_material(
    name: str,
    pairs: Iterable[SentencePair],
    languages: tuple[str, str],
    config: SearcherConfig,
    advance: Advance = no_progress,
) -> Material:
    """The pairs that have words on both sides, in numbers; terms are those of training pairs."""
    query_side, document_side = Numbering(), Numbering()
    for pair in pairs:
        left = words_of(Text(pair.source, languages[0]))
        right = words_of(Text(pair.target, languages[1]))
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
    spoken = chosen(left_texts, kept), chosen(left_texts, held)
    terms, of_pairs = learn_terms(spoken[0], query_side.words, languages[0], config.terms)
    others = known_terms(_Lines(spoken[1], query_side.words), terms, languages[0])
    texts = chosen(right_texts, kept), chosen(right_texts, held)
    words = DocumentWords.learn(
        _Lines(texts[0], document_side.words),
        frozenset({languages[1]}),
        config.model.rows,
        subwords=config.model.subwords,
    )
    first = None
    if config.first is First.ALIGNED:
        sides, spelt = (spoken[0], texts[0]), (query_side.words, document_side.words)
        first = aligned_vectors(sides, spelt, languages, terms, words, config.model.size)
    return Material(
        name=name,
        languages=languages,
        terms=terms,
        words=words,
        term_bags=terms.bags(),
        word_bags=words.bags(document_side.words),
        training=Part(texts[0], of_pairs),
        held_out=Part(texts[1], others),
        spoken=spoken,
        spoken_words=query_side.words,
        first=first,
    )


def chosen(texts: Sequences, rows: IntArray) -> Sequences:
    """Some rows as texts of their own."""
    at, starts = gathered(texts.starts, rows)
    return Sequences(np.ascontiguousarray(texts.words[at]), starts)
