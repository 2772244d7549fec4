"""Token sequences -> padded inputs with masked tokens.

Devlin et al. 2019: of the selected tokens, 80 % are replaced by the mask, 10 % by a random token,
and 10 % are unchanged. A concatenated pair (Lample and Conneau 2019) has one count of positions, as
two texts have in the models that are trained from the encoder.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.tokens.bpe import BEGIN, END, MASK, PADDING, SPECIAL
from dragoman.training.sequences import Sequences, gather_positions
from dragoman.types import IntArray

PAD, BEGINS, ENDS, MASKED = (SPECIAL.index(token) for token in (PADDING, BEGIN, END, MASK))
MASK_UP_TO, RANDOM_UP_TO = 0.8, 0.9  # shares of the selected tokens, cumulative


@dataclass(frozen=True, slots=True)
class PaddedTexts:
    """Inputs of an encoder, (n, t) each."""

    tokens: NDArray[np.int64]
    real: NDArray[np.int64]  # 1 for a token, 0 for padding
    types: NDArray[np.int64]  # 1 for the second text of a pair
    positions: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class MaskedTexts:
    """Inputs with masked tokens: their indices in the flattened inputs, and the original tokens."""

    inputs: PaddedTexts
    indices: NDArray[np.int64]
    targets: NDArray[np.int64]

    def restrict(self, rows: NDArray[np.bool_]) -> "MaskedTexts":
        """The same inputs with the targets of some rows only."""
        selected = rows[self.indices // self.inputs.tokens.shape[1]]
        return MaskedTexts(self.inputs, self.indices[selected], self.targets[selected])


def pad_texts(texts: Sequences, rows: IntArray, offsets: IntArray | None = None) -> PaddedTexts:
    """One input per text; ``offsets`` are the positions of first tokens, if not 0."""
    sizes = texts.lengths[rows] + 2
    inputs = _empty(len(rows), int(sizes.max(initial=2)))
    _fill(inputs, texts, rows, np.ones(len(rows), dtype=np.int64))
    inputs.tokens[:, 0] = BEGINS
    inputs.real[:, 0] = 1
    if offsets is not None:
        inputs.positions[:] += offsets[:, None]
        inputs.positions[inputs.real == 0] = 0
    return inputs


def pad_pairs(
    firsts: Sequences, rows: IntArray, seconds: Sequences, second_rows: IntArray
) -> PaddedTexts:
    """One input per pair: rows of ``firsts``, each with a row of ``seconds``."""
    left, right = firsts.lengths[rows], seconds.lengths[second_rows]
    inputs = _empty(len(rows), int((left + right).max(initial=0)) + 3)
    _fill(inputs, firsts, rows, np.ones(len(rows), dtype=np.int64))
    _fill(inputs, seconds, second_rows, left + 2)
    inputs.tokens[:, 0] = BEGINS
    inputs.real[:, 0] = 1
    columns = np.arange(inputs.tokens.shape[1])
    inputs.types[(columns >= (left + 2)[:, None]) & (inputs.real == 1)] = 1
    return inputs


def _empty(count: int, width: int) -> PaddedTexts:
    tokens = np.full((count, width), PAD, dtype=np.int64)
    real, types = (np.zeros((count, width), dtype=np.int64) for _ in range(2))
    return PaddedTexts(tokens, real, types, np.tile(np.arange(width, dtype=np.int64), (count, 1)))


def _fill(inputs: PaddedTexts, texts: Sequences, rows: IntArray, columns: IntArray) -> None:
    """Write every text and its end token, beginning at its column."""
    at, starts = gather_positions(texts.starts, rows)
    sizes = np.diff(starts)
    row = np.repeat(np.arange(len(rows)), sizes)
    column = np.arange(len(at)) - np.repeat(starts[:-1], sizes) + np.repeat(columns, sizes)
    inputs.tokens[row, column] = texts.words[at]
    inputs.real[row, column] = 1
    every = np.arange(len(rows))
    inputs.tokens[every, columns + sizes] = ENDS
    inputs.real[every, columns + sizes] = 1


def mask_tokens(
    inputs: PaddedTexts, share: float, vocabulary: int, rng: np.random.Generator
) -> MaskedTexts:
    """Inputs with a ``share`` of the tokens masked, at least one if there is any."""
    flat = inputs.tokens.ravel()
    candidates = np.flatnonzero(flat >= len(SPECIAL))
    chosen = candidates[rng.random(len(candidates)) < share]
    if not len(chosen) and len(candidates):
        chosen = rng.choice(candidates, size=1)
    targets = flat[chosen]
    fate = rng.random(len(chosen))
    random = rng.integers(len(SPECIAL), max(vocabulary, len(SPECIAL) + 1), size=len(chosen))
    shown = np.where(fate < MASK_UP_TO, MASKED, np.where(fate < RANDOM_UP_TO, random, targets))
    tokens = flat.copy()
    tokens[chosen] = shown
    masked = PaddedTexts(
        tokens.reshape(inputs.tokens.shape), inputs.real, inputs.types, inputs.positions
    )
    return MaskedTexts(masked, chosen, targets)
