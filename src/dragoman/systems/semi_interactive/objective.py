"""Tokenized examples -> batches, and the loss of a batch."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from dragoman.systems.semi_interactive.config import RelevanceArchitecture, SemiInteractiveConfig
from dragoman.systems.semi_interactive.losses import (
    cosine_log_probabilities,
    logit_log_probabilities,
    mixed_loss,
)
from dragoman.systems.semi_interactive.model import RelevanceModel
from dragoman.systems.semi_interactive.tokenized_examples import TokenizedExamples
from dragoman.training.batches import RowBatches
from dragoman.types import IntArray


def training_batches(examples: TokenizedExamples, config: SemiInteractiveConfig) -> RowBatches:
    """Shuffled batches of examples of similar length.

    If documents are encoded alone, examples of one document are consecutive, so that it is encoded
    once for them.
    """
    interactive = config.architecture is RelevanceArchitecture.INTERACTIVE
    lengths = examples.pair_lengths if interactive else examples.document_lengths
    return RowBatches(lengths, config.batch_config, examples.document_rows)


@dataclass(frozen=True, slots=True)
class RelevanceObjective:
    """The mean loss of a batch of examples."""

    examples: TokenizedExamples
    teacher: NDArray[np.float32] | None  # the score of every example

    def __call__(self, model: RelevanceModel, rows: IntArray) -> Tensor:
        """The loss, differentiable."""
        config = model.config
        scores = model.raw_scores(self.examples, rows).float()
        logs = (
            logit_log_probabilities(scores)
            if model.interactive
            else cosine_log_probabilities(scores, config.probability)
        )
        labels = torch.from_numpy(self.examples.labels[rows]).to(scores.device)
        teacher = None
        if self.teacher is not None:
            teacher = torch.from_numpy(self.teacher[rows]).to(scores.device)
        loss = mixed_loss(logs, labels, teacher, config.alpha, config.distillation)
        return loss.mean()
