"""Compiled kernels: Sinkhorn's iteration for many documents, each pruned once it cannot win.

All documents share two tables with a row per word of the corpus and a column per word of the
query: ``cost`` C and ``kernel`` K = exp(-C / epsilon). A document's rows of K are copied together
once; then every *sweep* makes the columns of the plan diag(u) K diag(v) exact and measures the
error of its rows. Between sweeps the scaling u is updated by Anderson mixing of the last three
(depth 2, weighted by the query's weights), which needs half the sweeps of plain Sinkhorn and a
third of them at epsilon = 0.05. It works on ln u in the coordinate 2(x - 1)/(x + 1) of a factor x,
whose inverse is as cheap and which has the same fixed point; a sweep that does not lower the error
clears the history, and the next step is Sinkhorn's own, which always does.

Padded columns have weight 0 and stay 0. The functions are inlined into two loops, which compile in
a third of the time that way; the machine code is cached on disk. Written here because no library
among the dependencies solves many transports of different sizes that share their costs;
docs/transport.md has the measured ratios to POT and gensim.
"""

from math import log, sqrt
from typing import Any

import numpy as np
from numba import njit

from dragoman.types import FloatArray, IntArray

# sums may be reordered; infinities are respected
FAST: dict[str, Any] = {
    "fastmath": {"nsz", "arcp", "contract", "afn", "reassoc"},
    "error_model": "numpy",
}

ZERO, ONE, TWO, THREE = np.float32(0), np.float32(1), np.float32(2), np.float32(3)
TINY = np.float32(1e-30)
FAR = np.float32(1e4)  # farther than any cost, less any potential
LANES = 16  # columns whose minimum is taken at once; compilers do not vectorise a minimum
LONGEST_STEP = np.float32(1.5)  # a factor of 7
DEPENDENT = np.float32(1e-2)  # squared sine below which two differences count as one

MOST_SWEEPS = 80
FIRST_TEST = np.float32(0.04)  # row error; above it, too few certificates succeed to pay off
ROUNDING = np.float32(2e-6)  # of the sums below, in float32
FORBIDDEN = np.float32(-1e3)  # the potential of a column of weight 0

DUAL_SWEEPS, DUAL_TEST = 16, 4  # a bound after every fourth

SOLVED, PRUNED, UNCONVERGED = np.float32(0), np.float32(1), np.float32(2)


@njit(inline="always", **FAST)
def _first_sweep(
    kernel: FloatArray,
    sums: FloatArray,
    words: IntArray,
    b: FloatArray,
    rows: FloatArray,
    v: FloatArray,
    t: FloatArray,
) -> None:
    """The sweep from u = a, whose K u is in ``sums``; copies the document's rows of the kernel."""
    for i in range(len(t)):
        t[i] = ZERO
    for w in range(len(words)):
        row, word, scale = rows[w], kernel[words[w]], b[w] / sums[words[w]]
        v[w] = scale
        for i in range(len(t)):
            row[i] = word[i]
            t[i] += scale * word[i]


@njit(inline="always", **FAST)
def _sweep(rows: FloatArray, b: FloatArray, u: FloatArray, v: FloatArray, t: FloatArray) -> None:
    """Make the columns exact: v = b / (K u); then t = K v, and u * t are the sums of the rows."""
    for i in range(len(u)):
        t[i] = ZERO
    for w in range(len(b)):
        row, total = rows[w], ZERO
        for i in range(len(u)):
            total += row[i] * u[i]
        total = b[w] / total
        v[w] = total
        for i in range(len(u)):
            t[i] += total * row[i]


