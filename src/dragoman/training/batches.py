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
    # so many examples with the same text come one after the other: it is then encoded once for them
    together: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.size, self.bucket, self.together) < 1:
            raise ConfigError(
                "size, bucket and together of batches must be 1 or more, got"
                f" {self.size}, {self.bucket} and {self.together}"
            )


def batch_count(examples: int, config: BatchConfig) -> int:
    """How many batches so many examples make; the last may be smaller."""
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

    ``lengths`` (n,) has one entry per example, as have ``texts``: which one it has, where several
    share one. Every example is in one batch.
    """
    rng = np.random.default_rng((config.seed, epoch))
    count = len(lengths)
    each = np.arange(count) if texts is None else texts
    order = grouped_shuffle(each, config.together, rng) if config.shuffle else np.arange(count)
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
    """A random order in which examples with the same text stand ``together`` at a time."""
    order = rng.permutation(len(texts))
    if together == 1 or not len(texts):
        return order
    order = order[np.argsort(texts[order], kind="stable")]
    firsts = np.flatnonzero(np.diff(texts[order], prepend=-1))
    place = np.arange(len(order)) - np.repeat(firsts, np.diff(firsts, append=len(order)))
    party = np.cumsum(place % together == 0) - 1
    turn = rng.permutation(party[-1] + 1)
    return order[np.argsort(turn[party], kind="stable")]
