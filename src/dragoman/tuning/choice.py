"""Gains of queries by weight -> a choice, and what it gives on queries that took no part in it.

Each weight is chosen from its own gains, by the one-standard-error rule (Breiman et al. 1984): of
the values that are within one standard error of the best one, the nearest to the default. So noise
leaves a weight where it was. Queries with the same text or the same best documents are one group:
a group is never on both sides of a fold, and errors and intervals are those of groups.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from dragoman.types import FloatArray, IntArray

STEP = 0.1  # between the values of a weight that are tried
FOLDS = 10
STANDARD_ERRORS = 1.0
FEWEST_GROUPS = 40  # per weight; docs/search.md has how often fewer of them find a gain


@dataclass(frozen=True, slots=True)
class Evidence:
    """What each value of one weight gains over the default, on the queries that judge it."""

    name: str
    default: float
    values: tuple[float, ...]  # that were tried, the default among them
    queries: IntArray  # (n,): places of the queries
    gains: FloatArray  # (n, values)

    @property
    def distances(self) -> FloatArray:
        """How far each value is from the default."""
        return np.abs(np.array(self.values) - self.default)


def tried_values(default: float) -> tuple[float, ...]:
    """The default and steps from it in both directions, between 0 and 1."""
    below, above = int(default / STEP + 1e-9), int((1 - default) / STEP + 1e-9)
    steps = (STEP * step for step in range(-below, above + 1))
    return tuple(round(max(default + step, 0.0), 6) if step else default for step in steps)


def group_queries(*keys: Sequence[Hashable]) -> IntArray:
    """(n,): the group of each query; queries with an equal key of any kind are in one group."""
    n, nodes = len(keys[0]), len(keys[0])
    columns: list[int] = []  # nodes of the keys; those of the queries come before them
    for kind in keys:
        numbers = {key: nodes + place for place, key in enumerate(dict.fromkeys(kind))}
        columns += [numbers[key] for key in kind]
        nodes += len(numbers)
    edges = np.tile(np.arange(n), len(keys)), np.array(columns, np.int64)
    graph = coo_array((np.ones(len(columns)), edges), shape=(nodes, nodes))
    _, found = connected_components(graph, directed=False)
    groups: IntArray = np.unique(found[:n], return_inverse=True)[1]
    return groups


def choose(evidence: Evidence, groups: IntArray, among: NDArray[np.bool_]) -> float:
    """The value that the queries ``among`` all choose, by the one-standard-error rule.

    ``groups`` and ``among`` are by the places of queries.
    """
    mine = among[evidence.queries]
    gains, mine_groups = evidence.gains[mine], groups[evidence.queries[mine]]
    if not len(gains):
        return evidence.default
    means, distances = gains.mean(axis=0), evidence.distances
    best = np.lexsort((distances, -means))[0]
    errors = standard_errors(gains[:, [best]] - gains, mine_groups)
    near = np.flatnonzero(means[best] - means <= STANDARD_ERRORS * errors + 1e-12)
    return evidence.values[int(near[np.lexsort((-means[near], distances[near]))[0]])]


def choose_all(
    everything: Sequence[Evidence], groups: IntArray, among: NDArray[np.bool_]
) -> dict[str, float]:
    """The weights that differ from their defaults."""
    chosen = {one.name: choose(one, groups, among) for one in everything}
    defaults = {one.name: one.default for one in everything}
    return {name: value for name, value in chosen.items() if value != defaults[name]}


def standard_errors(values: FloatArray, groups: IntArray) -> FloatArray:
    """(m,): the standard error of the mean of each column of ``values`` (n, m), over groups."""
    _, places = np.unique(groups, return_inverse=True)
    count = int(places.max()) + 1
    if count < 2:
        return np.full(values.shape[1], np.inf)
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, places, values - values.mean(axis=0))
    errors: FloatArray = np.sqrt((sums**2).sum(axis=0) * count / (count - 1)) / len(values)
    return errors


def folds_of(groups: IntArray, rng: np.random.Generator, folds: int = FOLDS) -> IntArray:
    """(n,): the fold of each query; folds have equal numbers of groups, give or take one."""
    count = int(groups.max()) + 1
    return rng.permutation(count)[groups] % folds


def weights_by_fold(
    everything: Sequence[Evidence], groups: IntArray, folds: IntArray
) -> list[Mapping[str, float]]:
    """What the queries outside of each fold choose."""
    return [choose_all(everything, groups, folds != fold) for fold in range(int(folds.max()) + 1)]
