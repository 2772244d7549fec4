"""Step 4: the best hits -> their translations in other languages, which are boosted.

A translation of a good hit is a good hit, even where the query itself hardly reaches its language:
two translations are closer than a query and its answer, and a student that is too weak for queries
still recognises a translation. A document counts as one where its
cosine with the hit stands out from the best cosines in its language by more than a ``MARGIN`` of
deviations, which is the margin criterion of bitext mining (Artetxe and Schwenk 2019) on the scale
that languages are balanced with. In a collection without translations hardly anything stands out so
far, and rankings stay as they are.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.indexes.search.nearest import nearest_of_many, rows_of
from dragoman.indexes.snapshot import ScoredDocuments, Snapshot
from dragoman.ranking.balance import BEST, LanguageScales
from dragoman.systems.hybrid.candidates import Groups
from dragoman.types import FloatArray, IntArray

# Set on half of XQuAD-R's articles, in a pool with translations and in one without.
MARGIN = 3.0
WIDER = 2  # rows that are refined for each of the best: translations are among the first
TEMPERATURE = 3.0  # of the seeds' weights: how much the first counts more than the second

Boosts = Mapping[str, Mapping[int, float]]  # language -> document -> how far it stands out


@dataclass(frozen=True, slots=True)
class SeedHit:
    """A hit on the common scale: its language, its number, its score."""

    language: str
    number: int
    score: float


@dataclass(frozen=True, slots=True)
class Seed:
    """A hit whose translations are searched."""

    language: str
    weight: float
    vector: FloatArray


def seeds(snapshot: Snapshot, space: str, hits: Sequence[SeedHit]) -> list[Seed]:
    """The hits as vectors: of a document's rows the middle one, as many begin alike.

    The one that is nearest to the query would do as well, but is known only after it was encoded.
    """
    if not hits:
        return []
    scores = np.array([hit.score for hit in hits])
    weights = np.exp((scores - scores.max()) / TEMPERATURE)
    weights /= weights.sum()
    rows = [rows_of(snapshot, space, hit.number) for hit in hits]
    return [
        Seed(hit.language, float(weight), mine[len(mine) // 2])
        for hit, weight, mine in zip(hits, weights, rows, strict=True)
        if len(mine)
    ]


def boosts(
    snapshot: Snapshot, space: str, chosen: Sequence[Seed], groups: Groups, read: Collection[str]
) -> Boosts:
    """How far documents stand out as translations: summed over the seeds of other languages."""
    sums: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    near: list[dict[str, ScoredDocuments]] = [{} for _ in chosen]
    for code in read:
        others = [position for position, seed in enumerate(chosen) if seed.language != code]
        vectors = [chosen[position].vector for position in others]
        lists = nearest_of_many(snapshot, space, vectors, BEST, groups[code], WIDER)
        for position, scored in zip(others, lists, strict=True):
            near[position][code] = scored
    for seed, mine in zip(chosen, near, strict=True):
        for code, number, distance in _standing_out(mine):
            sums[code][number] += seed.weight * distance
    return sums


def _standing_out(near: Mapping[str, ScoredDocuments]) -> Iterator[tuple[str, int, float]]:
    """The documents that stand out from the best of their language, and by how much."""
    codes, lists = [*near], [*near.values()]
    if not lists:
        return
    scores = np.concatenate([scored.scores for scored in lists])
    languages_of = np.arange(len(lists)).repeat([len(scored.scores) for scored in lists])
    scaled = LanguageScales.estimate([scored.scores for scored in lists])
    above = scaled.standardize(scores, languages_of) - MARGIN
    numbers = np.concatenate([scored.numbers for scored in lists])
    for row in np.flatnonzero(above > 0).tolist():
        yield codes[languages_of[row]], int(numbers[row]), float(above[row])


def boosts_of(boosted: Boosts, numbers: IntArray) -> FloatArray:
    """The boost of each document; ``numbers`` rise and hold all that are boosted."""
    known = {number: distance for mine in boosted.values() for number, distance in mine.items()}
    values = np.zeros(len(numbers))
    values[np.searchsorted(numbers, [*known])] = [*known.values()]
    return values
