"""Judged pairs -> batches, and the loss of a batch."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from dragoman.systems.smooth.config import LossName, SmoothConfig
from dragoman.systems.smooth.losses import (
    AllThresholdLoss,
    ProportionalOdds,
    SmoothOrdinalSearchLoss,
    SquaredError,
    SteepProportionalOdds,
    ThreePart,
)
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.training_data import JudgedPairs
from dragoman.systems.smooth.vocabulary import TokenizedTexts
from dragoman.training.batches import BatchConfig, batch_count, epoch_rows
from dragoman.training.negatives import sample_negatives
from dragoman.types import IntArray


def build_loss(config: SmoothConfig, classes: int) -> nn.Module:
    """The loss of a configuration for so many grades."""
    kinds = {
        LossName.SOSL: SmoothOrdinalSearchLoss,
        LossName.THREE_PART: ThreePart,
        LossName.MSE: SquaredError,
        LossName.PO: ProportionalOdds,
        LossName.PO_STEEP: SteepProportionalOdds,
        LossName.ALL_THRESHOLD: AllThresholdLoss,
    }
    return kinds[config.loss](classes, config.thresholds, config.limit)


def sample_training_pairs(
    pairs: JudgedPairs, pool: int, count: int, rng: np.random.Generator
) -> JudgedPairs:
    """The relevant pairs, and ``count`` negatives per query, of the documents 0 .. pool - 1."""
    relevant = pairs.filter(pairs.grades > 0)
    queries, starts = np.unique(relevant.queries, return_index=True)
    starts = np.append(starts, len(relevant))
    negatives = sample_negatives(relevant.documents, starts, pool, count, rng)
    combined = JudgedPairs(
        np.concatenate([relevant.queries, np.repeat(queries, count)]),
        np.concatenate([relevant.documents, negatives.ravel()]),
        np.concatenate([relevant.grades, np.zeros(negatives.size, dtype=np.int64)]),
    )
    return combined.select(np.argsort(combined.queries, kind="stable"))


@dataclass(frozen=True, slots=True)
class PairBatches:
    """Shuffled batches of pairs; negatives are the judged ones or sampled every epoch."""

    pairs: JudgedPairs
    lengths: IntArray  # of every document, in words
    config: BatchConfig
    negatives: int = 0  # sampled for every query and epoch; 0 uses the judged ones

    def __len__(self) -> int:
        if not self.negatives:
            return batch_count(len(self.pairs), self.config)
        relevant = self.pairs.filter(self.pairs.grades > 0)
        sampled = self.negatives * len(np.unique(relevant.queries))
        return batch_count(len(relevant) + sampled, self.config)

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[JudgedPairs]:
        """The batches ``start``, ``start + stride``, ... of the epoch ``number``."""
        pairs = self.pairs
        if self.negatives:
            rng = np.random.default_rng((self.config.seed, number, self.negatives))
            pairs = sample_training_pairs(pairs, len(self.lengths), self.negatives, rng)
        documents = pairs.documents
        lengths = self.lengths[documents]
        for rows in epoch_rows(lengths, self.config, number, start, stride, texts=documents):
            yield pairs.select(rows)


@dataclass(frozen=True, slots=True)
class SmoothObjective:
    """The mean loss of a batch of pairs."""

    queries: TokenizedTexts
    documents: TokenizedTexts
    loss: nn.Module

    def __call__(self, model: SmoothModel, batch: JudgedPairs) -> Tensor:
        """The loss, differentiable."""
        scores = model.scores(self.queries, batch.queries, self.documents, batch.documents)
        grades = torch.from_numpy(batch.grades).to(scores.device)
        mean: Tensor = self.loss(scores, grades).mean()
        return mean
