"""Material -> the batches of an epoch: pairs by themselves, pairs side by side, plain texts.

An epoch has so many steps of each kind, in random order. Its pairs are drawn with replacement,
small groups more often than by their size; a batch has texts of about equal length. Everything
follows from the seed, the epoch and the batch's number, so an epoch can be entered anywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dragoman.training.batches import BatchConfig, epoch_rows
from dragoman.training.pretraining.config import PretrainConfig
from dragoman.training.pretraining.masking import (
    MaskedTexts,
    PaddedTexts,
    mask_tokens,
    pad_pairs,
    pad_texts,
)
from dragoman.training.pretraining.pair_negatives import (
    mean_token_vectors,
    sample_spans,
    shared_text_mask,
    swap_partners,
)
from dragoman.training.pretraining.training_data import PretrainingData, TokenPairs
from dragoman.training.sequences import Sequences
from dragoman.types import FloatArray, IntArray

FLATTENED = 0.75  # the power of the counts that tokens are drawn by (Mikolov et al. 2013)
ORDER, PAIRS, PLAIN, HIDDEN = range(4)  # what random numbers are drawn for; the last by batch


class BatchKind(StrEnum):
    """How texts are read."""

    APART = "apart"  # both sides of pairs, a line each: first all firsts, then all seconds
    TOGETHER = "together"  # both sides in one line
    PLAIN = "plain"  # pieces of plain texts


@dataclass(frozen=True, slots=True)
class PretrainBatch:
    """What one step reads."""

    kind: BatchKind
    hidden: MaskedTexts
    candidates: NDArray[np.int64]  # tokens that the hidden ones are told from, rising
    log_chances: NDArray[np.float32]  # the logarithm of each one's chance to be a candidate
    rows: NDArray[np.int64]  # of the pairs, or of the pieces
    right: NDArray[np.bool_]  # whether the texts of a line belong together


class PretrainBatches:
    """The steps of every epoch; ``vectors`` of tokens say which pairs look alike."""

    def __init__(
        self, material: PretrainingData, config: PretrainConfig, vectors: FloatArray
    ) -> None:
        self._material, self._config, self._vectors = material, config, vectors
        self._shares = token_frequencies(material.counts)
        self._flattened = token_frequencies(material.counts, FLATTENED)
        self._cumulative = np.cumsum(self._flattened)

    def __len__(self) -> int:
        return self._config.steps

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[PretrainBatch]:
        """The batches ``start``, ``start + stride``, ... of the epoch ``number``."""
        plan = self._plan(number)
        for place in range(start, len(plan), stride):
            rng = np.random.default_rng((self._config.train.seed, number, HIDDEN + place))
            yield self.batch(*plan[place], rng)

    def _plan(self, epoch: int) -> list[tuple[BatchKind, NDArray[np.int64]]]:
        steps, objective = self._config.steps, self._config.objective
        plain = round(steps * objective.plain) if len(self._material.plain) else 0
        together = round(steps * objective.translation)
        alone = steps - plain - together
        seed, size = self._config.train.seed, self._config.batch.size
        rng = np.random.default_rng((seed, epoch, PAIRS))
        training = self._material.training
        pairs = sample_pairs(training, (alone + together) * size, self._config.smoothing, rng)
        rng = np.random.default_rng((seed, epoch, PLAIN))
        pieces = rng.integers(
            0, max(1, len(self._material.plain)), plain * self._config.pieces_a_step
        )
        longer = np.maximum(training.firsts.lengths, training.seconds.lengths)
        both = training.firsts.lengths + training.seconds.lengths
        streams = [
            (BatchKind.APART, pairs[: alone * size], longer, size),
            (BatchKind.TOGETHER, pairs[alone * size :], both, size),
            (
                BatchKind.PLAIN,
                pieces,
                self._material.plain.tokens.lengths,
                self._config.pieces_a_step,
            ),
        ]
        plan = [
            (kind, rows[some])
            for kind, rows, lengths, size in streams
            for some in epoch_rows(lengths[rows], self._cutting(size), epoch)
        ]
        turn = np.random.default_rng((seed, epoch, ORDER)).permutation(len(plan))
        return [plan[place] for place in turn]

    def _cutting(self, size: int) -> BatchConfig:
        return BatchConfig(
            size=size, bucket=self._config.batch.bucket, seed=self._config.batch.seed
        )

    def batch(
        self, kind: BatchKind, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> PretrainBatch:
        """The lines of some pairs or pieces, with hidden tokens."""
        lines, right = self._lines(kind, rows, rng)
        share, vocabulary = self._config.objective.masked, self._material.vocabulary
        hidden = mask_tokens(lines, share, vocabulary, rng).only(right)
        drawn = self._config.objective.drawn
        others = np.searchsorted(self._cumulative, rng.random(drawn), side="right")
        others = np.minimum(others, vocabulary - 1)  # sums of shares end a little below 1
        candidates = np.unique(np.concatenate([hidden.wanted, others]))
        chances = candidate_probabilities(
            self._shares[candidates], len(hidden.wanted), self._flattened[candidates], drawn
        )
        return PretrainBatch(
            kind, hidden, candidates, np.log(chances).astype(np.float32), rows, right
        )

    def _lines(
        self, kind: BatchKind, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[PaddedTexts, NDArray[np.bool_]]:
        """The lines, and which of them have texts that belong together."""
        pairs, plain = self._material.training, self._material.plain
        if kind is BatchKind.TOGETHER:
            return self._together(rows, rng)
        lines = (
            pad_texts(plain.tokens, rows, plain.places[rows])
            if kind is BatchKind.PLAIN
            else pad_sides(pairs.firsts, pairs.seconds, rows)
        )
        return lines, np.ones(len(lines), dtype=np.bool_)

    def _together(
        self, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[PaddedTexts, NDArray[np.bool_]]:
        """Pairs in one line each: either side comes first, whole or a part of it."""
        pairs, objective = self._material.training, self._config.objective
        partners = np.arange(len(rows))
        if objective.comparing:
            seconds = mean_token_vectors(self._vectors, pairs.seconds, rows)
            same = shared_text_mask(pairs.first_texts[rows], pairs.second_texts[rows])
            partners = swap_partners(seconds @ seconds.T, same, objective.exchanged, rng)
        first, second = pairs.firsts, pairs.seconds
        if rng.random() < 0.5:  # questions are asked in any language
            first, second = second, first
        asked_rows = rows
        if rng.random() < objective.asked:
            first, asked_rows = sample_spans(first, rows, rng), np.arange(len(rows))
        lines = pad_pairs(first, asked_rows, second, rows[partners])
        return lines, partners == np.arange(len(rows))


def sample_pairs(
    pairs: TokenPairs, count: int, smoothing: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Rows of pairs: a group by its size to the power ``smoothing``, then any of its pairs."""
    order = np.argsort(pairs.groups, kind="stable")
    sizes = np.bincount(pairs.groups, minlength=len(pairs.names))
    weights = np.where(sizes > 0, sizes.astype(np.float64) ** smoothing, 0.0)
    groups = rng.choice(len(sizes), size=count, p=weights / weights.sum())
    starts = np.cumsum(sizes) - sizes
    within = (rng.random(count) * sizes[groups]).astype(np.int64)
    rows: NDArray[np.int64] = order[starts[groups] + within]
    return rows


