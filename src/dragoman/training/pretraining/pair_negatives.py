"""Pairs of a batch -> which lines get the second text of another pair, and whether it is told.

BERT learnt to look from text to text by telling following sentences from others (Devlin et al.
2019), Unicoder by telling translations from others (Huang et al. 2019). Half of the pairs of a
batch exchange their second texts two by two, so that no text occurs more often among the wrong ones
than among the right ones. Every other exchange is between pairs that look alike by the means of
their tokens' first vectors.
"""

import numpy as np
from numpy.typing import NDArray

from dragoman.encoders.sentence_encoder import normalized
from dragoman.training.sequences import Sequences, gather_positions
from dragoman.types import FloatArray, IntArray

SHORTEST, LONGEST = 2, 12  # tokens of a part of a text
NOBODY = -np.inf


def shared_text_mask(first_texts: IntArray, second_texts: IntArray) -> NDArray[np.bool_]:
    """(n, n): whether two different pairs have a text in common, and so are no negatives."""
    same = first_texts[:, None] == first_texts
    same |= second_texts[:, None] == second_texts
    np.fill_diagonal(same, False)
    found: NDArray[np.bool_] = same
    return found


def swap_partners(
    likeness: FloatArray, same: NDArray[np.bool_], share: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """(n,): whose second text each pair gets, for about ``share`` of the pairs not its own.

    ``likeness`` (n, n) is how much pairs look alike; those that are the ``same`` never exchange.
    """
    partners = np.arange(len(likeness))
    free = ~same
    np.fill_diagonal(free, False)
    left = round(share * len(partners) / 2)
    for turn, row in enumerate(rng.permutation(len(partners))):
        if not left:
            break
        if partners[row] != row or not free[row].any():
            continue
        wanted = likeness[row] if turn % 2 else rng.random(len(partners))
        other = int(np.argmax(np.where(free[row], wanted, NOBODY)))
        partners[row], partners[other] = other, row
        free[:, [row, other]] = False
        left -= 1
    return partners


def mean_token_vectors(vectors: FloatArray, texts: Sequences, rows: IntArray) -> FloatArray:
    """(n, d): the means of the tokens' vectors of some texts, at length one."""
    at, starts = gather_positions(texts.starts, rows)
    line = np.repeat(np.arange(len(rows)), np.diff(starts))
    sums = np.zeros((len(rows), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, line, vectors[texts.words[at]])
    return normalized(sums)


def sample_spans(texts: Sequences, rows: IntArray, rng: np.random.Generator) -> Sequences:
    """A few tokens in a row of each text, as a short question has."""
    lengths = texts.lengths[rows]
    wanted = np.minimum(rng.integers(SHORTEST, LONGEST + 1, len(rows)), lengths)
    first = texts.starts[rows] + (rng.random(len(rows)) * (lengths - wanted + 1)).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(wanted)]).astype(np.int64)
    at = np.arange(starts[-1]) + np.repeat(first - starts[:-1], wanted)
    return Sequences(texts.words[at], starts)