@njit(inline="always", **FAST)
def _anderson_coefficients(
    a: FloatArray,
    u: FloatArray,
    t: FloatArray,
    step: FloatArray,
    residual: FloatArray,
    change: FloatArray,
    effect: FloatArray,
    older: FloatArray,
    history: int,
) -> tuple[np.float32, np.float32, np.float32]:
    """The rows' error |a - u t|, and the coefficients of the last two changes in the next step.

    Updates Sinkhorn's ``residual``, its ``change`` since the last sweep, and the ``effect`` of the
    last step: the change of the mapped iterate, which is ``change`` plus that step. The
    coefficients minimise the residual, weighted by ``a``.
    """
    error, nn, no, oo, nw, ow = ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
    for i in range(len(u)):
        reached = u[i] * t[i]
        error += abs(a[i] - reached)
        now = TWO * (a[i] - reached) / (a[i] + reached + TINY)
        newer = now - residual[i]
        residual[i], change[i], effect[i] = now, newer, newer + step[i]
        nn += a[i] * newer * newer
        no += a[i] * newer * older[i]
        oo += a[i] * older[i] * older[i]
        nw += a[i] * newer * now
        ow += a[i] * older[i] * now
    determinant = nn * oo - no * no
    if history == 0:
        return error, ZERO, ZERO
    if history == 1 or determinant <= DEPENDENT * nn * oo:
        return error, nw / (nn + TINY), ZERO
    return error, (nw * oo - ow * no) / determinant, (ow * nn - nw * no) / determinant


@njit(inline="always", **FAST)
def _mix(
    residual: FloatArray,
    newer: FloatArray,
    older: FloatArray,
    first: np.float32,
    second: np.float32,
    step: FloatArray,
    u: FloatArray,
) -> None:
    """Anderson's step: the residual less multiples of the last two changes of the iterate."""
    for i in range(len(u)):
        change = residual[i] - first * newer[i] - second * older[i]
        change = min(max(change, -LONGEST_STEP), LONGEST_STEP)
        step[i] = change
        u[i] *= (TWO + change) / (TWO - change)


@njit(inline="always", **FAST)
def _plan_cost(
    rows: FloatArray, cost: FloatArray, words: IntArray, u: FloatArray, v: FloatArray
) -> np.float32:
    """<P, C> of the plan P = diag(u) K diag(v)."""
    total = ZERO
    for w in range(len(words)):
        row, costs, column = rows[w], cost[words[w]], ZERO
        for i in range(len(u)):
            column += row[i] * u[i] * costs[i]
        total += column * v[w]
    return total


@njit(inline="always", **FAST)
def _divergence_bound(
    a: FloatArray, u: FloatArray, t: FloatArray, spread: np.float32, epsilon: np.float32
) -> np.float32:
    """An upper bound of KL(P* | P): docs/transport.md, proposition 2."""
    half, slope = ZERO, ZERO
    for i in range(len(a)):
        off = a[i] - u[i] * t[i]
        half += abs(off)
        slope += off * log((u[i] + TINY) / (a[i] + TINY))
    return max(spread * half / TWO / epsilon - slope, ZERO) + ROUNDING / epsilon


@njit(inline="always", **FAST)
def _moments(
    rows: FloatArray,
    cost: FloatArray,
    words: IntArray,
    b: FloatArray,
    u: FloatArray,
    v: FloatArray,
    extremes: FloatArray,
) -> tuple[np.float32, np.float32, np.float32, np.float32]:
    """<P, C>, its variance within columns, and the M and R of propositions 3 and 2."""
    price, variance, fall, spread = ZERO, ZERO, ZERO, ZERO
    for w in range(len(words)):
        row, costs, once, twice = rows[w], cost[words[w]], ZERO, ZERO
        for i in range(len(u)):
            share = row[i] * u[i] * costs[i]
            once += share
            twice += share * costs[i]
        mean = once * v[w] / b[w]
        least, most = extremes[words[w], 0], extremes[words[w], 1]
        price += b[w] * mean
        variance += v[w] * twice - b[w] * mean * mean
        fall = max(fall, mean - least)
        spread = max(spread, most - least)
    return price, max(variance, ZERO) + ROUNDING, fall, spread


@njit(inline="always", **FAST)
def _largest_divergence(margin: np.float32, variance: np.float32, fall: np.float32) -> np.float32:
    """The largest divergence whose two certificate terms fit into ``margin``; 0 if none does."""
    if margin <= ZERO:
        return ZERO
    edge, bend = sqrt(TWO * variance), fall / THREE + TINY
    root = (sqrt(edge * edge + np.float32(4) * bend * margin) - edge) / (TWO * bend)
    return np.float32(root * root)


