"""Bitext -> the initial vectors of a training.

They are those of the baseline of section 2: word vectors of both languages, learnt from the
training pairs alone (``embeddings.bilingual``). A word's vector is split between its row and
its stem's row, or its row and the rows of its n-grams, so that unseen forms have a vector too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dragoman.embeddings.bilingual.learning import EmbeddingsConfig, learn_embeddings
from dragoman.embeddings.normalization import normalize_word
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.lexicons.vocabulary import ABSENT
from dragoman.systems.searcher.document_words import DocumentWords
from dragoman.systems.searcher.terms import Terms, stem_word
from dragoman.training.sequences import Sequences
from dragoman.types import SentencePair

LENGTH = 3.0  # of an initial vector: a cosine of .6 then means a probability just above .5
DAMPING = 1.0  # shrinks the vectors of n-grams with few words


@dataclass(frozen=True, slots=True)
class InitialVectors:
    """The initial rows of terms and document words; zero where unknown."""

    terms: NDArray[np.float32]  # (rows of terms, size)
    words: NDArray[np.float32]  # (rows of words and n-grams, size)


@dataclass(frozen=True, slots=True)
class _JoinedPairs:
    """Pairs of id sequences as sentence pairs, joined lazily."""

    sides: tuple[Sequences, Sequences]
    words: tuple[Sequence[str], Sequence[str]]

    def __iter__(self) -> Iterator[SentencePair]:
        for row in range(len(self.sides[0])):
            yield SentencePair(self._text(0, row), self._text(1, row))

    def _text(self, side: int, row: int) -> str:
        words = self.words[side]
        return " ".join(words[number] for number in self.sides[side].row(row))


def aligned_vectors(
    sides: tuple[Sequences, Sequences],
    words: tuple[Sequence[str], Sequence[str]],
    languages: tuple[str, str],
    terms: Terms,
    document_words: DocumentWords,
    size: int,
) -> InitialVectors:
    """The initial vectors learnt from a bitext of word ids."""
    config = EmbeddingsConfig(dimension=size, held_out=0)
    embeddings = learn_embeddings(_JoinedPairs(sides, words), [], *languages, config)
    return InitialVectors(
        _term_vectors(embeddings.source, terms, size),
        _word_vectors(embeddings.target, words[1], document_words, size),
    )


def _scaled_vectors(
    vectors: WordVectors, words: Sequence[str], language: str, size: int
) -> NDArray[np.float32]:
    """(words, size): vectors of ``LENGTH``; zero for a word without a vector."""
    rows = vectors.rows([normalize_word(word, language) for word in words])
    scaled = np.zeros((len(words), size), dtype=np.float32)
    has_vector = rows != ABSENT
    scaled[has_vector, : vectors.dimension] = LENGTH * np.asarray(vectors.matrix[rows[has_vector]])
    return scaled


def _term_vectors(vectors: WordVectors, terms: Terms, size: int) -> NDArray[np.float32]:
    """Half of a word's vector in its own row; half of the mean of a stem's words in its row."""
    words = [name.partition(":")[2] for name in terms.words]
    known = _scaled_vectors(vectors, words, vectors.language, size)
    stem_rows = {name: row for row, name in enumerate(terms.stems)}
    stems = [f"{vectors.language}:{stem_word(word, vectors.language)}" for word in words]
    owners = np.array([stem_rows.get(stem, ABSENT) for stem in stems], dtype=np.int64)
    has_both = known.any(axis=1) & (owners != ABSENT)
    sums = np.zeros((len(terms.stems), size), dtype=np.float32)
    np.add.at(sums, owners[has_both], known[has_both])
    counts = np.bincount(owners[has_both], minlength=len(terms.stems))
    table = np.zeros((len(terms), size), dtype=np.float32)
    table[: len(words)] = known / 2
    table[len(words) : len(words) + len(sums)] = sums / np.maximum(counts, 1)[:, None] / 2
    return table


def _word_vectors(
    vectors: WordVectors, words: Sequence[str], document_words: DocumentWords, size: int
) -> NDArray[np.float32]:
    """N-grams: a damped mean of the vectors of their words; whole words: the remainder."""
    known = _scaled_vectors(vectors, words, vectors.language, size)
    with_vector = np.flatnonzero(known.any(axis=1))
    known = known[with_vector]
    known_words = [words[row] for row in with_vector.tolist()]
    bags = document_words.bags(known_words)
    word_rows = np.array([document_words.row(word) for word in known_words], dtype=np.int64)
    is_word_row = np.zeros(len(document_words) + 1, dtype=bool)
    is_word_row[word_rows] = True  # the last entry is for words without a row
    is_word = is_word_row[:-1][bags.words]
    shape = (len(with_vector), len(document_words))
    ngrams = csr_array((np.where(is_word, 0, bags.weights), bags.words, bags.starts), shape=shape)
    reach = ngrams.T @ ngrams.sum(axis=1)
    table = np.asarray((ngrams.T @ known) / (reach + DAMPING)[:, None], dtype=np.float32)
    remainder = known - ngrams @ table
    weights = np.zeros(len(document_words) + 1, dtype=np.float32)
    weights[bags.words[is_word]] = bags.weights[is_word]
    has_row = word_rows != ABSENT
    table[word_rows[has_row]] = remainder[has_row] / weights[word_rows[has_row], None]
    return table
