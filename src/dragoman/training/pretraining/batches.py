"""Training data -> the batches of an epoch: sides of pairs, concatenated pairs, plain texts.

An epoch has a fixed number of steps of each kind, in random order. Pairs are sampled with
replacement, small groups more often than by their size; a batch has texts of similar length. All
batches follow from the seed, the epoch and their number, so that a training can resume at any
batch.
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

SAMPLING_POWER = 0.75  # of the counts that tokens are sampled by (Mikolov et al. 2013)
ORDER, PAIRS, PLAIN, MASKED = range(4)  # part of random seeds; the last plus the batch number


class BatchKind(StrEnum):
    """The inputs of a batch."""

    SEPARATE = "separate"  # the sides of pairs: first all first sides, then all second sides
    CONCATENATED = "concatenated"  # pairs, both sides in one input
    PLAIN = "plain"  # chunks of plain texts


@dataclass(frozen=True, slots=True)
class PretrainBatch:
    """The data of one step."""

    kind: BatchKind
    masked: MaskedTexts
    candidates: NDArray[np.int64]  # tokens of the sampled softmax, ascending
    log_probabilities: NDArray[np.float32]  # of each token to be a candidate
    rows: NDArray[np.int64]  # of the pairs, or of the chunks
    translations: NDArray[np.bool_]  # whether the texts of an input are translations


class PretrainBatches:
    """The batches of every epoch; ``vectors`` of tokens measure the similarity of pairs."""

    def __init__(self, data: PretrainingData, config: PretrainConfig, vectors: FloatArray) -> None:
        self._data, self._config, self._vectors = data, config, vectors
        self._frequencies = token_frequencies(data.counts)
        self._sampling = token_frequencies(data.counts, SAMPLING_POWER)
        self._cumulative = np.cumsum(self._sampling)

    def __len__(self) -> int:
        return self._config.steps

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[PretrainBatch]:
        """The batches ``start``, ``start + stride``, ... of the epoch ``number``."""
        plan = self._plan(number)
        for index in range(start, len(plan), stride):
            rng = np.random.default_rng((self._config.train.seed, number, MASKED + index))
            yield self.batch(*plan[index], rng)

    def _plan(self, epoch: int) -> list[tuple[BatchKind, NDArray[np.int64]]]:
        steps, objective = self._config.steps, self._config.objective
        plain = round(steps * objective.plain) if len(self._data.plain) else 0
        concatenated = round(steps * objective.translation)
        separate = steps - plain - concatenated
        seed, size = self._config.train.seed, self._config.batch.size
        rng = np.random.default_rng((seed, epoch, PAIRS))
        training = self._data.training
        pairs = sample_pairs(
            training, (separate + concatenated) * size, self._config.smoothing, rng
        )
        rng = np.random.default_rng((seed, epoch, PLAIN))
        chunks = rng.integers(0, max(1, len(self._data.plain)), plain * self._config.pieces_a_step)
        longer = np.maximum(training.firsts.lengths, training.seconds.lengths)
        both = training.firsts.lengths + training.seconds.lengths
        streams = [
            (BatchKind.SEPARATE, pairs[: separate * size], longer, size),
            (BatchKind.CONCATENATED, pairs[separate * size :], both, size),
            (
                BatchKind.PLAIN,
                chunks,
                self._data.plain.tokens.lengths,
                self._config.pieces_a_step,
            ),
        ]
        plan = [
            (kind, rows[batch])
            for kind, rows, lengths, size in streams
            for batch in epoch_rows(lengths[rows], self._batch_config(size), epoch)
        ]
        order = np.random.default_rng((seed, epoch, ORDER)).permutation(len(plan))
        return [plan[index] for index in order]

    def _batch_config(self, size: int) -> BatchConfig:
        return BatchConfig(
            size=size, bucket=self._config.batch.bucket, seed=self._config.batch.seed
        )

    def batch(
        self, kind: BatchKind, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> PretrainBatch:
        """The inputs of some pairs or chunks, with masked tokens."""
        inputs, translations = self._inputs(kind, rows, rng)
        share, vocabulary = self._config.objective.masked, self._data.vocabulary
        masked = mask_tokens(inputs, share, vocabulary, rng).restrict(translations)
        drawn = self._config.objective.drawn
        sampled = np.searchsorted(self._cumulative, rng.random(drawn), side="right")
        sampled = np.minimum(sampled, vocabulary - 1)  # cumulative sums end slightly below 1
        candidates = np.unique(np.concatenate([masked.targets, sampled]))
        probabilities = candidate_probabilities(
            self._frequencies[candidates], len(masked.targets), self._sampling[candidates], drawn
        )
        return PretrainBatch(
            kind, masked, candidates, np.log(probabilities).astype(np.float32), rows, translations
        )

    def _inputs(
        self, kind: BatchKind, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[PaddedTexts, NDArray[np.bool_]]:
        """The inputs, and which of them are translations; plain texts count as such."""
        pairs, plain = self._data.training, self._data.plain
        if kind is BatchKind.CONCATENATED:
            return self._concatenated(rows, rng)
        inputs = (
            pad_texts(plain.tokens, rows, plain.offsets[rows])
            if kind is BatchKind.PLAIN
            else pad_sides(pairs.firsts, pairs.seconds, rows)
        )
        return inputs, np.ones(len(inputs), dtype=np.bool_)

    def _concatenated(
        self, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[PaddedTexts, NDArray[np.bool_]]:
        """Concatenated pairs: either side is first, whole or as a short span."""
        pairs, objective = self._data.training, self._config.objective
        partners = np.arange(len(rows))
        if objective.comparing:
            seconds = mean_token_vectors(self._vectors, pairs.seconds, rows)
            same = shared_text_mask(pairs.first_texts[rows], pairs.second_texts[rows])
            partners = swap_partners(seconds @ seconds.T, same, objective.exchanged, rng)
        first, second = pairs.firsts, pairs.seconds
        if rng.random() < 0.5:  # queries come in any language
            first, second = second, first
        first_rows = rows
        if rng.random() < objective.spans:
            first, first_rows = sample_spans(first, rows, rng), np.arange(len(rows))
        inputs = pad_pairs(first, first_rows, second, rows[partners])
        return inputs, partners == np.arange(len(rows))


def sample_pairs(
    pairs: TokenPairs, count: int, smoothing: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Random rows: a group by its size to the power ``smoothing``, then any of its pairs."""
    order = np.argsort(pairs.groups, kind="stable")
    sizes = np.bincount(pairs.groups, minlength=len(pairs.names))
    weights = np.where(sizes > 0, sizes.astype(np.float64) ** smoothing, 0.0)
    groups = rng.choice(len(sizes), size=count, p=weights / weights.sum())
    starts = np.cumsum(sizes) - sizes
    within = (rng.random(count) * sizes[groups]).astype(np.int64)
    rows: NDArray[np.int64] = order[starts[groups] + within]
    return rows


