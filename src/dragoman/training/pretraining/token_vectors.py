"""Training of token vectors on translation pairs, before the layers of the encoder.

The mean of a text's vectors, as input of the first layer, is trained to be nearer to that of its
translation than to others of the batch. Without layers a pair costs very little, and a new layer
changes its input little: the encoder begins with what the vectors have learnt.
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

PURPOSE = 3  # part of the random seed


@dataclass(frozen=True, slots=True)
class TokenVectorBatches:
    """Batches of pairs of similar length, sampled from groups by their smoothed sizes."""

    pairs: TokenPairs
    config: PretrainConfig

    def __len__(self) -> int:
        return self.config.bags.steps

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[NDArray[np.int64]]:
        """The batches ``start``, ``start + stride``, ... of the epoch ``number``."""
        bags = self.config.bags
        rng = np.random.default_rng((bags.train.seed, number, PURPOSE))
        rows = sample_pairs(self.pairs, len(self) * bags.size, self.config.smoothing, rng)
        longer = np.maximum(self.pairs.firsts.lengths, self.pairs.seconds.lengths)[rows]
        config = BatchConfig(size=bags.size, bucket=self.config.batch.bucket, seed=bags.train.seed)
        for batch in epoch_rows(longer, config, number, start, stride):
            yield rows[batch]


@dataclass(frozen=True, slots=True)
class TokenVectorObjective:
    """The ranking loss of the mean token vectors of pairs."""

    pairs: TokenPairs
    temperature: float

    def __call__(self, model: PretrainModel, rows: NDArray[np.int64]) -> Tensor:
        """The loss, differentiable."""
        inputs = pad_sides(self.pairs.firsts, self.pairs.seconds, rows)
        states = model.embeddings(inputs)
        means = mean_states(states, torch.from_numpy(inputs.real).to(states.device))
        same = shared_text_mask(self.pairs.first_texts[rows], self.pairs.second_texts[rows])
        return ranking_loss(means[: len(rows)], means[len(rows) :], same, self.temperature)
