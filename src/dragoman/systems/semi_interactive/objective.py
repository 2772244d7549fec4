"""Prepared examples -> batches, and the loss of a batch."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from dragoman.systems.semi_interactive.config import Architecture, SemiInteractiveConfig
from dragoman.systems.semi_interactive.losses import (
    logs_of_cosines,
    logs_of_logits,
    mixed_loss,
)
from dragoman.systems.semi_interactive.model import RelevanceModel
from dragoman.systems.semi_interactive.prepared import Prepared
from dragoman.training.batches import BatchConfig, batch_count, epoch_rows
from dragoman.types import IntArray


@dataclass(frozen=True, slots=True)
class ExampleBatches:
    """Shuffled rows of examples, of about one length in a batch.

    Where documents are encoded apart, examples with the same one stand together, so that it is
    encoded once for them.
    """

    lengths: IntArray
    documents: IntArray
    config: BatchConfig

    @classmethod
    def of(cls, prepared: Prepared, config: SemiInteractiveConfig) -> "ExampleBatches":
        """The batches that suit an architecture."""
        together = config.architecture is Architecture.INTERACTIVE
        lengths = prepared.pair_lengths if together else prepared.document_lengths
        return cls(lengths, prepared.document_rows, config.batch_config)

    def __len__(self) -> int:
        return batch_count(len(self.lengths), self.config)

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[IntArray]:
        """The batches of the epoch ``number``."""
        texts = self.documents
        return epoch_rows(self.lengths, self.config, number, start, stride, texts=texts)


@dataclass(frozen=True, slots=True)
class Objective:
    """The mean loss of a batch of examples."""

    prepared: Prepared
    teacher: NDArray[np.float32] | None  # its score of every example

    def __call__(self, model: RelevanceModel, rows: IntArray) -> Tensor:
        """A number with a gradient."""
        config = model.config
        scores = model.raw_scores(self.prepared, rows).float()
        logs = (
            logs_of_logits(scores)
            if model.interactive
            else logs_of_cosines(scores, config.probability)
        )
        labels = torch.from_numpy(self.prepared.labels[rows]).to(scores.device)
        taught = None
        if self.teacher is not None:
            taught = torch.from_numpy(self.teacher[rows]).to(scores.device)
        loss = mixed_loss(logs, labels, taught, config.alpha, config.distillation)
        return loss.mean()
