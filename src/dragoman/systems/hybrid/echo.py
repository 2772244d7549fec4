"""The best hits -> documents that say the same in other languages.

A translation of a good hit is a good hit, even where the question itself hardly reaches its
language: two sentences that say the same are closer than a question and its answer, and a student
that is too weak for questions still tells a translation from the rest. A document counts as one
where its cosine with the hit stands out from the best cosines in its language by more than a
``MARGIN`` of deviations, which is the margin criterion of bitext mining (Artetxe and Schwenk 2019)
on the scale that languages are balanced with. In a collection without translations hardly anything
stands out so far, and rankings stay as they are.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.ranking.balance import BEST, scales
from dragoman.systems.hybrid.asked import Asked
from dragoman.types import FloatArray

# Set on half of XQuAD-R's articles, in a pool with translations and in one without.
MARGIN = 3.0
TEMPERATURE = 2.0  # of the hits' weights: how much the first counts more than the second


@dataclass(frozen=True, slots=True)
class Caller:
    """A hit whose translations are looked for."""

    language: str
    weight: float
    vector: FloatArray


@dataclass(frozen=True, slots=True)
class Best:
    """A hit on the common scale: its language, its number, its score."""

    language: str
    number: int
    score: float


Echoes = Mapping[str, Mapping[int, float]]  # language -> document -> how far it stands out


def callers(asked: Asked, question: FloatArray, hits: Sequence[Best]) -> list[Caller]:
    """The hits as vectors: of a document's passages, the nearest to the question."""
    if not hits:
        return []
    scores = np.array([hit.score for hit in hits])
    weights = np.exp((scores - scores.max()) / TEMPERATURE)
    weights /= weights.sum()
    passages = asked.passages([hit.number for hit in hits])
    return [
        Caller(hit.language, float(weight), rows[int((rows @ question).argmax())])
        for hit, weight, rows in zip(hits, weights, passages, strict=True)
        if rows is not None
    ]


def echoes(asked: Asked, calling: Sequence[Caller], groups: Collection[str]) -> Echoes:
    """What answers in each language: the sum over the hits of other languages, by their weights."""
    heard: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    pairs = [(mine, code) for mine in calling for code in groups if code != mine.language]
    lists = iter(asked.near([(caller.vector, code) for caller, code in pairs], BEST))
    for caller in calling:
        near = {code: next(lists) for code in groups if code != caller.language}
        scaled = scales({code: listed.scores[:BEST] for code, listed in near.items()})
        for code, listed in near.items():
            above = scaled[code].of(listed.scores) - MARGIN
            standing_out = np.flatnonzero(above > 0).tolist()
            for place in standing_out:
                number = int(listed.numbers[place])
                heard[code][number] += caller.weight * float(above[place])
    return heard
