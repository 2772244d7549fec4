"""The loss of a batch: cross-entropy of all terms and sentences (section 3).

The sum over all pairs of a batch, divided by the number of relevant ones: every example counts
once, together with all verified negatives of the batch.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from dragoman.systems.searcher.examples import SearcherBatch
from dragoman.systems.searcher.model import SearcherModel
from dragoman.training.sequences import Bags, Sequences


@dataclass(frozen=True, slots=True)
class SearcherObjective:
    """The loss of batches that select rows of these terms and sentences."""

    terms: Bags
    words: Bags
    texts: Sequences

    def __call__(self, model: SearcherModel, batch: SearcherBatch) -> Tensor:
        """The loss, differentiable."""
        logits = model.logits(self.terms, batch.terms, self.words, self.texts, batch.sentences)
        return cross_entropy(logits, torch.from_numpy(batch.labels).to(logits.device))


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """H(X) over the number of relevant pairs; from logits, so that no probability is 0 or 1."""
    total = functional.binary_cross_entropy_with_logits(logits, labels, reduction="sum")
    return total / labels.sum().clamp_min(1)
