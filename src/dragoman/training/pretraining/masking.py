"""Tokens -> framed and padded lines, some of whose tokens are hidden and have to be told.

Devlin et al. 2019: of the hidden tokens eight in ten are masked, one is another token, one is as it
was. A pair read side by side (Lample and Conneau 2019) is one line with one count of places, as
those who train the encoder on read two texts together.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.tokens.bpe import BEGIN, END, MASK, PADDING, SPECIAL
from dragoman.training.sequences import Sequences, gather_positions
from dragoman.types import IntArray

PAD, BEGINS, ENDS, MASKED = (SPECIAL.index(token) for token in (PADDING, BEGIN, END, MASK))
REPLACED, LEFT = 0.8, 0.9  # below the first a hidden token is masked, above the second unchanged


@dataclass(frozen=True, slots=True)
class PaddedTexts:
    """Texts as an encoder reads them, each (n, t)."""

    tokens: NDArray[np.int64]
    real: NDArray[np.int64]  # 1 for a token, 0 for padding
    types: NDArray[np.int64]  # 1 for the second text of a line
    places: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class MaskedTexts:
    """Lines with hidden tokens: where they stand in the flattened lines, and what they were."""

    lines: PaddedTexts
    at: NDArray[np.int64]
    wanted: NDArray[np.int64]

    def only(self, kept: NDArray[np.bool_]) -> "MaskedTexts":
        """The same lines, of whose hidden tokens those of the ``kept`` lines are asked for."""
        asked = kept[self.at // self.lines.tokens.shape[1]]
        return MaskedTexts(self.lines, self.at[asked], self.wanted[asked])


def pad_texts(
    texts: Sequences, rows: IntArray, first_places: IntArray | None = None
) -> PaddedTexts:
    """One text a line; ``first_places`` says where each begins, where that is not at 0."""
    sizes = texts.lengths[rows] + 2
    lines = _empty(len(rows), int(sizes.max(initial=2)))
    _fill(lines, texts, rows, np.ones(len(rows), dtype=np.int64))
    lines.tokens[:, 0] = BEGINS
    lines.real[:, 0] = 1
    if first_places is not None:
        lines.places[:] += first_places[:, None]
        lines.places[lines.real == 0] = 0
    return lines


def pad_pairs(
    firsts: Sequences, rows: IntArray, seconds: Sequences, second_rows: IntArray
) -> PaddedTexts:
    """Two texts in one line: some ``firsts``, each with the second at the same place."""
    left, right = firsts.lengths[rows], seconds.lengths[second_rows]
    lines = _empty(len(rows), int((left + right).max(initial=0)) + 3)
    _fill(lines, firsts, rows, np.ones(len(rows), dtype=np.int64))
    _fill(lines, seconds, second_rows, left + 2)
    lines.tokens[:, 0] = BEGINS
    lines.real[:, 0] = 1
    columns = np.arange(lines.tokens.shape[1])
    lines.types[(columns >= (left + 2)[:, None]) & (lines.real == 1)] = 1
    return lines


def _empty(count: int, width: int) -> PaddedTexts:
    tokens = np.full((count, width), PAD, dtype=np.int64)
    real, types = (np.zeros((count, width), dtype=np.int64) for _ in range(2))
    return PaddedTexts(tokens, real, types, np.tile(np.arange(width, dtype=np.int64), (count, 1)))


def _fill(lines: PaddedTexts, texts: Sequences, rows: IntArray, columns: IntArray) -> None:
    """Write every text and the token that ends it from its column on."""
    at, starts = gather_positions(texts.starts, rows)
    sizes = np.diff(starts)
    line = np.repeat(np.arange(len(rows)), sizes)
    column = np.arange(len(at)) - np.repeat(starts[:-1], sizes) + np.repeat(columns, sizes)
    lines.tokens[line, column] = texts.words[at]
    lines.real[line, column] = 1
    each = np.arange(len(rows))
    lines.tokens[each, columns + sizes] = ENDS
    lines.real[each, columns + sizes] = 1


def mask_tokens(
    lines: PaddedTexts, share: float, vocabulary: int, rng: np.random.Generator
) -> MaskedTexts:
    """Lines in which a share of the tokens is hidden, at least one where there is any."""
    flat = lines.tokens.ravel()
    candidates = np.flatnonzero(flat >= len(SPECIAL))
    chosen = candidates[rng.random(len(candidates)) < share]
    if not len(chosen) and len(candidates):
        chosen = rng.choice(candidates, size=1)
    wanted = flat[chosen]
    fate = rng.random(len(chosen))
    others = rng.integers(len(SPECIAL), max(vocabulary, len(SPECIAL) + 1), size=len(chosen))
    shown = np.where(fate < REPLACED, MASKED, np.where(fate < LEFT, others, wanted))
    tokens = flat.copy()
    tokens[chosen] = shown
    changed = PaddedTexts(tokens.reshape(lines.tokens.shape), lines.real, lines.types, lines.places)
    return MaskedTexts(changed, chosen, wanted)
