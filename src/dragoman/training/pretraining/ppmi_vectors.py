"""Sentence pairs -> token vectors of all languages in one space, without training.

Levy et al. 2017: tokens of the same sentences, of any language, get similar vectors. A sentence is
a text of the first column with all its translations, so a text in several files connects their
languages. The PPMI matrix of tokens and sentences is factorised once, which takes a minute; vectors
of tokens outside of the sample are not changed.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dragoman.embeddings.bilingual.factorization import ppmi, truncated_svd
from dragoman.encoders.sentence_encoder import normalized
from dragoman.training.pretraining.training_data import TokenPairs
from dragoman.training.sequences import Sequences, gather_positions
from dragoman.types import IntArray


def ppmi_vectors(
    pairs: TokenPairs, rows: IntArray, vocabulary: int, dimension: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """(vocabulary, dimension): vectors of length one; zero for tokens that ``rows`` lack."""
    information = ppmi(token_sentence_counts(pairs, rows, vocabulary), smoothing=1.0)
    factors = truncated_svd(information, dimension, rng)
    vectors = normalized(factors.left * np.sqrt(factors.values))
    known = np.diff(information.indptr) > 0  # the factors of an empty row are small, but not zero
    table = np.zeros((vocabulary, dimension), dtype=np.float32)
    table[known, : vectors.shape[1]] = vectors[known]
    return table


def token_sentence_counts(pairs: TokenPairs, rows: IntArray, vocabulary: int) -> csr_array:
    """(tokens, sentences): the frequency of each token in each sentence and its translations."""
    _, sentences = np.unique(pairs.first_texts[rows], return_inverse=True)
    entries = [_incidence(side, rows, sentences) for side in (pairs.firsts, pairs.seconds)]
    tokens = np.concatenate([entry[0] for entry in entries])
    columns = np.concatenate([entry[1] for entry in entries])
    ones = np.ones(len(tokens), dtype=np.float32)
    shape = (vocabulary, int(sentences.max(initial=-1)) + 1)
    return csr_array((ones, (tokens, columns)), shape=shape)


def _incidence(side: Sequences, rows: IntArray, sentences: IntArray) -> tuple[IntArray, IntArray]:
    at, starts = gather_positions(side.starts, rows)
    return side.words[at], np.repeat(sentences, np.diff(starts))
