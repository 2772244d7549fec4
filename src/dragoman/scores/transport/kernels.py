"""Compiled loops: Sinkhorn's iteration for many documents, left as soon as one cannot win.

All documents share two tables with a row per word of the corpus and a column per word of the
query: ``cost`` C and ``kernel`` K = exp(-C / epsilon). A document's rows of K are copied together
once; then every *sweep* makes the columns of the plan diag(u) K diag(v) exact and finds how far its
rows are off. Between sweeps the scaling u is moved by Anderson's mixing of the last three (depth 2,
weighed by the query's weights), which needs half the sweeps of plain Sinkhorn and a third of them
at epsilon = 0.05. It works on ln u in the coordinate 2(x - 1)/(x + 1) of a factor x, whose inverse
is as cheap and which has the same fixed point; a sweep that brings no gain clears the memory, and
the next step is Sinkhorn's own, which always gains.

Columns beyond the query's words have weight 0 and stay 0. The pieces are inlined into two loops,
which so compile in a third of the time; the machine code is cached on disk. Written here because
no kept library solves many transports of different sizes that share their costs.
"""

from math import log, sqrt
from typing import Any

import numpy as np
from numba import njit

from dragoman.types import FloatArray, IntArray

# every licence to reorder sums, none to ignore infinities
FAST: dict[str, Any] = {
    "fastmath": {"nsz", "arcp", "contract", "afn", "reassoc"},
    "error_model": "numpy",
}

ZERO, ONE, TWO, THREE = np.float32(0), np.float32(1), np.float32(2), np.float32(3)
TINY = np.float32(1e-30)
FAR = np.float32(1e4)  # farther than any cost, less any potential
ABREAST = 16  # columns whose least is sought at once; compilers do not split such a search
LONGEST_STEP = np.float32(1.5)  # a factor of 7
DEPENDENT = np.float32(1e-2)  # squared sine below which two differences count as one

MOST_SWEEPS = 80
FIRST_TEST = np.float32(0.04)  # row error; earlier, too few certificates succeed to pay for theirs
ROUNDING = np.float32(2e-6)  # of the sums below, in float32
FORBIDDEN = np.float32(-1e3)  # the potential of a column that weighs nothing

DUAL_SWEEPS, DUAL_TEST = 16, 4  # a bound after every fourth

SOLVED, LEFT, OPEN = np.float32(0), np.float32(1), np.float32(2)


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
    """The sweep from u = a, whose K u are known for all words, while the rows are copied."""
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
def _look(
    a: FloatArray,
    u: FloatArray,
    t: FloatArray,
    move: FloatArray,
    wanted: FloatArray,
    change: FloatArray,
    effect: FloatArray,
    older: FloatArray,
    known: int,
) -> tuple[np.float32, np.float32, np.float32]:
    """The rows' error |a - u t|, and how much of the last two changes the next step takes back.

    Notes what Sinkhorn ``wanted``, the ``change`` of that since the last sweep, and its ``effect``
    together with the move. Taken back is what leaves least of what is wanted, weighed by ``a``.
    """
    error, nn, no, oo, nw, ow = ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
    for i in range(len(u)):
        reached = u[i] * t[i]
        error += abs(a[i] - reached)
        now = TWO * (a[i] - reached) / (a[i] + reached + TINY)
        newer = now - wanted[i]
        wanted[i], change[i], effect[i] = now, newer, newer + move[i]
        nn += a[i] * newer * newer
        no += a[i] * newer * older[i]
        oo += a[i] * older[i] * older[i]
        nw += a[i] * newer * now
        ow += a[i] * older[i] * now
    determinant = nn * oo - no * no
    if known == 0:
        return error, ZERO, ZERO
    if known == 1 or determinant <= DEPENDENT * nn * oo:
        return error, nw / (nn + TINY), ZERO
    return error, (nw * oo - ow * no) / determinant, (ow * nn - nw * no) / determinant


