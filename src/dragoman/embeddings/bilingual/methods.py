"""Aligned words -> vectors of both languages in one space, by one of two methods.

*direct*: one matrix for both languages, words by sentence pairs (Levy et al. 2017): words that
occur in the same pairs, of whichever language, have similar rows. Its PPMI is factorised once.

*procrustes*: the vectors of each language alone, aligned by an orthogonal map (``procrustes``).

After either, each vector is pulled towards those of its most probable translations; a word without
contexts gets the vector of its translations.
"""

from enum import StrEnum
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from dragoman.embeddings.bilingual.cooccurrences import window_counts
from dragoman.embeddings.bilingual.factorization import ppmi, truncated_svd
from dragoman.embeddings.bilingual.procrustes import align_spaces
from dragoman.embeddings.bilingual.word_alignment import MonolingualText, ParallelWords
from dragoman.encoders.sentence_encoder import normalized
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.sparse_rows import Table
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray, IntArray


class Method(StrEnum):
    """How vectors of two languages are put into one space."""

    DIRECT = "direct"
    PROCRUSTES = "procrustes"


class BilingualVectors(NamedTuple):
    """Vectors of length one, or zero for a word without contexts; one row per word."""

    source: FloatArray
    target: FloatArray


def direct_vectors(
    words: ParallelWords,
    *,
    dimension: int,
    rng: np.random.Generator,
    advance: Advance = no_progress,
) -> BilingualVectors:
    """Vectors from the sentence pairs and entries that words of both languages occur in."""
    pairs = vstack([incidence(words.source), incidence(words.target)], format="csr")
    information = ppmi(csr_array(pairs), smoothing=1.0)
    advance()
    factors = truncated_svd(information, dimension, rng)
    advance()
    vectors = normalized(factors.left * np.sqrt(factors.values))
    return BilingualVectors(
        _padded(vectors[: len(words.source)], len(words.source), dimension),
        _padded(vectors[len(words.source) :], len(words.target), dimension),
    )


def incidence(side: MonolingualText) -> Table:
    """The count of each word in each text."""
    texts = np.repeat(np.arange(len(side.starts) - 1), np.diff(side.starts))
    ones = np.ones(len(side.packed), dtype=np.float32)
    return sparse_rows.table(side.packed, texts, ones, (len(side), len(side.starts) - 1))


def procrustes_vectors(
    words: ParallelWords,
    dictionary: IntArray,
    *,
    dimension: int,
    window: int,
    rounds: int,
    rng: np.random.Generator,
    advance: Advance = no_progress,
) -> BilingualVectors:
    """Monolingual vectors aligned by an orthogonal map, refined in ``rounds``.

    ``dictionary`` holds rows (source, target) of known translations, to which the mutually most
    probable translations of the alignments are added.
    """
    source = monolingual_vectors(words.source, words.sentences, dimension, window, rng)
    advance()
    target = monolingual_vectors(words.target, words.sentences, dimension, window, rng)
    advance()
    pairs = np.concatenate(
        [dictionary.reshape(-1, 2), mutual_translations(words.translation_strength())]
    )
    known = source[pairs[:, 0]].any(axis=1) & target[pairs[:, 1]].any(axis=1)
    rotation = align_spaces(source, target, pairs[known], rounds, advance)
    return BilingualVectors(normalized(source @ rotation), target)


def pull_towards_translations(
    vectors: BilingualVectors, strength: Table, pull: float
) -> BilingualVectors:
    """Every vector plus the weighted vectors of its translations.

    A translation weighs ``pull`` times its ``strength``, all translations of a word together at
    most as much as the word: words that translate only each other get the same vector.
    """
    source, target = vectors
    there, back = _at_most_one(strength, pull), _at_most_one(csr_array(strength.T), pull)
    return BilingualVectors(
        normalized(source + there @ target),
        normalized(target + back @ source),
    )


def _at_most_one(table: Table, factor: float) -> Table:
    """The table times ``factor``, with rows that sum to more than one scaled down to one."""
    sums = factor * sparse_rows.row_sums(table)
    scaled = sparse_rows.as_table(table).copy()
    scaled.data *= (factor / np.maximum(sums, 1.0))[sparse_rows.row_numbers(scaled)].astype(
        np.float32
    )
    return scaled


def monolingual_vectors(
    side: MonolingualText, sentences: int, dimension: int, window: int, rng: np.random.Generator
) -> FloatArray:
    """The vectors of one language alone: factors of the PPMI of its windows."""
    counts = window_counts(side.packed, side.starts[: sentences + 1], len(side), window)
    factors = truncated_svd(ppmi(counts), dimension, rng)
    vectors = normalized(factors.left * np.sqrt(factors.values))
    return _padded(vectors, len(side), dimension)


def mutual_translations(strength: Table) -> IntArray:
    """Rows (source, target) of words that are each other's most probable translation."""
    there, back = _best(strength), _best(csr_array(strength.T))
    linked = np.flatnonzero(there >= 0)
    mutual = linked[back[there[linked]] == linked]
    return np.stack([mutual, there[mutual]], axis=1)


def _best(table: Table) -> IntArray:
    """The column of each row's largest value, the first of equals; -1 for an empty row."""
    numbers = sparse_rows.row_numbers(table)
    order = np.lexsort((table.indices, -table.data, numbers))
    filled = np.flatnonzero(np.diff(table.indptr) > 0)
    best = np.full(table.shape[0], -1, dtype=np.int64)
    best[filled] = table.indices[order[table.indptr[filled]]]
    return best


def _padded(vectors: FloatArray, words: int, dimension: int) -> FloatArray:
    """The vectors, padded with zeros to ``words`` rows and ``dimension`` columns."""
    padded = np.zeros((words, dimension), dtype=np.float32)
    padded[: len(vectors), : vectors.shape[1]] = vectors
    return padded
