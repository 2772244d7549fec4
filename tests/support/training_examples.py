"""A model small enough to follow by hand, and batches for it."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import nn

from dragoman.training.batches import BatchConfig, batch_count, epoch_rows
from dragoman.training.embedding_table import EmbeddingTable
from dragoman.training.sequences import Sequences


class Scorer(nn.Module):
    """Words -> one number, through dropout, so that a step's randomness matters."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        rng = np.random.default_rng(seed)
        self.table = EmbeddingTable(rng.standard_normal((20, 4), dtype=np.float32))
        self.weight = nn.Parameter(torch.ones(4))
        self.dropout = nn.Dropout(0.3)

    def forward(self, bags, rows):
        return self.dropout(torch.tanh(self.table.sums(bags, rows))) @ self.weight


class Examples:
    """Texts whose label is the sign of a word; batches are rows."""

    def __init__(self, size: int = 40, batch: int = 8) -> None:
        rng = np.random.default_rng(1)
        words = [rng.integers(0, 20, 5).tolist() for _ in range(size)]
        self.texts = Sequences.pack(words)
        self.bags = self.texts.bags()
        self.labels = torch.tensor([1.0 if 3 in text else -1.0 for text in words])
        self.config = BatchConfig(size=batch)

    def __len__(self) -> int:
        return batch_count(len(self.texts), self.config)

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[np.ndarray]:
        return epoch_rows(self.texts.lengths, self.config, number, start, stride)

    def loss(self, model: Scorer, rows: np.ndarray) -> torch.Tensor:
        return (model(self.bags, rows) - self.labels[rows]).square().mean()


def parameters(model: nn.Module) -> dict[str, list]:
    return {name: tensor.detach().tolist() for name, tensor in model.state_dict().items()}
