"""Lists of one query in several languages -> one list that no language floods.

Scores of different languages are not on one scale: words of the query's own language match exactly,
a student's vectors lie close together. A language's best scores tell its scale for this query.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from math import inf
from typing import NamedTuple, Self

import numpy as np

from dragoman.types import FloatArray, Hit, IntArray

BEST = 50  # scores that tell a scale
# What a language's own mean and spread weigh against those of all, in scores: a language with a
# handful of documents has no scale of its own, and a lone weak hit must not become a star.
MEAN_PRIOR, SPREAD_PRIOR = 10, 50
NOTHING = 1e-12  # a deviation that is rounding


class Balance(StrEnum):
    """What is done about languages that would flood a list."""

    OFF = "off"
    CALIBRATED = "calibrated"
    ROUND_ROBIN = "round-robin"


@dataclass(frozen=True, slots=True)
class Scale:
    """Where a language's best scores lie, and how far apart."""

    mean: float
    deviation: float

    def of(self, scores: FloatArray) -> FloatArray:
        """The scores on the common scale; all 0 where they do not differ."""
        if self.deviation <= NOTHING:
            return np.zeros(len(scores))
        scaled: FloatArray = (scores - self.mean) / self.deviation
        return scaled


class Scales(NamedTuple):
    """The scales of several languages, for documents that know the place of theirs."""

    means: FloatArray
    deviations: FloatArray

    @classmethod
    def told_by(cls, best: Sequence[FloatArray]) -> Self:
        """The scale of each language from its best scores, drawn to all where these are few."""
        measured = _moments([scores[:BEST] for scores in best])
        known = [one for one in measured if one.count]
        if not known:
            return cls(*np.zeros((2, len(best))))
        count = sum(one.count for one in known)
        mean = sum(one.count * one.mean for one in known) / count
        variance = sum(one.variance for one in known) / len(known)
        if len(best) == 1 or variance**0.5 <= NOTHING:
            apart = sum(one.count * (one.mean - mean) ** 2 for one in known) / count
            variance = sum(one.count * one.variance for one in known) / count + apart
        drawn = [_drawn(one, mean, variance) for one in measured]
        return cls(np.array([one.mean for one in drawn]), np.array([o.deviation for o in drawn]))

    def of(self, scores: FloatArray, places: IntArray) -> FloatArray:
        """Scores of documents in languages at these places, on the common scale.

        They are all 0 where a language's do not differ.
        """
        deviations = np.where(self.deviations > NOTHING, self.deviations, inf)
        scaled: FloatArray = (scores - self.means[places]) / deviations[places]
        return scaled


@dataclass(frozen=True, slots=True)
class _Moments:
    """Of a language's scores; all 0 where it has none."""

    count: int
    mean: float
    variance: float


def _moments(lists: Sequence[FloatArray]) -> list[_Moments]:
    """Those of each list."""
    counts = [len(scores) for scores in lists]
    places, some = np.arange(len(lists)).repeat(counts), np.maximum(counts, 1)
    scores = np.concatenate(lists)
    means = np.bincount(places, scores, len(lists)) / some
    off = scores - means[places]
    variances = np.bincount(places, off * off, len(lists)) / some
    return list(map(_Moments, counts, means.tolist(), variances.tolist()))


def _drawn(own: _Moments, mean: float, variance: float) -> Scale:
    """The scale of a language, between its own moments and those of all."""
    own_mean = own.count / (own.count + MEAN_PRIOR)
    own_spread = own.count / (own.count + SPREAD_PRIOR)
    return Scale(
        own_mean * own.mean + (1 - own_mean) * mean,
        (own_spread * own.variance + (1 - own_spread) * variance) ** 0.5,
    )


def scales(best: Mapping[str, FloatArray]) -> dict[str, Scale]:
    """The scale of each language by its name, from its best scores."""
    if not best:
        return {}
    means, deviations = Scales.told_by([*best.values()])
    return dict(zip(best, map(Scale, means.tolist(), deviations.tolist()), strict=True))


def filled(scores: FloatArray, documents: int) -> FloatArray:
    """The best scores of a list, filled up by those of the other documents, which are 0."""
    best = scores[:BEST]
    return np.append(best, np.zeros(max(0, min(documents, BEST) - len(best))))


def interleaved(lists: Mapping[str, Sequence[Hit]]) -> list[Hit]:
    """One hit of each language in turn, the language with the best first hit first.

    A hit's score is one over its place, because places are all that is left to compare.
    """
    filled = [hits for hits in lists.values() if hits]
    order = sorted(filled, key=lambda hits: (-hits[0].score, hits[0].doc_id))
    mixed = [hit for rank in zip_longest(*order) for hit in rank if hit is not None]
    return [Hit(hit.doc_id, 1.0 / place, hit.parts) for place, hit in enumerate(mixed, start=1)]
