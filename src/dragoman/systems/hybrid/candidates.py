"""Documents that a part put among its best, with the scores of both: from numbers to hits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from dragoman.types import FloatArray, Hit, IntArray, Part

PARTS, ECHO = ("psq", "dense"), "echo"

Name = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The documents of a group that are looked at."""

    numbers: IntArray
    languages: Sequence[str]  # of each document
    best: Sequence[FloatArray]  # per part: its best scores, which tell its scale
    scores: Sequence[FloatArray]  # per part: the documents' scores; NaN where it has none
    discounts: FloatArray  # taken off the second part's before they are put on a scale


@dataclass(frozen=True, slots=True)
class Fused:
    """Candidates with what each part, and their translations, add to their scores."""

    group: Candidates
    added: Sequence[FloatArray]  # per part
    heard: Mapping[int, float]  # number -> how far it stands out as a translation
    weight: float  # of what was heard
    totals: FloatArray

    @classmethod
    def of(
        cls,
        group: Candidates,
        added: Sequence[FloatArray],
        heard: Mapping[int, float],
        weight: float,
    ) -> "Fused":
        """The sums."""
        totals = added[0] + added[1]
        if heard:
            echoes = [heard.get(number, 0.0) for number in group.numbers.tolist()]
            totals = totals + weight * np.array(echoes)
        return cls(group, added, heard, weight, totals)

    def best(self, most: int, name: Name) -> list[tuple[float, str, int]]:
        """The ``most`` best: minus the score, the id and the place of each, equal scores by id."""
        totals, last = self.totals, len(self.totals) - most
        if last > 0:
            places = np.flatnonzero(totals >= np.partition(totals, last)[last])
        else:
            places = np.arange(len(totals))
        negated, numbers = (-totals[places]).tolist(), self.group.numbers[places].tolist()
        found = sorted(zip(negated, map(name, numbers), places.tolist(), strict=True))
        return found[:most]

    def hit(self, doc_id: str, place: int) -> Hit:
        """The document at a place, with what each part added."""
        parts = [
            Part(system, float(scores[place]), float(added[place]))
            for system, scores, added in zip(PARTS, self.group.scores, self.added, strict=True)
            if not isnan(scores[place])
        ]
        distance = self.heard.get(int(self.group.numbers[place]))
        if distance is not None:
            parts.append(Part(ECHO, distance, self.weight * distance))
        return Hit(doc_id, float(self.totals[place]), tuple(parts))
