"""Two bags -> the transport plan between them and its cost; in float64 and the log domain."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from dragoman.scores.transport.bag import WeightedBag, check_epsilon
from dragoman.types import FloatArray

TOLERANCE = 1e-10  # of the rows' sums, together
WARM_START_TOLERANCE = 1e-3  # the same, at the larger epsilons that lead to a small one
FIRST_EPSILON = 0.1  # the first of these
STEPS = 300
SINKHORN_STEPS = 4  # before Newton's
LONGEST_STEP = 2.0  # of Newton's, in units of epsilon


class Transport(NamedTuple):
    """The plan (how much weight moves from query word i to document word j) and its cost.

    ``error`` is the sum of the rows' deviations from the query's weights; the columns are exact.
    It is above 1e-9 only where epsilon is so small that the iteration did not converge.
    """

    plan: FloatArray
    distance: float
    error: float


def plan(query: WeightedBag, document: WeightedBag, epsilon: float | None) -> Transport:
    """The transport of ``query`` onto ``document``; entropic, or exact where ``epsilon`` is None.

    The plan (n, m) has rows that sum to the query's weights and columns that sum to the document's,
    each scaled to sum to one. Where one of the two has no weight the plan is 0, the distance inf.
    """
    check_epsilon(epsilon)
    full = np.zeros((len(query.weights), len(document.weights)))
    if not query.weights.any() or not document.weights.any():
        return Transport(full, np.inf, 0.0)
    (x, a), (y, b) = query.support(), document.support()
    cost = cdist(x, y)
    moved = exact_plan(a, b, cost) if epsilon is None else entropic_plan(a, b, cost, epsilon)
    full[np.ix_(query.weights > 0, document.weights > 0)] = moved
    error = float(np.abs(moved.sum(axis=1) - a).sum())
    return Transport(full, float((moved * cost).sum()), error)


def exact_plan(a: FloatArray, b: FloatArray, cost: FloatArray) -> FloatArray:
    """The cheapest plan with rows ``a`` and columns ``b``, by POT's network simplex."""
    from ot import emd  # noqa: PLC0415 - takes a second to import

    return np.asarray(emd(a, b, cost, numItermax=10_000_000))


def entropic_plan(a: FloatArray, b: FloatArray, cost: FloatArray, epsilon: float) -> FloatArray:
    """The plan of least ``<P, cost> + epsilon * sum(P * ln P)`` (Cuturi 2013).

    Shapes: a (n,), b (m,), cost (n, m); weights are above 0 and sum to one. A small epsilon is
    approached from larger ones, whose potentials are close to its own.
    """
    f, near = np.zeros_like(a), max(FIRST_EPSILON, epsilon)
    while near > 2 * epsilon:
        f = _maximize_dual(a, b, cost, near, f, WARM_START_TOLERANCE)
        near /= 2
    f = _maximize_dual(a, b, cost, epsilon, f, TOLERANCE)
    return _plan_of_potential(f, a, b, cost, epsilon)[0]


def _maximize_dual(
    a: FloatArray,
    b: FloatArray,
    cost: FloatArray,
    epsilon: float,
    f: FloatArray,
    tolerance: float,
) -> FloatArray:
    """The potential of the query's words whose plan has rows ``a``, from ``f``.

    Maximises the dual, which is concave in f once the columns are exact: by Sinkhorn's steps far
    from the maximum, by Newton's near it, also along flat ridges where Sinkhorn's take thousands.
    """
    plan_now, value = _plan_of_potential(f, a, b, cost, epsilon)
    for step in range(STEPS):
        rows = np.maximum(plan_now.sum(axis=1), 1e-300)
        if np.abs(rows - a).sum() < tolerance:
            break
        sinkhorn = epsilon * np.log(a / rows)
        change = sinkhorn if step < SINKHORN_STEPS else _newton(a, b, plan_now, rows, epsilon)
        new_plan, new_value = _plan_of_potential(f + change, a, b, cost, epsilon)
        if step >= SINKHORN_STEPS and new_value < value:  # too far; Sinkhorn's step always gains
            change = sinkhorn
            new_plan, new_value = _plan_of_potential(f + change, a, b, cost, epsilon)
        f, plan_now, value = f + change, new_plan, new_value
    return f


def _plan_of_potential(
    f: FloatArray, a: FloatArray, b: FloatArray, cost: FloatArray, epsilon: float
) -> tuple[FloatArray, float]:
    """The plan with exact columns of the potential ``f``, and the value of the dual there."""
    exponent = (f[:, None] - cost) / epsilon
    highest = exponent.max(axis=0)
    shares = a[:, None] * np.exp(exponent - highest)
    sums = shares.sum(axis=0)
    return shares * (b / sums), float(a @ f - epsilon * (b @ (highest + np.log(sums))))


def _newton(
    a: FloatArray, b: FloatArray, plan_now: FloatArray, rows: FloatArray, epsilon: float
) -> FloatArray:
    """Newton's step of the dual, no longer than its quadratic model can be trusted."""
    # the dual does not change along the constants; the rank-one term fixes the step's mean there
    curvature = np.diag(rows * (1 + 1e-13)) - (plan_now / b) @ plan_now.T + np.outer(rows, rows)
    step = np.asarray(np.linalg.solve(curvature, a - rows))
    return epsilon * step * min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), 1e-300))