def pad_sides(firsts: Sequences, seconds: Sequences, rows: IntArray) -> PaddedTexts:
    """The first sides of pairs, then the second sides."""
    first, second = pad_texts(firsts, rows), pad_texts(seconds, rows)
    width = max(first.tokens.shape[1], second.tokens.shape[1])

    def padded(table: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.pad(table, ((0, 0), (0, width - table.shape[1])))

    return PaddedTexts(
        np.concatenate([padded(first.tokens), padded(second.tokens)]),
        np.concatenate([padded(first.real), padded(second.real)]),
        np.concatenate([padded(first.types), padded(second.types)]),
        np.concatenate([padded(first.positions), padded(second.positions)]),
    )


def token_frequencies(counts: IntArray, power: float = 1.0) -> NDArray[np.float64]:
    """Relative frequencies of tokens, of counts plus one raised to ``power``."""
    raised = (counts + 1.0) ** power
    frequencies: NDArray[np.float64] = raised / raised.sum()
    return frequencies


def candidate_probabilities(
    target_frequencies: FloatArray, targets: int, sampling_frequencies: FloatArray, drawn: int
) -> FloatArray:
    """The probability of each token to be among ``targets`` masked or ``drawn`` sampled tokens.

    1 - (1 - p)^targets (1 - q)^drawn, where p and q are its frequencies in the two distributions.
    """
    misses = targets * np.log1p(-target_frequencies) + drawn * np.log1p(-sampling_frequencies)
    probabilities: FloatArray = np.maximum(-np.expm1(misses), np.finfo(np.float64).tiny)
    return probabilities