@njit(nogil=True, cache=True, fastmath=True)
def finish_costs(
    cost: FloatArray, squares: FloatArray, query_squares: FloatArray, extremes: FloatArray
) -> None:
    """Turn -2 x.y into |x - y|, in place; writes the minimum and maximum of rows to ``extremes``.

    The first ``len(query_squares)`` columns are distances, a multiple of ``LANES``; the others are
    padding.
    """
    n = len(query_squares)
    least, most = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    for w in range(len(cost)):
        row, square = cost[w], squares[w]
        for i in range(n):
            row[i] = sqrt(max(row[i] + square + query_squares[i], ZERO))
        for j in range(LANES):
            least[j], most[j] = FAR, ZERO
        for i in range(0, n, LANES):
            for j in range(LANES):
                value = row[i + j]
                least[j] = value if value < least[j] else least[j]
                most[j] = value if value > most[j] else most[j]
        for i in range(n, len(row)):
            row[i] = row[0]
        for j in range(1, LANES):
            least[0], most[0] = min(least[0], least[j]), max(most[0], most[j])
        extremes[w, 0], extremes[w, 1] = least[0], most[0]


@njit(nogil=True, cache=True, fastmath=True)
def c_transform(cost: FloatArray, potential: FloatArray, transform: FloatArray) -> None:
    """The c-transform of ``potential``: the minimum of cost - potential in each row.

    Columns are a multiple of ``LANES``.
    """
    least = np.empty(LANES, np.float32)
    for w in range(len(cost)):
        row = cost[w]
        for j in range(LANES):
            least[j] = FAR
        for i in range(0, len(potential), LANES):
            for j in range(LANES):
                value = row[i + j] - potential[i + j]
                least[j] = value if value < least[j] else least[j]
        for j in range(1, LANES):
            least[0] = min(least[0], least[j])
        transform[w] = least[0]


@njit(nogil=True, cache=True, **FAST)
def solve_or_prune(
    kernel: FloatArray,
    cost: FloatArray,
    sums: FloatArray,
    extremes: FloatArray,
    indptr: IntArray,
    indices: IntArray,
    weights: FloatArray,
    documents: IntArray,
    a: FloatArray,
    epsilon: np.float32,
    threshold: np.float32,
    tolerance: np.float32,
    results: FloatArray,
) -> None:
    """Each document's entropic distance, or a proof that it is above ``threshold``.

    ``results`` (documents, 4) gets: the distance, or a lower bound of it above ``threshold``; the
    rows' error; the sweeps; and SOLVED, PRUNED or UNCONVERGED (no convergence in float32). ``sums``
    is kernel @ a.
    """
    n, longest = len(a), 0
    for d in range(len(documents)):
        longest = max(longest, indptr[documents[d] + 1] - indptr[documents[d]])
    scratch, v = np.empty((longest, n), np.float32), np.empty(longest, np.float32)
    u, t = np.empty(n, np.float32), np.empty(n, np.float32)
    step, residual = np.empty(n, np.float32), np.empty(n, np.float32)
    changes, effects = np.zeros((2, n), np.float32), np.zeros((2, n), np.float32)
    for d in range(len(documents)):
        begin, end = indptr[documents[d]], indptr[documents[d] + 1]
        words, b, rows = indices[begin:end], weights[begin:end], scratch[: end - begin]
        for i in range(n):
            u[i], step[i], residual[i] = a[i], ZERO, ZERO
        _first_sweep(kernel, sums, words, b, rows, v, t)
        sweeps, history, error, test_below = 0, 0, TWO, FIRST_TEST
        value, state = ZERO, UNCONVERGED
        while sweeps < MOST_SWEEPS:
            if sweeps > 0:
                _sweep(rows, b, u, v, t)
            new, old, last = sweeps % 2, 1 - sweeps % 2, error
            sweeps += 1
            error, first, second = _anderson_coefficients(
                a, u, t, step, residual, changes[new], effects[new], changes[old], history
            )
            if error < tolerance:
                value, state = _plan_cost(rows, cost, words, u, v), SOLVED
                break
            if threshold < np.inf and error < test_below:
                price, variance, fall, spread = _moments(rows, cost, words, b, u, v, extremes)
                kappa = _divergence_bound(a, u, t, spread, epsilon)
                needed = _largest_divergence(price - threshold, variance, fall)
                if kappa < needed:
                    value = price - sqrt(TWO * variance * kappa) - fall * kappa / THREE
                    state = PRUNED
                    break
                test_below = error * min(needed / kappa, np.float32(0.5))
            if error >= last:
                history, first, second = 0, ZERO, ZERO
            _mix(residual, effects[new], effects[old], first, second, step, u)
            history += 1
        results[d, 0], results[d, 1], results[d, 2], results[d, 3] = value, error, sweeps, state


