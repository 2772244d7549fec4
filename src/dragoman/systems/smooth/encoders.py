"""The words of texts -> one vector each: average pooling, DSSM-CNN, DSSM-LSTM.

No text is padded. A text without a known word is the zero vector.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dragoman.systems.smooth.config import SmoothArchitecture, SmoothModelConfig
from dragoman.systems.smooth.filters import WINDOW, max_activations
from dragoman.systems.smooth.vocabulary import TokenizedTexts
from dragoman.training.embedding_table import EmbeddingTable
from dragoman.training.sequences import gather_positions
from dragoman.types import IntArray

FILTERS, OUTPUT, UNITS = 300, 64, 64  # section 5.1
LIKE = 16  # texts of about one length that an LSTM reads at a time


class Tower(nn.Module):
    """Word vectors, and what makes one vector of them: (n, dimension) for n rows of texts."""

    def __init__(self, table: NDArray[np.float32], dimension: int) -> None:
        super().__init__()
        self.table = EmbeddingTable(table)
        self.dimension = dimension  # of the vector of a text

    def nothing(self, count: int) -> Tensor:
        """Zero vectors."""
        return torch.zeros((count, self.dimension), device=self.table.weight.device)

    def placed(self, vectors: Tensor, rows: IntArray, count: int) -> Tensor:
        """``vectors`` at their ``rows`` among ``count``, zeros elsewhere."""
        places = torch.from_numpy(rows).to(vectors.device)
        return self.nothing(count).to(vectors.dtype).index_copy(0, places, vectors)


class AveragePooling(Tower):
    """tanh of the mean of the word vectors (section 3.2)."""

    def __init__(self, table: NDArray[np.float32]) -> None:
        super().__init__(table, table.shape[1])

    def forward(self, texts: TokenizedTexts, rows: IntArray) -> Tensor:
        """(n, p) for the n ``rows`` of ``texts``."""
        return torch.tanh(self.table.sums(texts.bags, rows))


class Convolution(Tower):
    """Filters over three words, the strongest answer of each, a linear layer (Shen et al. 2014)."""

    def __init__(self, table: NDArray[np.float32], dropout: float) -> None:
        super().__init__(table, OUTPUT)
        self.dropout = nn.Dropout(dropout)
        self.filters = nn.Linear(WINDOW * self.table.dimension, FILTERS)
        self.output = nn.Linear(FILTERS, OUTPUT)

    def forward(self, texts: TokenizedTexts, rows: IntArray) -> Tensor:
        """(n, 64) for the n ``rows`` of ``texts``."""
        filled = np.flatnonzero(texts.sequences.lengths[rows])
        if not len(filled):
            return self.nothing(len(rows))
        at, starts = gather_positions(texts.sequences.starts, rows[filled])
        vectors = self.dropout(self.table.look_up(texts.sequences.words[at]))
        answers = max_activations(vectors, self.filters, starts)
        return self.placed(self.output(torch.tanh(answers)), filled, len(rows))


class Recurrent(Tower):
    """The last state of an LSTM in either direction, and a linear layer (Palangi et al. 2016).

    The directions are two layers that read a text from its first and from its last word on, some
    texts of like length at a time; what stands after a text's end is read, but not looked at.
    Packed sequences would read less and learn slower: torch's gradient of a packed step is as large
    as the whole batch.
    """

    def __init__(self, table: NDArray[np.float32], dropout: float) -> None:
        super().__init__(table, OUTPUT)
        self.dropout = nn.Dropout(dropout)
        self.forwards = nn.LSTM(self.table.dimension, UNITS)
        self.backwards = nn.LSTM(self.table.dimension, UNITS)
        self.output = nn.Linear(2 * UNITS, OUTPUT)

    def forward(self, texts: TokenizedTexts, rows: IntArray) -> Tensor:
        """(n, 64) for the n ``rows`` of ``texts``."""
        lengths = texts.sequences.lengths[rows]
        filled = np.flatnonzero(lengths)
        if not len(filled):
            return self.nothing(len(rows))
        filled = filled[np.argsort(lengths[filled], kind="stable")]
        at, starts = gather_positions(texts.sequences.starts, rows[filled])
        vectors = self.dropout(self.table.look_up(texts.sequences.words[at]))
        states = []
        for first in range(0, len(filled), LIKE):
            some = starts[first : first + LIKE + 1]
            states.append(self._states(vectors[some[0] : some[-1]], some - some[0]))
        return self.placed(self.output(torch.cat(states)), filled, len(rows))

    def _states(self, vectors: Tensor, starts: NDArray[np.int64]) -> Tensor:
        """(texts, 2 units): the last states of both directions."""
        outside = torch.zeros((1, self.table.dimension), device=vectors.device)
        padded = torch.cat([vectors, outside.to(vectors.dtype)])
        last = torch.from_numpy(np.diff(starts) - 1).to(vectors.device)
        each = torch.arange(len(starts) - 1, device=vectors.device)
        found = []
        for lstm, order in ((self.forwards, 1), (self.backwards, -1)):
            places = torch.from_numpy(step_positions(starts, order)).to(vectors.device)
            found.append(lstm(nn.functional.embedding(places, padded))[0][last, each])
        return torch.cat(found, dim=1)


def step_positions(starts: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """(steps, texts): the place of every text's n-th word, from its end where ``order`` is -1.

    After the end of a text the number is that of all words: the row after the last.
    """
    lengths = np.diff(starts)
    steps = np.arange(lengths.max())[:, None]
    places = starts[:-1] + steps if order > 0 else starts[1:] - 1 - steps
    return np.where(steps < lengths, places, starts[-1])


def build_tower(config: SmoothModelConfig, table: NDArray[np.float32]) -> Tower:
    """The tower of a configuration over a table of word vectors."""
    if config.architecture is SmoothArchitecture.CNN:
        return Convolution(table, config.dropout)
    if config.architecture is SmoothArchitecture.LSTM:
        return Recurrent(table, config.dropout)
    return AveragePooling(table)
