"""The objectives of the pre-training.

*Masked-language and translation-language modelling* (Devlin et al. 2019; Lample and Conneau 2019):
the cross-entropy of the masked tokens, by a sampled softmax. Every candidate but the target is
weighted by the inverse of its probability to be in the sample, so that the sum over the sample
estimates that over all tokens (importance sampling, Bengio and Senecal 2008).

*Ranking* (Guo et al. 2018; Feng et al. 2022): the mean state of a text is nearer, by the cosine, to
that of its translation than to those of the other pairs of the batch.

*Comparing* (Huang et al. 2019): the mean state of two concatenated texts predicts whether they are
translations (``pair_negatives.py``); if they are not, their masked tokens are not predicted.

*Teaching* (Reimers and Gurevych 2020): the mean states of both sides of a pair, mapped linearly,
reproduce a teacher's vector of the first.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from dragoman.encoders.transformer import mean_states
from dragoman.training.pretraining.batches import BatchKind, PretrainBatch
from dragoman.training.pretraining.config import ObjectiveConfig
from dragoman.training.pretraining.model import PretrainModel
from dragoman.training.pretraining.pair_negatives import shared_text_mask
from dragoman.training.pretraining.teacher import TeacherVectors
from dragoman.training.pretraining.training_data import TokenPairs


@dataclass(frozen=True, slots=True)
class PretrainObjective:
    """The loss of a batch."""

    pairs: TokenPairs
    config: ObjectiveConfig
    teacher: TeacherVectors | None = None

    def __call__(self, model: PretrainModel, batch: PretrainBatch) -> Tensor:
        """The loss, differentiable."""
        inputs = batch.masked.inputs
        states = model.states(inputs)
        loss = masked_loss(model, states, batch)
        if batch.kind is BatchKind.PLAIN:
            return loss
        means = mean_states(states, torch.from_numpy(inputs.real).to(states.device))
        if batch.kind is BatchKind.CONCATENATED:
            return loss + self.config.comparing * comparison_loss(model, means, batch.translations)
        if self.config.ranking:
            loss = loss + self.config.ranking * self._ranking(means, batch.rows)
        if self.teacher is not None:
            loss = loss + self.config.teaching * self._teaching(model, means, batch.rows)
        return loss

    def _ranking(self, means: Tensor, rows: NDArray[np.int64]) -> Tensor:
        firsts, seconds = means[: len(rows)], means[len(rows) :]
        same = shared_text_mask(self.pairs.first_texts[rows], self.pairs.second_texts[rows])
        return ranking_loss(firsts, seconds, same, self.config.temperature)

    def _teaching(self, model: PretrainModel, means: Tensor, rows: NDArray[np.int64]) -> Tensor:
        assert self.teacher is not None
        assert model.repeats is not None
        known, vectors = self.teacher.of_pairs(rows)
        if not len(known):
            return means.new_zeros(())
        firsts, seconds = means[: len(rows)], means[len(rows) :]
        targets = torch.from_numpy(vectors).to(means.device)
        predicted = model.repeats(torch.cat([firsts[known], seconds[known]]))
        return 1 - functional.cosine_similarity(predicted, torch.cat([targets, targets])).mean()


def masked_loss(model: PretrainModel, states: Tensor, batch: PretrainBatch) -> Tensor:
    """Mean cross-entropy of the masked tokens among the candidates; 0 without any."""
    masked = batch.masked
    if not len(masked.indices):
        return states.sum() * 0
    device = states.device
    masked_states = states.flatten(0, 1)[torch.from_numpy(masked.indices).to(device)]
    log_probabilities = torch.from_numpy(batch.log_probabilities).to(device)
    targets = torch.from_numpy(np.searchsorted(batch.candidates, masked.targets)).to(device)
    logits = model.logits(masked_states, batch.candidates) - log_probabilities
    # a target is always a candidate
    logits = logits.scatter_add(1, targets[:, None], log_probabilities[targets, None])
    return functional.cross_entropy(logits, targets)


def comparison_loss(model: PretrainModel, means: Tensor, translations: NDArray[np.bool_]) -> Tensor:
    """Mean cross-entropy of classifying pairs as translations by their mean states."""
    targets = torch.from_numpy(translations).to(means.device).float()
    return functional.binary_cross_entropy_with_logits(model.compares(means)[:, 0], targets)


def ranking_loss(
    firsts: Tensor, seconds: Tensor, same: NDArray[np.bool_], temperature: float
) -> Tensor:
    """Mean cross-entropy of finding the second side of a pair by its first, and vice versa."""
    cosines = functional.normalize(firsts, dim=1) @ functional.normalize(seconds, dim=1).T
    excluded = torch.from_numpy(same).to(firsts.device)
    logits = (cosines / temperature).masked_fill(excluded, -torch.inf)
    targets = torch.arange(len(firsts), device=firsts.device)
    forward = functional.cross_entropy(logits, targets)
    return (forward + functional.cross_entropy(logits.T, targets)) / 2
