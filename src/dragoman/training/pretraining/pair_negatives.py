"""Pairs of a batch -> negatives for the classification of translations, by swapping second sides.

BERT was trained to distinguish following sentences from others (Devlin et al. 2019), Unicoder to
distinguish translations from others (Huang et al. 2019). Half of the pairs of a batch swap their
second sides two by two, so that no text occurs more often in negatives than in positives. Every
other swap is between pairs that are similar by the means of their tokens' initial vectors.
"""

import numpy as np
from numpy.typing import NDArray

from dragoman.encoders.sentence_encoder import normalized
from dragoman.training.sequences import Sequences, gather_positions
from dragoman.types import FloatArray, IntArray

SHORTEST, LONGEST = 2, 12  # tokens of a span


def shared_text_mask(first_texts: IntArray, second_texts: IntArray) -> NDArray[np.bool_]:
    """(n, n): whether two distinct pairs share a text, and so are not negatives of each other."""
    same = first_texts[:, None] == first_texts
    same |= second_texts[:, None] == second_texts
    np.fill_diagonal(same, False)
    mask: NDArray[np.bool_] = same
    return mask


def swap_partners(
    similarity: FloatArray, same: NDArray[np.bool_], share: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """(n,): the pair whose second side each pair gets; another pair for about a ``share`` of them.

    ``similarity`` (n, n) is that of pairs; those that are the ``same`` never swap.
    """
    partners = np.arange(len(similarity))
    free = ~same
    np.fill_diagonal(free, False)
    left = round(share * len(partners) / 2)
    for turn, row in enumerate(rng.permutation(len(partners))):
        if not left:
            break
        if partners[row] != row or not free[row].any():
            continue
        preference = similarity[row] if turn % 2 else rng.random(len(partners))
        other = int(np.argmax(np.where(free[row], preference, -np.inf)))
        partners[row], partners[other] = other, row
        free[:, [row, other]] = False
        left -= 1
    return partners


def mean_token_vectors(vectors: FloatArray, texts: Sequences, rows: IntArray) -> FloatArray:
    """(n, d): the mean token vectors of some texts, of length one."""
    at, starts = gather_positions(texts.starts, rows)
    owners = np.repeat(np.arange(len(rows)), np.diff(starts))
    sums = np.zeros((len(rows), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, owners, vectors[texts.words[at]])
    return normalized(sums)


def sample_spans(texts: Sequences, rows: IntArray, rng: np.random.Generator) -> Sequences:
    """A random span of a few tokens of each text, like a short query."""
    lengths = texts.lengths[rows]
    sizes = np.minimum(rng.integers(SHORTEST, LONGEST + 1, len(rows)), lengths)
    first = texts.starts[rows] + (rng.random(len(rows)) * (lengths - sizes + 1)).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    at = np.arange(starts[-1]) + np.repeat(first - starts[:-1], sizes)
    return Sequences(texts.words[at], starts)
