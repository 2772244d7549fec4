"""A run and its repetition -> what is equal, and what has changed since."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dragoman.types import Ranking

COMPARED = (
    ("dragoman",),
    ("index", "system"),
    ("index", "settings"),
    ("index", "tuned"),
    ("index", "treatments"),
    ("index", "documents"),
    ("index", "fingerprint"),
    ("queries", "number"),
    ("queries", "fingerprint"),
    ("rerank",),
)
TOP = 10


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs of the same queries, ranking by ranking."""

    queries: int
    same_ranking: int  # queries with the same documents in the same order
    same_scores: int  # of these, those with equal scores
    missing: int  # queries that only one of them has
    largest_difference: float  # of the scores of a document that both rank for a query
    overlap: float  # mean share of the first ten documents that both have

    @property
    def identical(self) -> bool:
        """Whether every ranking and every score is equal."""
        return self.same_scores == self.queries and not self.missing


def compare_runs(first: Iterable[Ranking], second: Iterable[Ranking]) -> RunComparison:
    """The rankings of both runs, query by query."""
    others = {ranking.query_id: ranking for ranking in second}
    queries = same_ranking = same_scores = missing = 0
    largest, overlaps = 0.0, 0.0
    for ranking in first:
        other = others.pop(ranking.query_id, None)
        if other is None:
            missing += 1
            continue
        queries += 1
        ours = {hit.doc_id: hit.score for hit in ranking.hits}
        theirs = {hit.doc_id: hit.score for hit in other.hits}
        same_ranking += list(ours) == list(theirs)
        same_scores += ranking.hits == other.hits
        differences = (abs(ours[one] - theirs[one]) for one in ours.keys() & theirs.keys())
        largest = max(largest, *differences, 0.0)
        tops = {*list(ours)[:TOP]}, {*list(theirs)[:TOP]}
        overlaps += len(tops[0] & tops[1]) / max(len(tops[0]), len(tops[1]), 1)
    overlap = overlaps / queries if queries else 0.0
    return RunComparison(
        queries, same_ranking, same_scores, missing + len(others), largest, overlap
    )


def changes_since(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What differs between the signatures of two runs of one request, value by value."""
    return [
        change
        for path in COMPARED
        for change in _changes(" ".join(path), _at(then, path), _at(now, path))
    ]


def _changes(name: str, before: Any, after: Any) -> Iterator[str]:  # noqa: ANN401 - trees
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted(before.keys() | after.keys()):
            yield from _changes(f"{name} {key}", before.get(key), after.get(key))
    else:
        yield f"{name}: {_shown(before)} then, {_shown(after)} now"


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


def _at(tree: Mapping[str, Any], path: tuple[str, ...]) -> Any:  # noqa: ANN401
    value: Any = tree
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
