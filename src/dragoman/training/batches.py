"""Examples -> batches: shuffled by epoch, and by length where texts are padded together.

The order of an epoch depends on the seed and the epoch's number alone, so that a training can
resume at any batch.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from dragoman.errors import ConfigError
from dragoman.types import IntArray


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchConfig:
    """How examples are grouped into batches."""

    size: int = 128
    shuffle: bool = True
    # batches sorted by length together, so that the texts of a batch are about equally long
    bucket: int = 1
    # consecutive examples with the same text, so that it is encoded once for all of them
    together: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.size, self.bucket, self.together) < 1:
            raise ConfigError(
                "size, bucket and together of batches must be 1 or more, got"
                f" {self.size}, {self.bucket} and {self.together}"
            )


def batch_count(examples: int, config: BatchConfig) -> int:
    """The number of batches of an epoch; the last may be smaller."""
    return -(-examples // config.size)


def epoch_rows(
    lengths: IntArray,
    config: BatchConfig,
    epoch: int,
    start: int = 0,
    stride: int = 1,
    *,
    texts: IntArray | None = None,
) -> Iterator[IntArray]:
    """The rows of the batches ``start``, ``start + stride``, ... of an epoch.

    ``lengths`` (n,) is the length of each example, ``texts`` (n,) the row of its text, where
    examples share texts. Every example is in exactly one batch.
    """
    rng = np.random.default_rng((config.seed, epoch))
    count = len(lengths)
    text_rows = np.arange(count) if texts is None else texts
    order = grouped_shuffle(text_rows, config.together, rng) if config.shuffle else np.arange(count)
    batches = np.arange(batch_count(count, config))
    if config.bucket > 1:
        span = config.size * config.bucket
        bucket = np.arange(len(order)) // span
        order = order[np.lexsort((lengths[order], bucket))]
        if config.shuffle:
            batches = rng.permutation(batches)
    for batch in batches[start::stride]:
        yield order[batch * config.size : (batch + 1) * config.size]


def grouped_shuffle(texts: IntArray, together: int, rng: np.random.Generator) -> IntArray:
    """A random order of examples; ``together`` examples with the same text are consecutive."""
    order = rng.permutation(len(texts))
    if together == 1 or not len(texts):
        return order
    order = order[np.argsort(texts[order], kind="stable")]
    firsts = np.flatnonzero(np.diff(texts[order], prepend=-1))
    within = np.arange(len(order)) - np.repeat(firsts, np.diff(firsts, append=len(order)))
    group = np.cumsum(within % together == 0) - 1
    ranks = rng.permutation(group[-1] + 1)
    return order[np.argsort(ranks[group], kind="stable")]


@dataclass(frozen=True, slots=True)
class RowBatches:
    """Batches of rows of examples, shuffled every epoch."""

    lengths: IntArray  # of each example
    config: BatchConfig
    texts: IntArray | None = None  # the row of each example's text, where examples share texts

    def __len__(self) -> int:
        return batch_count(len(self.lengths), self.config)

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[IntArray]:
        """The batches ``start``, ``start + stride``, ... of the epoch ``number``."""
        return epoch_rows(self.lengths, self.config, number, start, stride, texts=self.texts)


@dataclass(frozen=True, slots=True)
class EpochParts:
    """Equal parts of the epochs of ``batches``, each as an epoch of its own, validated by itself.

    An epoch loses the batches that do not divide evenly.
    """

    batches: RowBatches
    parts: int  # of an epoch

    def __len__(self) -> int:
        return len(self.batches) // self.parts

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[IntArray]:
        """The batches ``start``, ``start + stride``, ... of the part ``number`` of all epochs."""
        epoch, part = divmod(number, self.parts)
        count = len(range(start, len(self), stride))
        return islice(self.batches.epoch(epoch, part * len(self) + start, stride), count)
