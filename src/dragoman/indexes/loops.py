"""The loops of a search: numpy's, or compiled ones where a process has asked for them."""

from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.types import FloatArray, IntArray

Span = tuple[int, int]  # the first and the one after the last

# of a number of half precision that was widened to 32 bits with its sign and moved by 13
SIGN_EXPONENT_FRACTION = np.int32(np.uint32(0x8FFFE000).astype(np.int32))
BIAS = np.float32(2.0**112)

_compiled: list[ModuleType] = []  # empty, or the module with the compiled loops


def add_postings(
    firsts: IntArray,
    lasts: IntArray,
    asked: FloatArray,
    rows: IntArray,
    weights: FloatArray,
    sums: FloatArray,
) -> bool:
    """Add the postings ``firsts[i]:lasts[i]``, times ``asked[i]``; whether all have a place."""
    if _compiled:
        return bool(_compiled[0].add_postings(firsts, lasts, asked, rows, weights, sums))
    try:
        for first, last, weight in zip(firsts.tolist(), lasts.tolist(), asked, strict=True):
            np.add.at(sums, rows[first:last].astype(np.intp), weights[first:last] * weight)
    except IndexError:
        return False
    return True


def highest(scores: FloatArray, k: int) -> IntArray:
    """Where the ``k`` highest scores above 0 are, rising; perhaps with a few of the next."""
    if _compiled:
        found: IntArray = _compiled[0].highest(scores, k)
        return found
    last = len(scores) - k
    if last > 0 and (least := np.partition(scores, last)[last]) > 0:
        return np.flatnonzero(scores >= least)
    return np.flatnonzero(scores > 0)


def best_products(
    starts: IntArray, vectors: NDArray[np.float16], query: FloatArray, rows: IntArray
) -> FloatArray:
    """The best product of each document's vectors with the query; NaN where it has none."""
    _check_size(len(query), vectors.shape[1])
    if _compiled:
        found: FloatArray = _compiled[0].best_products(
            starts, vectors.view(np.uint16), query, rows.astype(np.int64, copy=False)
        )
        return found
    asked = query.astype(np.float16).astype(np.float32)  # which is what the engine compares
    firsts, lasts = starts[rows], starts[rows + 1]
    sizes = lasts - firsts
    best = np.full(len(rows), np.nan, np.float32)
    filled = sizes > 0
    if filled.any():
        ends = sizes.cumsum()
        places = np.arange(ends[-1]) + (firsts - ends + sizes).repeat(sizes)
        products = widened(vectors.take(places, axis=0)) @ asked
        best[filled] = np.maximum.reduceat(products, (ends - sizes)[filled])
    return best


def widened(halves: NDArray[np.float16]) -> NDArray[np.float32]:
    """Finite numbers of half precision as float32, exactly, in a third of numpy's own time.

    The bits move to where float32 has them, with the sign; the exponent's other bias is a factor.
    """
    bits = halves.view(np.int16).astype(np.int32)
    bits <<= 13
    bits &= SIGN_EXPONENT_FRACTION
    numbers = bits.view(np.float32)
    numbers *= BIAS
    return numbers


class Sketched(NamedTuple):
    """Documents' vectors, one below the other, and their sketches (``indexes.sketches``)."""

    starts: NDArray[np.int64]  # one more than there are documents
    owners: NDArray[np.int32]  # the document of each vector
    vectors: NDArray[np.uint16]  # numbers of half precision by their bits
    signs: NDArray[np.uint64]  # (vectors, words)
    outlines: NDArray[np.uint64]  # (words, vectors)
    factors: NDArray[np.float32]
    order: NDArray[np.int64]  # of the dimensions in sketches
    spread: NDArray[np.float32]


def nearest(
    sketched: Sketched,
    gone: NDArray[np.bool_],
    queries: FloatArray,
    spans: IntArray,
    counts: tuple[int, int],
    k: int,
) -> list[tuple[IntArray, FloatArray]]:
    """For each query the ``k`` nearest documents of its span, by row, with scores, best first.

    They are the nearest of those with vectors that look nearest; ``counts`` says how many of these
    there are by outlines, and by sketches. Who is ``gone`` is left out, which may be said of
    nobody. ``spans`` has two columns. Compiled alone: numpy would take longer than a walk through
    the engine's graph.
    """
    _check_size(queries.shape[1], sketched.vectors.shape[1])
    firsts, lasts = np.ascontiguousarray(spans.T)
    ends, rows, scores = _compiled[0].nearest(*sketched, gone, queries, firsts, lasts, *counts, k)
    return [(rows[place, :end], scores[place, :end]) for place, end in enumerate(ends.tolist())]


def _check_size(found: int, expected: int) -> None:
    """Compiled loops do not look where they read."""
    if found != expected:
        raise ValueError(f"a vector of {found} numbers, expected {expected}")


def are_compiled() -> bool:
    """Whether this process has asked for the compiled loops."""
    return bool(_compiled)


def compile_loops() -> None:
    """Use the compiled loops from here on; importing them takes a second."""
    from dragoman.indexes.compiled import search  # noqa: PLC0415 - numba takes a second

    _compiled[:] = [search]