@njit(inline="always", **FAST)
def _dual(
    cost: FloatArray,
    words: IntArray,
    a: FloatArray,
    b: FloatArray,
    u: FloatArray,
    epsilon: np.float32,
    potential: FloatArray,
    best: FloatArray,
) -> np.float32:
    """A lower bound of exact transport from the scaling u: two c-transforms of its potential."""
    for i in range(len(a)):
        potential[i] = epsilon * np.float32(log(u[i] / a[i])) if a[i] > ZERO else FORBIDDEN
        best[i] = -FORBIDDEN
    value = ZERO
    for w in range(len(words)):
        costs, least = cost[words[w]], -FORBIDDEN
        for i in range(len(a)):
            least = min(least, costs[i] - potential[i])
        value += b[w] * least
        for i in range(len(a)):
            best[i] = min(best[i], costs[i] - least)
    for i in range(len(a)):
        value += a[i] * best[i]
    return value - ROUNDING


@njit(nogil=True, cache=True, fastmath=True, error_model="numpy")
def bound_from_dual(
    kernel: FloatArray,
    cost: FloatArray,
    sums: FloatArray,
    indptr: IntArray,
    indices: IntArray,
    weights: FloatArray,
    documents: IntArray,
    a: FloatArray,
    epsilon: np.float32,
    threshold: np.float32,
    bounds: FloatArray,
) -> None:
    """A lower bound of each document's exact distance; stops once it is above ``threshold``."""
    n, longest = len(a), 0
    for d in range(len(documents)):
        longest = max(longest, indptr[documents[d] + 1] - indptr[documents[d]])
    scratch, v = np.empty((longest, n), np.float32), np.empty(longest, np.float32)
    u, t = np.empty(n, np.float32), np.empty(n, np.float32)
    potential, best = np.empty(n, np.float32), np.empty(n, np.float32)
    step, residual = np.empty(n, np.float32), np.empty(n, np.float32)
    changes, effects = np.zeros((2, n), np.float32), np.zeros((2, n), np.float32)
    for d in range(len(documents)):
        begin, end = indptr[documents[d]], indptr[documents[d] + 1]
        words, b, rows = indices[begin:end], weights[begin:end], scratch[: end - begin]
        for i in range(n):
            u[i], step[i], residual[i] = a[i], ZERO, ZERO
        _first_sweep(kernel, sums, words, b, rows, v, t)
        history, error, bounds[d] = 0, TWO, ZERO
        for sweeps in range(DUAL_SWEEPS):
            if sweeps > 0:
                _sweep(rows, b, u, v, t)
            new, old, last = sweeps % 2, 1 - sweeps % 2, error
            error, first, second = _anderson_coefficients(
                a, u, t, step, residual, changes[new], effects[new], changes[old], history
            )
            if error >= last:
                history, first, second = 0, ZERO, ZERO
            _mix(residual, effects[new], effects[old], first, second, step, u)
            history += 1
            if sweeps % DUAL_TEST == DUAL_TEST - 1:
                bound = _dual(cost, words, a, b, u, epsilon, potential, best)
                bounds[d] = max(bounds[d], bound)
                if bounds[d] > threshold:
                    break
