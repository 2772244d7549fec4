"""One state of a store's mirror and its engine: a search in numbers, which get names at its end.

The nearest vectors are found in one of two ways. A process that goes on asking (``Index.warm_up``)
passes over the sketches of all vectors and compares those that look nearest exactly, where there
are at most ``GRAPH_ABOVE``; otherwise the engine compares all, or walks through its graph.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from dragoman.indexes import loops
from dragoman.indexes.arrays import ABSENT
from dragoman.indexes.filters import Filter
from dragoman.indexes.loops import Span
from dragoman.indexes.mirror import Listed, Mirror, Place
from dragoman.indexes.points import EXACT_BELOW, GRAPH_ABOVE
from dragoman.indexes.reading import ROUGH_WIDTH, SEARCH_WIDTH
from dragoman.types import FloatArray

# Points asked for at once for all languages, per document that is wanted of each, and at most. A
# filter holds a walk up: without one, this width finds as much as a wider walk in each language.
SHARED_POINTS, MOST_SHARED_POINTS, SHARED_WIDTH = 2.5, 1_000, 320
LEAST_SKETCHED = 256  # dimensions: fewer bits tell too little
# Of how many passages of a language sketches are read, and how many are compared exactly: for each
# document that is wanted, and more; and the share of these where what is near need not be nearest.
SKETCHED, MORE_SKETCHED = 12, 2_500
LIKELIEST, MORE_LIKELIEST = 3, 100
ROUGHLY = 0.5


Points = tuple[Sequence[Any], Sequence[float]]  # with their scores, best first


class Walks(Protocol):
    """Walks through a graph of vectors."""

    def walked(self, steps: Sequence["Step"]) -> list[Points]:
        """The points that each walk finds."""
        ...


class Step(NamedTuple):
    """Where a walk goes: at most ``limit`` points that are allowed, near a vector of a space."""

    space: str
    vector: FloatArray
    limit: int
    allowed: Filter
    width: int = SEARCH_WIDTH  # candidates that it keeps, at least, where there is a graph


@dataclass(frozen=True, slots=True)
class _Near:
    """The documents of some points, each once, best first."""

    listed: Listed
    last: float  # the score of the last point
    is_all: bool  # whether there are no more points

    def has(self, k: int) -> bool:
        """Whether no other document can be among the ``k`` best."""
        scores = self.listed.scores
        return self.is_all or (len(scores) >= k and float(scores[k - 1]) > self.last)

    def within(self, spans: Sequence[Span]) -> "_Near":
        """Those of them whose numbers are in the spans."""
        numbers, scores = self.listed
        inside = np.zeros(len(numbers), np.bool_)
        for first, last in spans:
            inside |= (numbers >= first) & (numbers < last)
        return _Near(Listed(numbers[inside], scores[inside]), self.last, self.is_all)


class Reflection:
    """A mirror that asks the graph for what arrays cannot tell: the nearest vectors."""

    def __init__(self, mirror: Mirror, walks: Walks) -> None:
        self.mirror, self._walks = mirror, walks

    def nearest(
        self, space: str, vector: FloatArray, k: int, languages: Collection[str] = ()
    ) -> Listed:
        """The ``k`` documents in these languages with the nearest passages; in all without any."""
        if self._is_scanned(space):
            return self._scanned(space, [(vector, languages)], k)[0]
        return self._nearest([Step(space, vector, k + k // 4 + 8, self._allowed(languages))], k)[0]

    def roughly_nearest(
        self, space: str, places: Sequence[tuple[FloatArray, str]], k: int
    ) -> list[Listed]:
        """For each vector and language, ``k`` documents that are near, not always the nearest."""
        if self._is_scanned(space):
            each = [(vector, [code]) for vector, code in places]
            return self._scanned(space, each, k, ROUGHLY)
        limit = k + k // 4 + 8
        steps = [
            Step(space, vector, limit, self._allowed([code]), ROUGH_WIDTH)
            for vector, code in places
        ]
        return self._nearest(steps, k)

    def _is_scanned(self, space: str) -> bool:
        count, size = self.mirror.shape(space)
        few = EXACT_BELOW <= count <= GRAPH_ABOVE  # up to which it is sooner than a walk
        return loops.are_compiled() and few and size >= LEAST_SKETCHED

    def _scanned(
        self, space: str, places: Sequence[Place], k: int, share: float = 1.0
    ) -> list[Listed]:
        """For each place the ``k`` nearest of those that look nearest, farther where too few do."""
        sketched = int(share * (SKETCHED * k + MORE_SKETCHED))
        compared = int(share * (LIKELIEST * k + MORE_LIKELIEST))
        found = self.mirror.nearest(space, places, (sketched, compared), k)
        while compared < self.mirror.shape(space)[0] and (
            few := [place for place, near in enumerate(found) if len(near.numbers) < k]
        ):
            sketched, compared = 4 * sketched, 4 * compared
            again = [places[place] for place in few]
            farther = self.mirror.nearest(space, again, (sketched, compared), k)
            for place, near in zip(few, farther, strict=True):
                found[place] = near
        return [Listed(near.numbers[:k], near.scores[:k]) for near in found]

    def _nearest(self, steps: Sequence[Step], k: int) -> list[Listed]:
        """Walks once for each step, and farther where points were too few for ``k`` documents."""
        found = []
        for step, first in zip(steps, self._near(steps), strict=True):
            farther, near = step, first
            while not near.has(k):
                farther = farther._replace(limit=4 * farther.limit)
                (near,) = self._near([farther])
            found.append(self.mirror.ordered(near.listed, k))
        return found

    def nearest_of_each(
        self, space: str, vector: FloatArray, k: int, languages: Collection[str]
    ) -> dict[str, Listed]:
        """The ``k`` nearest of each language: one walk for all that it suffices for."""
        if self._is_scanned(space):
            places = [(vector, [code]) for code in languages]
            found = self._scanned(space, places, k)
            return dict(zip(languages, found, strict=True))
        lists: dict[str, Listed] = {}
        limit = int(SHARED_POINTS * k * len(languages))
        if limit <= MOST_SHARED_POINTS:
            step = Step(space, vector, limit, self._allowed(languages), SHARED_WIDTH)
            (together,) = self._near([step])
            for code in languages:
                near = together.within(self.mirror.spans([code]))
                if near.has(k):
                    lists[code] = self.mirror.ordered(near.listed, k)
        others = [code for code in languages if code not in lists]
        limit = k + k // 4 + 8
        steps = [Step(space, vector, limit, self._allowed([code])) for code in others]
        lists.update(zip(others, self._nearest(steps, k), strict=True))
        return {code: lists[code] for code in languages}

    def _allowed(self, languages: Collection[str]) -> Filter:
        """A filter for these languages; none where they are all, which walks sooner."""
        everywhere = {*languages} >= {*self.mirror.languages}
        return Filter(() if everywhere else tuple(languages))

    def _near(self, steps: Sequence[Step]) -> list[_Near]:
        """What each walk finds; the numbers of all points are looked up together."""
        if not steps:
            return []
        walked = self._walks.walked(steps)
        numbers = self.mirror.numbers_of_points([each for points, _ in walked for each in points])
        found, start = [], 0
        for step, (points, scored) in zip(steps, walked, strict=True):
            mine, scores = numbers[start : start + len(points)], np.array(scored)
            firsts = _firsts(mine.tolist())
            last = scored[-1] if scored else 0.0
            listed = Listed(mine[firsts], scores[firsts])
            found.append(_Near(listed, last, len(points) < step.limit))
            start += len(points)
        return found


def _firsts(numbers: Sequence[int]) -> list[int]:
    """Where each document comes first, of those that are here."""
    firsts: dict[int, int] = {}
    for place, number in enumerate(numbers):
        firsts.setdefault(number, place)
    firsts.pop(ABSENT, None)
    return [*firsts.values()]
