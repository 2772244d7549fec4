"""Documents that a part put among its best, with the scores of both: from numbers to hits.

The documents of all groups stand one below the other, so that a group more costs next to nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dragoman.types import FloatArray, Hit, IntArray, Part

PARTS, ECHO = ("psq", "dense"), "echo"

Name = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The documents that are looked at, each in the group that it was found in."""

    numbers: IntArray
    places: IntArray  # of their groups, among all groups
    words: FloatArray  # the first part's scores
    meanings: FloatArray  # the second part's; NaN where it has none
    discounts: FloatArray  # taken off the second part's before they are put on a scale
    shares: FloatArray  # what the second part weighs


@dataclass(frozen=True, slots=True)
class Fused:
    """Candidates with what each part, and their translations, add to their scores."""

    candidates: Candidates
    added: tuple[FloatArray, FloatArray]  # by each part
    heard: FloatArray  # how far each stands out as a translation; 0 where it does not
    weight: float  # of what was heard
    totals: FloatArray

    @classmethod
    def of(
        cls,
        candidates: Candidates,
        added: tuple[FloatArray, FloatArray],
        heard: FloatArray,
        weight: float,
    ) -> Self:
        """The sums."""
        return cls(candidates, added, heard, weight, added[0] + added[1] + weight * heard)

    def best(
        self, most: int, name: Name, among: NDArray[np.bool_] | None = None
    ) -> list[tuple[str, int]]:
        """The ids and rows of the ``most`` best, of those that are ``among``; equal ones by id."""
        rows = np.arange(len(self.totals)) if among is None else np.flatnonzero(among)
        totals = self.totals[rows]
        if (last := len(rows) - most) > 0:
            chosen = totals >= np.partition(totals, last)[last]
            rows, totals = rows[chosen], totals[chosen]
        names = map(name, self.candidates.numbers[rows].tolist())
        found = sorted(zip((-totals).tolist(), names, rows.tolist(), strict=True))
        return [(doc_id, row) for _, doc_id, row in found[:most]]

    def hits(self, best: Sequence[tuple[str, int]]) -> list[Hit]:
        """Documents by their ids and rows, with what each part added."""
        rows = [row for _, row in best]
        scores = self.candidates.words, self.candidates.meanings, self.heard
        added = *self.added, self.weight * self.heard
        columns = [
            zip(each[rows].tolist(), gain[rows].tolist(), strict=True)
            for each, gain in zip(scores, added, strict=True)
        ]
        totals = self.totals[rows].tolist()
        return [
            Hit(doc_id, total, tuple(_parts(both)))
            for (doc_id, _), total, *both in zip(best, totals, *columns, strict=True)
        ]


def _parts(both: Iterable[tuple[float, float]]) -> list[Part]:
    """What was given and added by each part that gave a score, and by translations if any did."""
    words, meanings, heard = both
    parts = [Part(PARTS[0], *words)]
    if not isnan(meanings[0]):
        parts.append(Part(PARTS[1], *meanings))
    if heard[0]:
        parts.append(Part(ECHO, *heard))
    return parts