def pad_sides(firsts: Sequences, seconds: Sequences, rows: IntArray) -> PaddedTexts:
    """The first sides of pairs, then the second sides, a line each."""
    one, two = pad_texts(firsts, rows), pad_texts(seconds, rows)
    width = max(one.tokens.shape[1], two.tokens.shape[1])

    def wide(table: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.pad(table, ((0, 0), (0, width - table.shape[1])))

    return PaddedTexts(
        np.concatenate([wide(one.tokens), wide(two.tokens)]),
        np.concatenate([wide(one.real), wide(two.real)]),
        np.concatenate([wide(one.types), wide(two.types)]),
        np.concatenate([wide(one.places), wide(two.places)]),
    )


def token_frequencies(counts: IntArray, power: float = 1.0) -> NDArray[np.float64]:
    """Of each token its part of all, with counts raised to ``power``; one more for each token."""
    raised = (counts + 1.0) ** power
    shares: NDArray[np.float64] = raised / raised.sum()
    return shares


def candidate_probabilities(
    wanted_shares: FloatArray, wanted: int, drawn_shares: FloatArray, drawn: int
) -> FloatArray:
    """The chance of a token to be met in ``wanted`` texts' tokens or ``drawn`` others.

    1 - (1 - p)^wanted (1 - q)^drawn, where p and q are its shares of the two.
    """
    misses = wanted * np.log1p(-wanted_shares) + drawn * np.log1p(-drawn_shares)
    chances: FloatArray = np.maximum(-np.expm1(misses), np.finfo(np.float64).tiny)
    return chances
