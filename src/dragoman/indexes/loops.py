"""The loops of a search by words: numpy's, or compiled ones where a process has asked for them."""

from types import ModuleType

import numpy as np

from dragoman.types import FloatArray, IntArray

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
    """Where the ``k`` highest scores above 0 are, and those equal to the last of them, rising."""
    if _compiled:
        found: IntArray = _compiled[0].highest(scores, k)
        return found
    last = len(scores) - k
    if last > 0 and (least := np.partition(scores, last)[last]) > 0:
        return np.flatnonzero(scores >= least)
    return np.flatnonzero(scores > 0)


def compile_loops() -> None:
    """Use the compiled loops from here on; importing them takes a second."""
    from dragoman.indexes import compiled  # noqa: PLC0415 - numba is worth waiting for only here

    _compiled[:] = [compiled]
