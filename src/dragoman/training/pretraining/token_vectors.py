"""Token vectors that find translations by themselves, before any layer stands upon them.

The mean of a text's vectors, as the encoder's first layer reads them, is to be nearer to that of
its translation than to others of the batch. Without layers a pair costs next to nothing, and a
fresh layer changes little of what it is given: the encoder begins where the vectors ended.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from dragoman.encoders.transformer import mean_states
from dragoman.training.batches import BatchConfig, epoch_rows
from dragoman.training.pretraining.batches import pad_sides, sample_pairs
from dragoman.training.pretraining.config import PretrainConfig
from dragoman.training.pretraining.model import PretrainModel
from dragoman.training.pretraining.objective import ranking_loss
from dragoman.training.pretraining.pair_negatives import shared_text_mask
from dragoman.training.pretraining.training_data import TokenPairs

DRAWN = 3  # what random numbers are drawn for


@dataclass(frozen=True, slots=True)
class TokenVectorBatches:
    """Rows of pairs of about equal length, groups by their smoothed sizes."""

    pairs: TokenPairs
    config: PretrainConfig

    def __len__(self) -> int:
        return self.config.bags.steps

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[NDArray[np.int64]]:
        """The batches ``start``, ``start + stride``, ... of the epoch ``number``."""
        bags = self.config.bags
        rng = np.random.default_rng((bags.train.seed, number, DRAWN))
        rows = sample_pairs(self.pairs, len(self) * bags.size, self.config.smoothing, rng)
        longer = np.maximum(self.pairs.firsts.lengths, self.pairs.seconds.lengths)[rows]
        cutting = BatchConfig(size=bags.size, bucket=self.config.batch.bucket, seed=bags.train.seed)
        for some in epoch_rows(longer, cutting, number, start, stride):
            yield rows[some]


@dataclass(frozen=True, slots=True)
class TokenVectorObjective:
    """How hard it is to find translations by the vectors of tokens alone."""

    pairs: TokenPairs
    temperature: float

    def __call__(self, model: PretrainModel, rows: NDArray[np.int64]) -> Tensor:
        """A number with a gradient."""
        lines = pad_sides(self.pairs.firsts, self.pairs.seconds, rows)
        states = model.embedded(lines)
        means = mean_states(states, torch.from_numpy(lines.real).to(states.device))
        same = shared_text_mask(self.pairs.first_texts[rows], self.pairs.second_texts[rows])
        return ranking_loss(means[: len(rows)], means[len(rows) :], same, self.temperature)
