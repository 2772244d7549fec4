"""Scores of one query in several languages -> one ranking that no language dominates.

Scores of different languages are not comparable: words of the query's own language match exactly, a
student's vectors lie close together. The top scores of a language show its scale for this query;
scores are standardised by it, or languages are interleaved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from math import inf
from typing import NamedTuple, Self

import numpy as np

from dragoman.types import FloatArray, Hit, IntArray

BEST = 50  # top scores that a scale is estimated from
# Shrinkage: the weight of the mean and variance over all languages, as a number of scores. A
# language with a handful of documents has no scale of its own, and a lone weak hit must not win.
MEAN_PRIOR, SPREAD_PRIOR = 10, 50
NEGLIGIBLE = 1e-12  # a deviation that is only rounding


class Balance(StrEnum):
    """How scores of different languages are made comparable."""

    OFF = "off"
    CALIBRATED = "calibrated"
    ROUND_ROBIN = "round-robin"


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """Mean and standard deviation of a language's top scores."""

    mean: float
    deviation: float

    def standardize(self, scores: FloatArray) -> FloatArray:
        """The z-scores; all 0 where the deviation is negligible."""
        if self.deviation <= NEGLIGIBLE:
            return np.zeros(len(scores))
        standardized: FloatArray = (scores - self.mean) / self.deviation
        return standardized


class LanguageScales(NamedTuple):
    """The scales of several languages; scores refer to them by the index of their language."""

    means: FloatArray
    deviations: FloatArray

    @classmethod
    def estimate(cls, best: Sequence[FloatArray]) -> Self:
        """The scale of each language from its top scores, shrunk to that of all where few."""
        measured = _moments([scores[:BEST] for scores in best])
        known = [one for one in measured if one.count]
        if not known:
            return cls(*np.zeros((2, len(best))))
        count = sum(one.count for one in known)
        mean = sum(one.count * one.mean for one in known) / count
        variance = sum(one.variance for one in known) / len(known)
        if len(best) == 1 or variance**0.5 <= NEGLIGIBLE:
            between = sum(one.count * (one.mean - mean) ** 2 for one in known) / count
            variance = sum(one.count * one.variance for one in known) / count + between
        shrunk = [_shrink(one, mean, variance) for one in measured]
        return cls(np.array([one.mean for one in shrunk]), np.array([o.deviation for o in shrunk]))

    def standardize(self, scores: FloatArray, languages: IntArray) -> FloatArray:
        """The z-scores of documents by the index of their language, both (n,).

        All 0 for a language with a negligible deviation.
        """
        deviations = np.where(self.deviations > NEGLIGIBLE, self.deviations, inf)
        standardized: FloatArray = (scores - self.means[languages]) / deviations[languages]
        return standardized


@dataclass(frozen=True, slots=True)
class _Moments:
    """Number, mean and variance of a language's scores; all 0 where there are none."""

    count: int
    mean: float
    variance: float


def _moments(lists: Sequence[FloatArray]) -> list[_Moments]:
    """The moments of each list."""
    counts = [len(scores) for scores in lists]
    languages, divisors = np.arange(len(lists)).repeat(counts), np.maximum(counts, 1)
    scores = np.concatenate(lists)
    means = np.bincount(languages, scores, len(lists)) / divisors
    off = scores - means[languages]
    variances = np.bincount(languages, off * off, len(lists)) / divisors
    return list(map(_Moments, counts, means.tolist(), variances.tolist()))


def _shrink(own: _Moments, mean: float, variance: float) -> ScoreScale:
    """The scale of a language, between its own moments and those of all languages."""
    own_mean = own.count / (own.count + MEAN_PRIOR)
    own_spread = own.count / (own.count + SPREAD_PRIOR)
    return ScoreScale(
        own_mean * own.mean + (1 - own_mean) * mean,
        (own_spread * own.variance + (1 - own_spread) * variance) ** 0.5,
    )


def language_scales(best: Mapping[str, FloatArray]) -> dict[str, ScoreScale]:
    """The scale of each language by its code, from its top scores."""
    if not best:
        return {}
    means, deviations = LanguageScales.estimate([*best.values()])
    return dict(zip(best, map(ScoreScale, means.tolist(), deviations.tolist()), strict=True))


def pad_scores(scores: FloatArray, documents: int) -> FloatArray:
    """The top scores of a list, padded with the zeros of the documents that did not match."""
    best = scores[:BEST]
    return np.append(best, np.zeros(max(0, min(documents, BEST) - len(best))))


def interleave(lists: Mapping[str, Sequence[Hit]]) -> list[Hit]:
    """One hit of each language in turn, the language with the best first hit first.

    A hit's score is one over its rank: the original scores are not comparable.
    """
    nonempty = [hits for hits in lists.values() if hits]
    order = sorted(nonempty, key=lambda hits: (-hits[0].score, hits[0].doc_id))
    mixed = [hit for row in zip_longest(*order) for hit in row if hit is not None]
    return [Hit(hit.doc_id, 1.0 / rank, hit.parts) for rank, hit in enumerate(mixed, start=1)]
