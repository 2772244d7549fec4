"""The loss of a batch: cross-entropy of what the model says of every term and sentence (section 3).

The sum over all pairs of a batch, over the number of relevant ones: so every example counts once,
beside all verified negatives that the batch holds for it.
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
    """Terms and sentences in numbers; batches name their rows."""

    terms: Bags
    words: Bags
    texts: Sequences

    def __call__(self, model: SearcherModel, batch: SearcherBatch) -> Tensor:
        """A number with a gradient."""
        logits = model.logits(self.terms, batch.terms, self.words, self.texts, batch.sentences)
        return cross_entropy(logits, torch.from_numpy(batch.labels).to(logits.device))


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """H(X) over the number of relevant pairs; from logits, so that no probability is 0 or 1."""
    total = functional.binary_cross_entropy_with_logits(logits, labels, reduction="sum")
    return total / labels.sum().clamp_min(1)
