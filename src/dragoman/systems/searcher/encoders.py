"""Word vectors -> contextual word vectors (section 6), by convolutions or attention.

The convolutional encoder processes all sentences of a batch as one sequence with gaps between them,
which are reset to zero after every block. So sentences do not influence each other, nothing is
padded, and the vectors of a sentence do not depend on its batch.
"""

from math import log, sqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from dragoman.systems.searcher.config import EncoderKind, SearcherModelConfig

Starts = NDArray[np.int64]


def build_encoder(config: SearcherModelConfig) -> nn.Module:
    """The encoder of a configuration: vectors (m, p) and starts -> vectors (m, p)."""
    if config.encoder is EncoderKind.TRANSFORMER:
        return TransformerEncoder(config)
    return ConvolutionEncoder(config)


class ConvolutionBlock(nn.Module):
    """Dropout, convolution, gated linear unit, residual connection."""

    def __init__(self, size: int, width: int, dropout: float, blocks: int) -> None:
        super().__init__()
        self.width, self.dropout = width, dropout
        self.convolution = nn.Linear(width * size, 2 * size)
        # accounts for gates and dropout (Gehring et al. 2017, section 3.5); the sum of all blocks
        # begins no larger than the word vector itself
        spread = sqrt(4 * (1 - dropout) / (width * size)) / sqrt(max(blocks, 1))
        nn.init.normal_(self.convolution.weight, std=spread)
        nn.init.zeros_(self.convolution.bias)

    def forward(self, vectors: Tensor, real: Tensor, before: int) -> Tensor:
        """Vectors (m, p) -> (m, p); ``real`` (m, 1) is 0 in the gaps, which stay zero.

        The window of a position has ``before`` positions before it and the rest of ``width`` after.
        """
        inputs = functional.dropout(vectors, self.dropout, self.training)
        inputs = functional.pad(inputs, (0, 0, before, self.width - 1 - before))
        windows = [inputs[offset : offset + len(vectors)] for offset in range(self.width)]
        outputs = functional.glu(self.convolution(torch.cat(windows, dim=1)), dim=1)
        return vectors + outputs * real


class ConvolutionEncoder(nn.Module):
    """Blocks of convolutions; n blocks of width w see n (w - 1) / 2 words on either side."""

    def __init__(self, config: SearcherModelConfig) -> None:
        super().__init__()
        self.gap = config.width // 2
        self.blocks = nn.ModuleList(
            ConvolutionBlock(config.size, config.width, config.dropout, config.blocks)
            for _ in range(config.blocks)
        )

    def forward(self, vectors: Tensor, starts: Starts) -> Tensor:
        """(m, p): the contextual vector of every word."""
        at = torch.from_numpy(gapped_positions(starts, self.gap)).to(vectors.device)
        length = len(at) + self.gap * (len(starts) - 1)
        spread = vectors.new_zeros((length, vectors.shape[1])).index_copy(0, at, vectors)
        real = vectors.new_zeros((length, 1)).index_fill(0, at, 1.0)
        for block in self.blocks:
            spread = block(spread, real, self.gap)
        return spread[at]


def gapped_positions(starts: Starts, gap: int) -> NDArray[np.int64]:
    """The positions of words if a gap of ``gap`` positions follows every sentence."""
    sentence = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return (np.arange(starts[-1]) + gap * sentence).astype(np.int64)


class TransformerEncoder(nn.Module):
    """Self-attention within a sentence (the alternative of section 7), with sine positions."""

    def __init__(self, config: SearcherModelConfig) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(
            config.size,
            config.heads,
            2 * config.size,
            config.dropout,
            batch_first=True,
            norm_first=True,
        )
        self.layers = nn.TransformerEncoder(layer, config.blocks, enable_nested_tensor=False)
        self.size = config.size

    def forward(self, vectors: Tensor, starts: Starts) -> Tensor:
        """(m, p): the contextual vector of every word."""
        words, empty = pad_sentences(vectors, starts)
        contextual: Tensor = self.layers(
            words + sinusoids(words.shape[1], self.size).to(words), src_key_padding_mask=empty
        )
        return contextual[~empty]


def pad_sentences(vectors: Tensor, starts: Starts) -> tuple[Tensor, Tensor]:
    """(sentences, longest, p), padded with zeros, and the mask of the padding."""
    lengths = np.diff(starts)
    columns = np.arange(int(lengths.max(initial=0)))
    real = torch.from_numpy(columns[None, :] < lengths[:, None]).to(vectors.device)
    words = vectors.new_zeros((*real.shape, vectors.shape[1]))
    return words.masked_scatter(real[:, :, None], vectors), ~real


def sinusoids(length: int, size: int) -> Tensor:
    """(length, size): position encodings (Vaswani et al. 2017), scaled like word vectors."""
    rate = torch.exp(torch.arange(0, size, 2) * (-log(10_000.0) / size))
    angle = torch.arange(length)[:, None] * rate[None, :]
    return torch.cat([torch.sin(angle), torch.cos(angle)], dim=1) / sqrt(size)
