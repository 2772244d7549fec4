"""A ranking and its judgments -> an outcome: the grades of the hits, without document ids.

Every measure reads outcomes. They have no ids, so no tool can break ties by an id order of its own:
the order of the hits is the ranking's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import attrgetter
from typing import Protocol

import numpy as np

from dragoman.errors import ConfigError, UserError
from dragoman.types import FloatArray, IntArray, Ranking

UNJUDGED = np.iinfo(np.int32).min


@dataclass(frozen=True, slots=True)
class Outcome:
    """The scores and grades of one ranking's hits.

    ``scores`` and ``grades`` (n,) are in the order of the hits, best first, with ``UNJUDGED`` for a
    hit without judgment; ``unretrieved`` holds the grades of the judged documents that were not
    retrieved. ``languages`` is in the order of both, hits first; None where no measure needs it.
    """

    query_id: str
    scores: FloatArray
    grades: IntArray
    unretrieved: IntArray
    languages: tuple[str, ...] | None = None

    def relevant(self, rel: int) -> int:
        """The number of documents judged ``rel`` or better, retrieved or not."""
        return int((self.grades >= rel).sum() + (self.unretrieved >= rel).sum())


class RunMeasure(Protocol):
    """Outcomes -> one value for each; the mean of the values is the measure of a run."""

    @property
    def name(self) -> str:
        """The measure as the user wrote it, which reports repeat."""
        ...

    @property
    def pooled(self) -> bool:
        """Whether a query's value depends on the other queries of the run."""
        ...

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value that the measure can have."""
        ...

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """One value per outcome; NaN where the measure is undefined for it."""
        ...


def judge(
    ranking: Ranking, judged: Mapping[str, int], languages: Mapping[str, str] | None = None
) -> Outcome:
    """The outcome of ``ranking`` under the ``judged`` documents of its query.

    ``languages`` maps document ids to languages, for measures that need them.
    """
    doc_ids = list(map(attrgetter("doc_id"), ranking.hits))
    if len(set(doc_ids)) < len(doc_ids):
        _refuse_repeated(ranking.query_id, doc_ids)
    n = len(doc_ids)
    scores = np.fromiter(map(attrgetter("score"), ranking.hits), np.float64, n)
    if np.isnan(scores).any():
        row = int(np.flatnonzero(np.isnan(scores))[0])
        raise UserError(
            f"Query {ranking.query_id!r}: the score of document {doc_ids[row]!r} is not a number;"
            " remove it from the run."
        )
    grades = np.fromiter(map(judged.get, doc_ids, repeat(UNJUDGED)), np.int32, n)
    retrieved = {doc_ids[row] for row in np.flatnonzero(grades != UNJUDGED)}
    missing = {doc_id: grade for doc_id, grade in judged.items() if doc_id not in retrieved}
    unretrieved = np.fromiter(missing.values(), np.int32, len(missing))
    if languages is None:
        return Outcome(ranking.query_id, scores, grades, unretrieved)
    named = tuple(languages.get(doc_id, "") for doc_id in [*doc_ids, *missing])
    return Outcome(ranking.query_id, scores, grades, unretrieved, named)


def check_cutoff(cutoff: int) -> int:
    """The cutoff of a measure, as in ``@10``; refused below 1."""
    if cutoff < 1:
        raise ConfigError(f"The number after @ must be 1 or more, got {cutoff}")
    return cutoff


def _refuse_repeated(query_id: str, doc_ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for doc_id in doc_ids:
        if doc_id in seen:
            raise UserError(
                f"Query {query_id!r} ranks document {doc_id!r} more than once;"
                " keep its best place only."
            )
        seen.add(doc_id)
