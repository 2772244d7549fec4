"""An index, queries and judgments -> weights, and a held-out estimate of what they gain."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

import dragoman
from dragoman.errors import UserError
from dragoman.indexes.index import Index
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.system import HasWeights
from dragoman.metrics.significance import grouped_bootstrap_interval
from dragoman.protocols import Advance, no_progress
from dragoman.tuning.choice import (
    FEWEST_GROUPS,
    Evidence,
    choose_all,
    folds_of,
    group_queries,
    tried_values,
    weights_by_fold,
)
from dragoman.tuning.judged_queries import JudgedQuery
from dragoman.tuning.record import TuningRecord
from dragoman.tuning.trials import Trials, parse_ranked_measure
from dragoman.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class WeightChoice:
    """One weight: its default, what was chosen, and on how much evidence."""

    name: str
    default: float
    chosen: float
    queries: int  # that have a relevant document which is ranked with it
    groups: int  # of queries that share no text and no best documents

    @property
    def has_too_few(self) -> bool:
        """Whether it keeps its default for want of judgments."""
        return self.groups < FEWEST_GROUPS


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The weights that judgments choose, and what such a choice gives on held-out queries.

    ``held_out`` is the mean over all queries, each ranked with the weights that the queries outside
    of its fold have chosen; ``low`` and ``high`` are the 95 % interval of its gain over groups.
    """

    choices: tuple[WeightChoice, ...]
    measure: str
    queries: int
    groups: int
    default: float
    held_out: float
    low: float
    high: float

    @property
    def gain(self) -> float:
        """The held-out difference from the weights of the build."""
        return self.held_out - self.default

    @property
    def weights(self) -> dict[str, float]:
        """The chosen weights that differ from those of the build."""
        return {one.name: one.chosen for one in self.choices if one.chosen != one.default}

    @property
    def is_gain(self) -> bool:
        """Whether there is a choice, and the interval of its held-out gain is above 0."""
        return bool(self.weights) and self.low > 0

    def record(self, source: str) -> TuningRecord:
        """What the index records."""
        return TuningRecord(
            weights=self.weights,
            measure=self.measure,
            queries=self.queries,
            source=source,
            default=self.default,
            held_out=self.held_out,
            low=self.low,
            high=self.high,
            date=f"{datetime.now(UTC):%Y-%m-%d}",
            dragoman=dragoman.__version__,
        )

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"gain": self.gain, "weights": self.weights, "is_gain": self.is_gain}


def tune(
    index: Index,
    queries: Sequence[JudgedQuery],
    *,
    measure: str = "nDCG@10",
    scope: Scope | None = None,
    rng: np.random.Generator,
    advance: Advance = no_progress,
) -> Tuning:
    """The weights of an index that judged queries choose; the index is not changed.

    A weight with fewer than ``FEWEST_GROUPS`` groups of queries keeps its default; where that is
    true of all of them, there is nothing to choose and an error says so. ``advance`` is called for
    every query.
    """
    system = with_weights(index)
    chosen_measure = parse_ranked_measure(measure)
    groups = groups_of(queries)
    grid = {name: tried_values(default) for name, default in system.weights().items()}
    with index.snapshot() as snapshot:
        trials = Trials(system, snapshot, scope or index.scope(), chosen_measure)
        for one in queries:
            trials.try_grid(one, grid)
            advance()
        evidence = [
            Evidence(name, system.weights()[name], values, *_gains(trials, queries, name, values))
            for name, values in grid.items()
        ]
        counts = [WeightChoice(e.name, e.default, e.default, *_counts(e, groups)) for e in evidence]
        tunable = [e for e, c in zip(evidence, counts, strict=True) if not c.has_too_few]
        if not tunable:
            raise UserError(_too_few(index.place, counts))
        everything = np.ones(len(queries), bool)
        final = choose_all(tunable, groups, everything)
        default = trials.values(queries, {})
        held_out = _held_out(trials, queries, tunable, groups, rng)
    interval = grouped_bootstrap_interval(held_out - default, groups, rng)
    return Tuning(
        choices=tuple(
            WeightChoice(c.name, c.default, final.get(c.name, c.default), c.queries, c.groups)
            for c in counts
            if c.queries
        ),
        measure=chosen_measure.name,
        queries=len(queries),
        groups=int(groups.max()) + 1,
        default=float(default.mean()),
        held_out=float(held_out.mean()),
        low=interval.low,
        high=interval.high,
    )


def with_weights(index: Index) -> HasWeights:
    """The system of an index; refused where it has no weights."""
    system = index.system
    if not isinstance(system, HasWeights):
        raise UserError(
            f"{index.place}: found an index of the system {index.manifest.system}, which has no"
            " weights; expected one that adds scores of its parts, as hybrid does. Build one:"
            " dragoman index SOURCE -o INDEX --system hybrid"
        )
    return system


def groups_of(queries: Sequence[JudgedQuery]) -> IntArray:
    """(n,): the group of each query, by its text and its best documents."""
    texts = [one.query.text for one in queries]
    return group_queries(texts, [one.best_documents for one in queries])


def _gains(
    trials: Trials, queries: Sequence[JudgedQuery], name: str, values: Sequence[float]
) -> tuple[IntArray, FloatArray]:
    """The places of the queries that judge a weight, and what each value of it gains."""
    places = [place for place, one in enumerate(queries) if name in trials.used(one).judged]
    mine = [queries[place] for place in places]
    default = trials.values(mine, {})
    columns = [trials.values(mine, {name: value}) - default for value in values]
    return np.array(places, np.int64), np.stack(columns, axis=1)


def _counts(evidence: Evidence, groups: IntArray) -> tuple[int, int]:
    mine = groups[evidence.queries]
    return len(mine), len(np.unique(mine))


def _held_out(
    trials: Trials,
    queries: Sequence[JudgedQuery],
    evidence: Sequence[Evidence],
    groups: IntArray,
    rng: np.random.Generator,
) -> FloatArray:
    """(n,): the measure of each query with what the queries outside of its fold choose."""
    folds = folds_of(groups, rng)
    chosen: Sequence[Mapping[str, float]] = weights_by_fold(evidence, groups, folds)
    weights = [chosen[fold] for fold in folds.tolist()]
    for one, mine in zip(queries, weights, strict=True):
        trials.try_weights(one, [mine])
    return np.array([trials.value(o, mine) for o, mine in zip(queries, weights, strict=True)])


def _too_few(place: str, counts: Sequence[WeightChoice]) -> str:
    listed = ", ".join(f"{one.groups} for {one.name}" for one in counts if one.queries)
    return (
        f"{place}: found too few judged queries ({listed}); expected {FEWEST_GROUPS} or more for a"
        " weight: of fewer, hardly any choice can be told from chance. Queries with the same text"
        " or the same best documents count once. Judge more queries; the index keeps its weights."
    )