@njit(inline="always", **FAST)
def _step(
    wanted: FloatArray,
    newer: FloatArray,
    older: FloatArray,
    first: np.float32,
    second: np.float32,
    move: FloatArray,
    u: FloatArray,
) -> None:
    for i in range(len(u)):
        step = wanted[i] - first * newer[i] - second * older[i]
        step = min(max(step, -LONGEST_STEP), LONGEST_STEP)
        move[i] = step
        u[i] *= (TWO + step) / (TWO - step)


@njit(inline="always", **FAST)
def _price(
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
def _divergence(
    a: FloatArray, u: FloatArray, t: FloatArray, spread: np.float32, epsilon: np.float32
) -> np.float32:
    """At least KL(P* | P): docs/transport.md, proposition 2."""
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
    """<P, C>, its variance within columns, the farthest fall of a column, its widest spread."""
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
    """The divergence at which the certificate's two terms use up ``margin``; 0 if there is none."""
    if margin <= ZERO:
        return ZERO
    edge, bend = sqrt(TWO * variance), fall / THREE + TINY
    root = (sqrt(edge * edge + np.float32(4) * bend * margin) - edge) / (TWO * bend)
    return np.float32(root * root)


@njit(nogil=True, cache=True, fastmath=True)
def finish_costs(
    cost: FloatArray, squares: FloatArray, query_squares: FloatArray, extremes: FloatArray
) -> None:
    """Turn -2 x.y into |x - y|, in place; the least and the largest of each row in ``extremes``.

    As many columns as ``query_squares`` has are distances; they are a multiple of ``ABREAST``.
    """
    n = len(query_squares)
    least, most = np.empty(ABREAST, np.float32), np.empty(ABREAST, np.float32)
    for w in range(len(cost)):
        row, square = cost[w], squares[w]
        for i in range(n):
            row[i] = sqrt(max(row[i] + square + query_squares[i], ZERO))
        for j in range(ABREAST):
            least[j], most[j] = FAR, ZERO
        for i in range(0, n, ABREAST):
            for j in range(ABREAST):
                found = row[i + j]
                least[j] = found if found < least[j] else least[j]
                most[j] = found if found > most[j] else most[j]
        for i in range(n, len(row)):
            row[i] = row[0]
        for j in range(1, ABREAST):
            least[0], most[0] = min(least[0], least[j]), max(most[0], most[j])
        extremes[w, 0], extremes[w, 1] = least[0], most[0]


@njit(nogil=True, cache=True, fastmath=True)
def least_beyond(cost: FloatArray, potential: FloatArray, least: FloatArray) -> None:
    """The least of cost - potential in each row: the c-transform of ``potential``.

    Columns are a multiple of ``ABREAST``.
    """
    found = np.empty(ABREAST, np.float32)
    for w in range(len(cost)):
        row = cost[w]
        for j in range(ABREAST):
            found[j] = FAR
        for i in range(0, len(potential), ABREAST):
            for j in range(ABREAST):
                beyond = row[i + j] - potential[i + j]
                found[j] = beyond if beyond < found[j] else found[j]
        for j in range(1, ABREAST):
            found[0] = min(found[0], found[j])
        least[w] = found[0]


@njit(nogil=True, cache=True, **FAST)
def settle(
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
    bar: np.float32,
    tolerance: np.float32,
    results: FloatArray,
) -> None:
    """Each document's entropic distance, or that it is above ``bar``.

    ``results`` (documents, 4) gets: the distance, or a lower bound of it that is above ``bar``; the
    rows' error; the sweeps; and SOLVED, LEFT (above the bar) or OPEN (no convergence in float32).
    ``sums`` are kernel @ a.
    """
    n, longest = len(a), 0
    for d in range(len(documents)):
        longest = max(longest, indptr[documents[d] + 1] - indptr[documents[d]])
    scratch, v = np.empty((longest, n), np.float32), np.empty(longest, np.float32)
    u, t = np.empty(n, np.float32), np.empty(n, np.float32)
    move, wanted = np.empty(n, np.float32), np.empty(n, np.float32)
    changes, effects = np.zeros((2, n), np.float32), np.zeros((2, n), np.float32)
    for d in range(len(documents)):
        begin, end = indptr[documents[d]], indptr[documents[d] + 1]
        words, b, rows = indices[begin:end], weights[begin:end], scratch[: end - begin]
        for i in range(n):
            u[i], move[i], wanted[i] = a[i], ZERO, ZERO
        _first_sweep(kernel, sums, words, b, rows, v, t)
        sweeps, known, error, test_below = 0, 0, TWO, FIRST_TEST
        value, state = ZERO, OPEN
        while sweeps < MOST_SWEEPS:
            if sweeps > 0:
                _sweep(rows, b, u, v, t)
            new, old, last = sweeps % 2, 1 - sweeps % 2, error
            sweeps += 1
            error, first, second = _look(
                a, u, t, move, wanted, changes[new], effects[new], changes[old], known
            )
            if error < tolerance:
                value, state = _price(rows, cost, words, u, v), SOLVED
                break
            if bar < np.inf and error < test_below:
                price, variance, fall, spread = _moments(rows, cost, words, b, u, v, extremes)
                kappa = _divergence(a, u, t, spread, epsilon)
                needed = _largest_divergence(price - bar, variance, fall)
                if kappa < needed:
                    value, state = price - sqrt(TWO * variance * kappa) - fall * kappa / THREE, LEFT
                    break
                test_below = error * min(needed / kappa, np.float32(0.5))
            if error >= last:
                known, first, second = 0, ZERO, ZERO
            _step(wanted, effects[new], effects[old], first, second, move, u)
            known += 1
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
def underestimate(
    kernel: FloatArray,
    cost: FloatArray,
    sums: FloatArray,
    indptr: IntArray,
    indices: IntArray,
    weights: FloatArray,
    documents: IntArray,
    a: FloatArray,
    epsilon: np.float32,
    bar: np.float32,
    bounds: FloatArray,
) -> None:
    """A lower bound of each document's exact distance, no finer than it takes to pass ``bar``."""
    n, longest = len(a), 0
    for d in range(len(documents)):
        longest = max(longest, indptr[documents[d] + 1] - indptr[documents[d]])
    scratch, v = np.empty((longest, n), np.float32), np.empty(longest, np.float32)
    u, t = np.empty(n, np.float32), np.empty(n, np.float32)
    potential, best = np.empty(n, np.float32), np.empty(n, np.float32)
    move, wanted = np.empty(n, np.float32), np.empty(n, np.float32)
    changes, effects = np.zeros((2, n), np.float32), np.zeros((2, n), np.float32)
    for d in range(len(documents)):
        begin, end = indptr[documents[d]], indptr[documents[d] + 1]
        words, b, rows = indices[begin:end], weights[begin:end], scratch[: end - begin]
        for i in range(n):
            u[i], move[i], wanted[i] = a[i], ZERO, ZERO
        _first_sweep(kernel, sums, words, b, rows, v, t)
        known, error, bounds[d] = 0, TWO, ZERO
        for sweeps in range(DUAL_SWEEPS):
            if sweeps > 0:
                _sweep(rows, b, u, v, t)
            new, old, last = sweeps % 2, 1 - sweeps % 2, error
            error, first, second = _look(
                a, u, t, move, wanted, changes[new], effects[new], changes[old], known
            )
            if error >= last:
                known, first, second = 0, ZERO, ZERO
            _step(wanted, effects[new], effects[old], first, second, move, u)
            known += 1
            if sweeps % DUAL_TEST == DUAL_TEST - 1:
                bound = _dual(cost, words, a, b, u, epsilon, potential, best)
                bounds[d] = max(bounds[d], bound)
                if bounds[d] > bar:
                    break
