"""Lists of one query in several languages -> one list that no language floods.

Scores of different languages are not on one scale: words of the query's own language match exactly,
a student's vectors lie close together. A language's best scores tell its scale for this query.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

import numpy as np

from dragoman.types import FloatArray, Hit

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


def scales(best: Mapping[str, FloatArray]) -> dict[str, Scale]:
    """The scale of each language from its best scores, drawn to that of all where these are few."""
    everything = np.concatenate([scores[:BEST] for scores in best.values()] or [np.zeros(0)])
    if not len(everything):
        return dict.fromkeys(best, Scale(0.0, 0.0))
    spreads = [float(scores[:BEST].var()) for scores in best.values() if len(scores)]
    whole = Scale(float(everything.mean()), float(np.mean(spreads)) ** 0.5)
    if len(best) == 1 or whole.deviation <= NOTHING:
        whole = Scale(whole.mean, float(everything.std()))
    return {code: _drawn(scores[:BEST], whole) for code, scores in best.items()}


def _drawn(scores: FloatArray, whole: Scale) -> Scale:
    count = len(scores)
    if not count:
        return whole
    own_mean = count / (count + MEAN_PRIOR)
    own_spread = count / (count + SPREAD_PRIOR)
    variance = own_spread * float(scores.var()) + (1 - own_spread) * whole.deviation**2
    mean = own_mean * float(scores.mean()) + (1 - own_mean) * whole.mean
    return Scale(mean, variance**0.5)


def best_scores(hits: Sequence[Hit], others: int = 0) -> FloatArray:
    """The best scores of a list, where ``others`` more documents were looked at and have 0."""
    scores = [hit.score for hit in hits[:BEST]]
    return np.array([*scores, *([0.0] * min(others, BEST - len(scores)))])


def calibrated(lists: Mapping[str, Sequence[Hit]], others: Mapping[str, int]) -> list[Hit]:
    """All hits by their calibrated scores, best first, equal ones by id.

    ``others`` says how many more documents of each language there are, which have a score of 0.
    """
    scores = {code: np.array([hit.score for hit in hits]) for code, hits in lists.items()}
    scaled = scales({code: best_scores(hits, others.get(code, 0)) for code, hits in lists.items()})
    hits = [
        Hit(hit.doc_id, float(score), hit.parts)
        for code, mine in lists.items()
        for hit, score in zip(mine, scaled[code].of(scores[code]), strict=True)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.doc_id))


def interleaved(lists: Mapping[str, Sequence[Hit]]) -> list[Hit]:
    """One hit of each language in turn, the language with the best first hit first.

    A hit's score is one over its place, because places are all that is left to compare.
    """
    filled = [hits for hits in lists.values() if hits]
    order = sorted(filled, key=lambda hits: (-hits[0].score, hits[0].doc_id))
    mixed = [hit for rank in zip_longest(*order) for hit in rank if hit is not None]
    return [Hit(hit.doc_id, 1.0 / place, hit.parts) for place, hit in enumerate(mixed, start=1)]
