"""Judged queries and weights -> the measure of each query's ranking.

A query is searched once, and its ranking then computed with all weights that are tried; what the
search has read is not retained, so that memory does not grow with the number of queries.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dragoman.errors import ConfigError
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.system import HasWeights, Ranker
from dragoman.metrics.outcomes import judge
from dragoman.metrics.parser import parse_measures
from dragoman.metrics.ranked_measures import RankedMeasure
from dragoman.tuning.judged_queries import JudgedQuery
from dragoman.types import FloatArray

DEPTH = 1000  # hits of a ranking whose measure has no cutoff

Weights = Mapping[str, float]  # those that differ from the weights of the build


@dataclass(frozen=True, slots=True)
class UsedWeights:
    """The names of the weights that a query's ranking depends on."""

    judged: frozenset[str]  # of the languages of its relevant documents, or of all languages
    every: frozenset[str]  # of documents in other languages too


@dataclass(frozen=True, slots=True)
class Trials:
    """Rankings of one snapshot with any weights, measured."""

    system: HasWeights
    snapshot: Snapshot
    scope: Scope
    measure: RankedMeasure
    _values: dict[tuple[str, tuple[tuple[str, float], ...]], float] = field(default_factory=dict)
    _used: dict[str, UsedWeights] = field(default_factory=dict)

    def used(self, judged: JudgedQuery) -> UsedWeights:
        """The weights of a query that was tried before."""
        return self._used[judged.query.query_id]

    def value(self, judged: JudgedQuery, weights: Weights) -> float:
        """The measure of a query's ranking, with weights that were tried before."""
        return self._values[self._key(judged, weights)]

    def values(self, queries: Sequence[JudgedQuery], weights: Weights) -> FloatArray:
        """(n,): the measure of each query with the same weights."""
        return np.array([self.value(one, weights) for one in queries])

    def _key(
        self, judged: JudgedQuery, weights: Weights
    ) -> tuple[str, tuple[tuple[str, float], ...]]:
        """Weights that a ranking does not depend on are no part of it."""
        used = self.used(judged).every
        mine = sorted((name, value) for name, value in weights.items() if name in used)
        return judged.query.query_id, tuple(mine)

    def try_grid(self, judged: JudgedQuery, grid: Mapping[str, Sequence[float]]) -> None:
        """Measure a query with the default weights, and with each value of each that it judges."""
        ranker = self._ranker(judged)
        self._used[judged.query.query_id] = used = self._used_weights(judged, ranker)
        changed = [{name: value} for name in sorted(used.judged) for value in grid[name]]
        self._measure(judged, ranker, [{}, *changed])

    def try_weights(self, judged: JudgedQuery, wanted: Iterable[Weights]) -> None:
        """Measure a query with some weights, unless that has been done; it is searched again."""
        missing = [one for one in wanted if self._key(judged, one) not in self._values]
        if missing:
            self._measure(judged, self._ranker(judged), missing)

    def _ranker(self, judged: JudgedQuery) -> Ranker:
        return self.system.ranker(self.snapshot, judged.query, depth_of(self.measure), self.scope)

    def _measure(self, judged: JudgedQuery, ranker: Ranker, tried: Sequence[Weights]) -> None:
        outcomes = [judge(ranker(weights), judged.grades) for weights in tried]
        values = self.measure.values(outcomes, None).tolist()
        self._values.update(
            (self._key(judged, weights), value)
            for weights, value in zip(tried, values, strict=True)
        )

    def _used_weights(self, judged: JudgedQuery, ranker: Ranker) -> UsedWeights:
        """By the languages that are searched; other weights by whether the ranking changes."""
        searched = self.scope.allowed.languages or self.snapshot.languages
        by_language = {code: self.system.weight_name(judged.query, code) for code in searched}
        mine = {by_language[code] for code in judged.languages}
        others = {n: _other(v) for n, v in self.system.weights().items()}
        for name in by_language.values():
            others.pop(name, None)
        default = ranker({})
        shared: set[str] = set()
        if ranker(others) != default:
            shared = {name for name, value in others.items() if ranker({name: value}) != default}
        return UsedWeights(frozenset(mine | shared), frozenset({*by_language.values()} | shared))


def _other(value: float) -> float:
    return 0.0 if value >= 0.5 else 1.0


def parse_ranked_measure(text: str) -> RankedMeasure:
    """The one measure that ``text`` names; refused where a query has no value of its own."""
    measures = parse_measures(text)
    if len(measures) > 1 or not isinstance(measures[0], RankedMeasure):
        raise ConfigError(
            f"Weights cannot be chosen by {text!r}; expected one measure that every query has by"
            " itself, as in nDCG@10, RR@10, AP@100, R@100, P@5 or Success@1."
        )
    return measures[0]


def depth_of(measure: RankedMeasure) -> int:
    """How many hits a measure reads."""
    cutoff = re.search(r"@(\d+)$", measure.name)
    return int(cutoff[1]) if cutoff else DEPTH
