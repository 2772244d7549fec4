"""Prepared examples -> batches, and the loss of a batch."""

from collections.abc import Iterator
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
from dragoman.training.batches import BatchConfig, batch_count, epoch_rows
from dragoman.types import IntArray


@dataclass(frozen=True, slots=True)
class RelevanceBatches:
    """Shuffled rows of examples, of about one length in a batch.

    Where documents are encoded apart, examples with the same one stand together, so that it is
    encoded once for them.
    """

    lengths: IntArray
    documents: IntArray
    config: BatchConfig

    @classmethod
    def of(cls, prepared: TokenizedExamples, config: SemiInteractiveConfig) -> "RelevanceBatches":
        """The batches that suit an architecture."""
        together = config.architecture is RelevanceArchitecture.INTERACTIVE
        lengths = prepared.pair_lengths if together else prepared.document_lengths
        return cls(lengths, prepared.document_rows, config.batch_config)

    def __len__(self) -> int:
        return batch_count(len(self.lengths), self.config)

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[IntArray]:
        """The batches of the epoch ``number``."""
        texts = self.documents
        return epoch_rows(self.lengths, self.config, number, start, stride, texts=texts)


@dataclass(frozen=True, slots=True)
class RelevanceObjective:
    """The mean loss of a batch of examples."""

    prepared: TokenizedExamples
    teacher: NDArray[np.float32] | None  # its score of every example

    def __call__(self, model: RelevanceModel, rows: IntArray) -> Tensor:
        """A number with a gradient."""
        config = model.config
        scores = model.raw_scores(self.prepared, rows).float()
        logs = (
            logit_log_probabilities(scores)
            if model.interactive
            else cosine_log_probabilities(scores, config.probability)
        )
        labels = torch.from_numpy(self.prepared.labels[rows]).to(scores.device)
        taught = None
        if self.teacher is not None:
            taught = torch.from_numpy(self.teacher[rows]).to(scores.device)
        loss = mixed_loss(logs, labels, taught, config.alpha, config.distillation)
        return loss.mean()
