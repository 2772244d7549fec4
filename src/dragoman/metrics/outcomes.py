"""A ranking and its judgments in -> an outcome out: all that any measure needs, and no ids.

Every measure reads outcomes. Ids are gone by then, so no tool can break a tie by its own idea of
their order: the order of the hits is the ranking's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import attrgetter
from typing import Protocol

import numpy as np

from dragoman.errors import UserError
from dragoman.types import FloatArray, IntArray, Ranking

UNJUDGED = np.iinfo(np.int32).min


@dataclass(frozen=True, slots=True)
class Outcome:
    """One ranking as its judgments see it.

    ``scores`` and ``grades`` (n,) follow the hits, best first, with ``UNJUDGED`` where nobody
    judged a hit; ``unretrieved`` holds the grades of the judged documents that were not found.
    ``languages`` follows both, hits first; None where no measure asks for them.
    """

    query_id: str
    scores: FloatArray
    grades: IntArray
    unretrieved: IntArray
    languages: tuple[str, ...] | None = None

    def relevant(self, rel: int) -> int:
        """How many documents are judged ``rel`` or better, found or not."""
        return int((self.grades >= rel).sum() + (self.unretrieved >= rel).sum())


class RunMeasure(Protocol):
    """Outcomes -> one number for each; the mean of the numbers is the measure."""

    @property
    def name(self) -> str:
        """What the user called it, and what reports call it."""
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
        """One value per outcome; not a number where the measure is undefined for it."""
        ...


def judge(
    ranking: Ranking, judged: Mapping[str, int], languages: Mapping[str, str] | None = None
) -> Outcome:
    """What ``ranking`` found of the ``judged`` documents of its query.

    ``languages`` names the documents' languages, for measures that ask for them.
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
    found = {doc_ids[row] for row in np.flatnonzero(grades != UNJUDGED)}
    missing = {doc_id: grade for doc_id, grade in judged.items() if doc_id not in found}
    unretrieved = np.fromiter(missing.values(), np.int32, len(missing))
    if languages is None:
        return Outcome(ranking.query_id, scores, grades, unretrieved)
    named = tuple(languages.get(doc_id, "") for doc_id in [*doc_ids, *missing])
    return Outcome(ranking.query_id, scores, grades, unretrieved, named)


def _refuse_repeated(query_id: str, doc_ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for doc_id in doc_ids:
        if doc_id in seen:
            raise UserError(
                f"Query {query_id!r} ranks document {doc_id!r} more than once;"
                " keep its best place only."
            )
        seen.add(doc_id)
