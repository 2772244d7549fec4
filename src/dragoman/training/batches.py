"""Examples -> batches: shuffled by epoch, and by length where texts are padded together.

An epoch's order depends on the seed and the epoch's number alone, so it can be entered anywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dragoman.errors import ConfigError
from dragoman.types import IntArray


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchConfig:
    """How examples are cut into batches."""

    size: int = 128
    shuffle: bool = True
    # so many batches are sorted by length together: texts of a batch are then about equally long
    bucket: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size < 1 or self.bucket < 1:
            raise ConfigError(
                f"size and bucket of batches must be 1 or more, got {self.size} and {self.bucket}"
            )


def batch_count(examples: int, config: BatchConfig) -> int:
    """How many batches so many examples make; the last may be smaller."""
    return -(-examples // config.size)


def epoch_rows(
    lengths: IntArray, config: BatchConfig, epoch: int, start: int = 0, stride: int = 1
) -> Iterator[IntArray]:
    """The rows of the batches ``start``, ``start + stride``, ... of an epoch.

    ``lengths`` (n,) has one entry per example; every example is in one batch.
    """
    rng = np.random.default_rng((config.seed, epoch))
    order = rng.permutation(len(lengths)) if config.shuffle else np.arange(len(lengths))
    batches = np.arange(batch_count(len(lengths), config))
    if config.bucket > 1:
        span = config.size * config.bucket
        bucket = np.arange(len(order)) // span
        order = order[np.lexsort((lengths[order], bucket))]
        if config.shuffle:
            batches = rng.permutation(batches)
    for batch in batches[start::stride]:
        yield order[batch * config.size : (batch + 1) * config.size]
