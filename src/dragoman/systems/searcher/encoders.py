"""Vectors of words -> vectors of words in their context (section 6): convolutions or attention.

The convolutional encoder reads all sentences of a batch as one long text with empty places between
them, which stay empty after every block. So no sentence sees another, nothing is padded, and what a
sentence becomes does not depend on its batch.
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
        # gates halve and dropout stretches (Gehring et al. 2017, section 3.5); the sum of all
        # blocks begins no larger than the word itself
        spread = sqrt(4 * (1 - dropout) / (width * size)) / sqrt(max(blocks, 1))
        nn.init.normal_(self.convolution.weight, std=spread)
        nn.init.zeros_(self.convolution.bias)

    def forward(self, vectors: Tensor, real: Tensor, before: int) -> Tensor:
        """Vectors (m, p) -> (m, p); ``real`` (m, 1) is 0 at empty places, which stay empty.

        A place sees ``before`` others in front of it and the rest of ``width`` behind.
        """
        seen = functional.dropout(vectors, self.dropout, self.training)
        seen = functional.pad(seen, (0, 0, before, self.width - 1 - before))
        windows = [seen[place : place + len(vectors)] for place in range(self.width)]
        found = functional.glu(self.convolution(torch.cat(windows, dim=1)), dim=1)
        return vectors + found * real


class ConvolutionEncoder(nn.Module):
    """Blocks of convolutions; with n of width w a word sees n (w - 1) / 2 on either side."""

    def __init__(self, config: SearcherModelConfig) -> None:
        super().__init__()
        self.gap = config.width // 2
        self.blocks = nn.ModuleList(
            ConvolutionBlock(config.size, config.width, config.dropout, config.blocks)
            for _ in range(config.blocks)
        )

    def forward(self, vectors: Tensor, starts: Starts) -> Tensor:
        """Every word in its context."""
        at = torch.from_numpy(gapped_positions(starts, self.gap)).to(vectors.device)
        places = len(at) + self.gap * (len(starts) - 1)
        spread = vectors.new_zeros((places, vectors.shape[1])).index_copy(0, at, vectors)
        real = vectors.new_zeros((places, 1)).index_fill(0, at, 1.0)
        for block in self.blocks:
            spread = block(spread, real, self.gap)
        return spread[at]


def gapped_positions(starts: Starts, gap: int) -> NDArray[np.int64]:
    """Where words stand when ``gap`` empty places follow every sentence."""
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
        """Every word in its context."""
        words, empty = pad_sentences(vectors, starts)
        found: Tensor = self.layers(
            words + sinusoids(words.shape[1], self.size).to(words), src_key_padding_mask=empty
        )
        return found[~empty]


def pad_sentences(vectors: Tensor, starts: Starts) -> tuple[Tensor, Tensor]:
    """(sentences, longest, p), zero behind the end of a sentence, and where that is."""
    lengths = np.diff(starts)
    place = np.arange(int(lengths.max(initial=0)))
    real = torch.from_numpy(place[None, :] < lengths[:, None]).to(vectors.device)
    words = vectors.new_zeros((*real.shape, vectors.shape[1]))
    return words.masked_scatter(real[:, :, None], vectors), ~real


def sinusoids(length: int, size: int) -> Tensor:
    """(length, size): the positions of Vaswani et al. 2017, as small as first word vectors are."""
    rate = torch.exp(torch.arange(0, size, 2) * (-log(10_000.0) / size))
    angle = torch.arange(length)[:, None] * rate[None, :]
    return torch.cat([torch.sin(angle), torch.cos(angle)], dim=1) / sqrt(size)
