"""Aligned words of bitext -> the vectors that a training begins with.

What the baseline of section 2 ends with is a good beginning: word vectors of both languages, learnt
from the training pairs alone (``vectors.embeddings_learning``). A word's vector is shared out among
its row and its stem's, or its row and its n-grams', so that forms without a vector have one too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dragoman.embeddings.bilingual.learning import EmbeddingsConfig, learn_embeddings
from dragoman.embeddings.normalization import normalize_word
from dragoman.embeddings.word_vectors import ABSENT, WordVectors
from dragoman.systems.searcher.document_words import DocumentWords
from dragoman.systems.searcher.terms import Terms, stem_word
from dragoman.training.sequences import Sequences
from dragoman.types import SentencePair

LENGTH = 3.0  # of a first vector: two words of a cosine of .6 are then a little likelier than not
DAMPING = 1.0  # an n-gram of few words is not believed in full


@dataclass(frozen=True, slots=True)
class InitialVectors:
    """The rows that terms and words of documents begin with; zero where nothing is known."""

    terms: NDArray[np.float32]  # (rows of terms, size)
    words: NDArray[np.float32]  # (rows of words and n-grams, size)


@dataclass(frozen=True, slots=True)
class _JoinedPairs:
    """Pairs of numbered texts as strings, made when they are read."""

    sides: tuple[Sequences, Sequences]
    words: tuple[Sequence[str], Sequence[str]]

    def __iter__(self) -> Iterator[SentencePair]:
        for row in range(len(self.sides[0])):
            yield SentencePair(self._text(0, row), self._text(1, row))

    def _text(self, side: int, row: int) -> str:
        texts, words = self.sides[side], self.words[side]
        numbers = texts.words[texts.starts[row] : texts.starts[row + 1]]
        return " ".join(words[number] for number in numbers)


def aligned_vectors(
    sides: tuple[Sequences, Sequences],
    words: tuple[Sequence[str], Sequence[str]],
    languages: tuple[str, str],
    terms: Terms,
    found: DocumentWords,
    size: int,
) -> InitialVectors:
    """The first vectors of a bitext in numbers."""
    config = EmbeddingsConfig(dimension=size, held_out=0)
    learnt = learn_embeddings(_JoinedPairs(sides, words), [], *languages, config)
    return InitialVectors(
        _term_vectors(learnt.source, terms, size),
        _word_vectors(learnt.target, words[1], found, size),
    )


def _scaled_vectors(
    vectors: WordVectors, words: Sequence[str], language: str, size: int
) -> NDArray[np.float32]:
    """(words, size): vectors of ``LENGTH``; zero for a word without one."""
    rows = vectors.rows([normalize_word(word, language) for word in words])
    found = np.zeros((len(words), size), dtype=np.float32)
    has = rows != ABSENT
    found[has, : vectors.dimension] = LENGTH * np.asarray(vectors.matrix[rows[has]])
    return found


def _term_vectors(vectors: WordVectors, terms: Terms, size: int) -> NDArray[np.float32]:
    """Half of a word's vector in its own row, half of the mean of its stem's in the stem's row."""
    words = [name.partition(":")[2] for name in terms.words]
    known = _scaled_vectors(vectors, words, vectors.language, size)
    number = {name: place for place, name in enumerate(terms.stems)}
    stems = [f"{vectors.language}:{stem_word(word, vectors.language)}" for word in words]
    owners = np.array([number.get(stem, ABSENT) for stem in stems], dtype=np.int64)
    has = known.any(axis=1) & (owners != ABSENT)
    sums = np.zeros((len(terms.stems), size), dtype=np.float32)
    np.add.at(sums, owners[has], known[has])
    counts = np.bincount(owners[has], minlength=len(terms.stems))
    table = np.zeros((len(terms), size), dtype=np.float32)
    table[: len(words)] = known / 2
    table[len(words) : len(words) + len(sums)] = sums / np.maximum(counts, 1)[:, None] / 2
    return table


def _word_vectors(
    vectors: WordVectors, words: Sequence[str], found: DocumentWords, size: int
) -> NDArray[np.float32]:
    """N-grams take a damped mean of the words that have them, whole words what is then missing."""
    known = _scaled_vectors(vectors, words, vectors.language, size)
    has = np.flatnonzero(known.any(axis=1))
    known = known[has]
    bags = found.bags([words[row] for row in has.tolist()])
    whole = np.array([found.row(words[row]) for row in has.tolist()], dtype=np.int64)
    own = np.zeros(len(found) + 1, dtype=bool)
    own[whole] = True  # the last place is for words without a row
    is_own = own[:-1][bags.words]
    shape = (len(has), len(found))
    ngrams = csr_array((np.where(is_own, 0, bags.weights), bags.words, bags.starts), shape=shape)
    reach = ngrams.T @ ngrams.sum(axis=1)
    table = np.asarray((ngrams.T @ known) / (reach + DAMPING)[:, None], dtype=np.float32)
    missing = known - ngrams @ table
    weights = np.zeros(len(found) + 1, dtype=np.float32)
    weights[bags.words[is_own]] = bags.weights[is_own]
    kept = whole != ABSENT
    table[whole[kept]] = missing[kept] / weights[whole[kept], None]
    return table
