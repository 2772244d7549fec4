"""What a pre-training makes small: hidden tokens told wrong, translations not found.

*Masked-language and translation-language modelling* (Devlin et al. 2019; Lample and Conneau 2019):
the cross-entropy of the hidden tokens, told from a sample of all tokens. Any candidate but the
token itself weighs one over its chance to be in the sample, so that the sum over the sample
estimates that over all tokens (importance sampling, Bengio and Senecal 2008).

*Ranking* (Guo et al. 2018; Feng et al. 2022): the mean state of a text and that of its translation
are nearer, by their cosine, than those of the other pairs of the batch.

*Comparing* (Huang et al. 2019): the mean state of two texts side by side tells whether they are
translations (``pair_negatives.py``). Hidden tokens are asked for where they are.

*Teaching* (Reimers and Gurevych 2020): the mean states of both sides of a pair, mapped linearly,
repeat a teacher's vector of the first.
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
    taught: TeacherVectors | None = None

    def __call__(self, model: PretrainModel, batch: PretrainBatch) -> Tensor:
        """A number with a gradient."""
        lines = batch.hidden.lines
        states = model.states(lines)
        loss = masked_loss(model, states, batch)
        if batch.kind is BatchKind.PLAIN:
            return loss
        means = mean_states(states, torch.from_numpy(lines.real).to(states.device))
        if batch.kind is BatchKind.TOGETHER:
            return loss + self.config.comparing * comparison_loss(model, means, batch.right)
        if self.config.ranking:
            loss = loss + self.config.ranking * self._ranking(means, batch.rows)
        if self.taught is not None:
            loss = loss + self.config.teaching * self._teaching(model, means, batch.rows)
        return loss

    def _ranking(self, means: Tensor, rows: NDArray[np.int64]) -> Tensor:
        firsts, seconds = means[: len(rows)], means[len(rows) :]
        same = shared_text_mask(self.pairs.first_texts[rows], self.pairs.second_texts[rows])
        return ranking_loss(firsts, seconds, same, self.config.temperature)

    def _teaching(self, model: PretrainModel, means: Tensor, rows: NDArray[np.int64]) -> Tensor:
        assert self.taught is not None
        assert model.repeats is not None
        known, vectors = self.taught.of_rows(rows)
        if not len(known):
            return means.new_zeros(())
        firsts, seconds = means[: len(rows)], means[len(rows) :]
        wanted = torch.from_numpy(vectors).to(means.device)
        said = model.repeats(torch.cat([firsts[known], seconds[known]]))
        return 1 - functional.cosine_similarity(said, torch.cat([wanted, wanted])).mean()


def masked_loss(model: PretrainModel, states: Tensor, batch: PretrainBatch) -> Tensor:
    """Mean cross-entropy of the hidden tokens among the candidates; 0 without any."""
    hidden = batch.hidden
    if not len(hidden.at):
        return states.sum() * 0
    device = states.device
    asked = states.flatten(0, 1)[torch.from_numpy(hidden.at).to(device)]
    chances = torch.from_numpy(batch.log_chances).to(device)
    wanted = torch.from_numpy(np.searchsorted(batch.candidates, hidden.wanted)).to(device)
    logits = model.logits(asked, batch.candidates) - chances
    # a hidden token is among the candidates whatever its chance
    logits = logits.scatter_add(1, wanted[:, None], chances[wanted, None])
    return functional.cross_entropy(logits, wanted)


def comparison_loss(model: PretrainModel, means: Tensor, right: NDArray[np.bool_]) -> Tensor:
    """Mean cross-entropy of telling lines of two translations from others by their mean states."""
    wanted = torch.from_numpy(right).to(means.device).float()
    return functional.binary_cross_entropy_with_logits(model.compares(means)[:, 0], wanted)


def ranking_loss(
    firsts: Tensor, seconds: Tensor, same: NDArray[np.bool_], temperature: float
) -> Tensor:
    """Mean cross-entropy of finding the second of a pair for its first, and the first."""
    cosines = functional.normalize(firsts, dim=1) @ functional.normalize(seconds, dim=1).T
    left_out = torch.from_numpy(same).to(firsts.device)
    logits = (cosines / temperature).masked_fill(left_out, -torch.inf)
    wanted = torch.arange(len(firsts), device=firsts.device)
    there = functional.cross_entropy(logits, wanted)
    return (there + functional.cross_entropy(logits.T, wanted)) / 2
