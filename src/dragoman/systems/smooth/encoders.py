"""Word ids of texts -> one vector per text: average pooling, DSSM-CNN, DSSM-LSTM.

Texts are not padded. A text without a known word becomes the zero vector.
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
GROUP = 16  # texts of similar length that an LSTM processes at a time


class Tower(nn.Module):
    """Word vectors and their pooling: (n, dimension) for n rows of texts."""

    def __init__(self, table: NDArray[np.float32], dimension: int) -> None:
        super().__init__()
        self.table = EmbeddingTable(table)
        self.dimension = dimension  # of the text vectors

    def zeros(self, count: int) -> Tensor:
        """(count, dimension): zero vectors."""
        return torch.zeros((count, self.dimension), device=self.table.weight.device)

    def scatter(self, vectors: Tensor, rows: IntArray, count: int) -> Tensor:
        """(count, dimension): ``vectors`` in their ``rows``, zeros elsewhere."""
        index = torch.from_numpy(rows).to(vectors.device)
        return self.zeros(count).to(vectors.dtype).index_copy(0, index, vectors)


class AveragePooling(Tower):
    """tanh of the mean of the word vectors (section 3.2)."""

    def __init__(self, table: NDArray[np.float32]) -> None:
        super().__init__(table, table.shape[1])

    def forward(self, texts: TokenizedTexts, rows: IntArray) -> Tensor:
        """(n, p) for the n ``rows`` of ``texts``."""
        return torch.tanh(self.table.sums(texts.bags, rows))


class Convolution(Tower):
    """Filters over three words, max pooling, a linear layer (Shen et al. 2014)."""

    def __init__(self, table: NDArray[np.float32], dropout: float) -> None:
        super().__init__(table, OUTPUT)
        self.dropout = nn.Dropout(dropout)
        self.filters = nn.Linear(WINDOW * self.table.dimension, FILTERS)
        self.output = nn.Linear(FILTERS, OUTPUT)

    def forward(self, texts: TokenizedTexts, rows: IntArray) -> Tensor:
        """(n, 64) for the n ``rows`` of ``texts``."""
        filled = np.flatnonzero(texts.sequences.lengths[rows])
        if not len(filled):
            return self.zeros(len(rows))
        at, starts = gather_positions(texts.sequences.starts, rows[filled])
        vectors = self.dropout(self.table.look_up(texts.sequences.words[at]))
        activations = max_activations(vectors, self.filters, starts)
        return self.scatter(self.output(torch.tanh(activations)), filled, len(rows))


class Recurrent(Tower):
    """The last states of an LSTM in both directions, and a linear layer (Palangi et al. 2016).

    Each direction is a layer of its own. Texts of similar length are processed together; states
    after the end of a text are computed but not used. Packed sequences would compute less but train
    more slowly: torch's gradient of a packed step is as large as the whole batch.
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
            return self.zeros(len(rows))
        filled = filled[np.argsort(lengths[filled], kind="stable")]
        at, starts = gather_positions(texts.sequences.starts, rows[filled])
        vectors = self.dropout(self.table.look_up(texts.sequences.words[at]))
        states = []
        for first in range(0, len(filled), GROUP):
            group = starts[first : first + GROUP + 1]
            states.append(self._states(vectors[group[0] : group[-1]], group - group[0]))
        return self.scatter(self.output(torch.cat(states)), filled, len(rows))

    def _states(self, vectors: Tensor, starts: NDArray[np.int64]) -> Tensor:
        """(texts, 2 units): a state of each direction."""
        padding = torch.zeros((1, self.table.dimension), device=vectors.device)
        padded = torch.cat([vectors, padding.to(vectors.dtype)])
        texts = torch.arange(len(starts) - 1, device=vectors.device)
        last = np.diff(starts) - 1
        states = []
        for lstm, order, steps in (
            (self.forwards, 1, self.forward_steps(last)),
            (self.backwards, -1, last),
        ):
            positions = step_positions(starts, order)[: steps.max() + 1]
            inputs = nn.functional.embedding(torch.from_numpy(positions).to(texts.device), padded)
            states.append(lstm(inputs)[0][torch.from_numpy(steps).to(texts.device), texts])
        return torch.cat(states, dim=1)

    def forward_steps(self, last: NDArray[np.int64]) -> NDArray[np.int64]:
        """(texts,): the step after which the forward state is used, given the last one."""
        return last


class FirstPositionRecurrent(Recurrent):
    """The states of both directions at the first word.

    The paper's section 5.1 to the letter: "the first hidden state for the forward LSTM", which has
    read one word, and "the last hidden state for the backward LSTM", which has read them all.
    """

    def forward_steps(self, last: NDArray[np.int64]) -> NDArray[np.int64]:
        """(texts,): zeros, for the first word."""
        return np.zeros_like(last)


def step_positions(starts: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """(steps, texts): the position of every text's n-th word, from its end if ``order`` is -1.

    After the end of a text it is the number of all words: the row of the padding.
    """
    lengths = np.diff(starts)
    steps = np.arange(lengths.max())[:, None]
    positions = starts[:-1] + steps if order > 0 else starts[1:] - 1 - steps
    return np.where(steps < lengths, positions, starts[-1])


def build_tower(config: SmoothModelConfig, table: NDArray[np.float32]) -> Tower:
    """The tower of a configuration over a table of word vectors."""
    if config.architecture is SmoothArchitecture.CNN:
        return Convolution(table, config.dropout)
    if config.architecture is SmoothArchitecture.LSTM:
        return Recurrent(table, config.dropout)
    if config.architecture is SmoothArchitecture.LSTM_FIRST_POSITION:
        return FirstPositionRecurrent(table, config.dropout)
    return AveragePooling(table)
