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
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.indexes.mirror import Listed
from dragoman.ranking.balance import BEST, Scales
from dragoman.systems.hybrid.asked import Asked, Echoes
from dragoman.types import FloatArray

# Set on half of XQuAD-R's articles, in a pool with translations and in one without.
MARGIN = 3.0
TEMPERATURE = 3.0  # of the hits' weights: how much the first counts more than the second


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


def callers(asked: Asked, hits: Sequence[Best]) -> list[Caller]:
    """The hits as vectors: of a document's passages the middle one, as many begin alike.

    The one that is nearest to the question would do as well, but is known only after it was read.
    """
    if not hits:
        return []
    scores = np.array([hit.score for hit in hits])
    weights = np.exp((scores - scores.max()) / TEMPERATURE)
    weights /= weights.sum()
    passages = asked.passages([hit.number for hit in hits])
    return [
        Caller(hit.language, float(weight), rows[len(rows) // 2])
        for hit, weight, rows in zip(hits, weights, passages, strict=True)
        if rows is not None
    ]


def echoes(asked: Asked, calling: Sequence[Caller], groups: Collection[str]) -> Echoes:
    """What answers in each language: the sum over the hits of other languages, by their weights."""
    heard: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    pairs = [
        (place, code)
        for code in groups  # what is looked for in one language is looked for together
        for place, caller in enumerate(calling)
        if code != caller.language
    ]
    lists = asked.near([(calling[place].vector, code) for place, code in pairs], BEST)
    found: list[dict[str, Listed]] = [{} for _ in calling]
    for (place, code), listed in zip(pairs, lists, strict=True):
        found[place][code] = listed
    for caller, near in zip(calling, found, strict=True):
        for code, number, distance in _standing_out(near):
            heard[code][number] += caller.weight * distance
    return heard


def _standing_out(near: Mapping[str, Listed]) -> Iterator[tuple[str, int, float]]:
    """The documents that stand out from the best of their language, and by how much."""
    codes, lists = [*near], [*near.values()]
    if not lists:
        return
    scores = np.concatenate([listed.scores for listed in lists])
    places = np.arange(len(lists)).repeat([len(listed.scores) for listed in lists])
    scaled = Scales.told_by([listed.scores for listed in lists])
    above = scaled.of(scores, places) - MARGIN
    numbers = np.concatenate([listed.numbers for listed in lists])
    for row in np.flatnonzero(above > 0).tolist():
        yield codes[places[row]], int(numbers[row]), float(above[row])
