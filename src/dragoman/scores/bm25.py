"""Term counts -> BM25's two factors: saturation (document side) and idf (query side).

Robertson et al. 1994 in the form of Lucene: the constant factor k1 + 1, which changes no ranking,
is left out, so that a saturated count lies between 0 and 1. Counts may be fractions: expected
counts under a translation table are saturated like term frequencies.
"""

from dataclasses import dataclass

import numpy as np

from dragoman.errors import ConfigError
from dragoman.types import FloatArray


@dataclass(frozen=True, kw_only=True, slots=True)
class Bm25Config:
    """k1: how fast repeated terms saturate; b: how much document length is normalised."""

    k1: float = 1.2
    b: float = 0.75

    def __post_init__(self) -> None:
        if self.k1 < 0:
            raise ConfigError(f"k1 must be at least 0, got {self.k1}")
        if not 0 <= self.b <= 1:
            raise ConfigError(f"b must lie between 0 and 1, got {self.b}")


def inverse_document_frequency(
    document_frequency: FloatArray, documents: FloatArray | float
) -> FloatArray:
    """ln(1 + (N - df + .5) / (df + .5)): never negative, even for a term in every document."""
    absent = np.maximum(documents - document_frequency, 0.0)
    odds: FloatArray = (absent + 0.5) / (document_frequency + 0.5)
    return np.log1p(odds)


def length_norm(lengths: FloatArray, mean_length: float, config: Bm25Config) -> FloatArray:
    """For each document, the count at which a term reaches half its weight."""
    relative = lengths / mean_length if mean_length > 0 else np.ones_like(lengths)
    return config.k1 * (1.0 - config.b + config.b * relative)


def saturate(counts: FloatArray, norm: FloatArray) -> FloatArray:
    """Each count as tf / (tf + norm), elementwise; 0 stays 0."""
    return counts / np.maximum(counts + norm, np.finfo(np.float32).tiny)


def most_raised(then: tuple[Bm25Config, float], now: tuple[Bm25Config, float]) -> float:
    """By what factor a saturated count can rise at most, with another mean length; at least 1.

    tf / (tf + norm) rises at most as its norm falls. The ratio of two norms, which are linear in
    the length of a document, is extreme for no length or for an endless one.
    """
    (old, old_mean), (new, new_mean) = then, now
    slopes = new.k1 * new.b / new_mean, old.k1 * old.b / old_mean
    starts = new.k1 * (1 - new.b), old.k1 * (1 - old.b)
    ratios = [after / before if after else 0.0 for after, before in (slopes, starts) if before]
    lowest = min(ratios, default=1.0)
    return max(1.0, 1.0 / lowest) if lowest > 0 else float("inf")
