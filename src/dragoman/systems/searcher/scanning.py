"""A query's terms against stored positions -> the k best documents, in one compiled pass.

Documents are read in order, each with all its positions and terms at once, and only the k best so
far are kept. Within a document a sentence is pooled only if its highest product is above what the
best sentence before it came to, because a pooled value is never higher than that.

    value of a document = mean of its terms' logits (mean), or
    sum of log sigmoid(slope * logit + offset) over the terms (product), or the least (minimum)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dragoman.metrics.calibration import Scaling
from dragoman.systems.searcher.config import Pooling
from dragoman.systems.searcher.decisions import DECIMALS, Combination
from dragoman.systems.searcher.quantized import Positions
from dragoman.types import IntArray

PLACES = np.float32(10**DECIMALS)
Floats = NDArray[Any]
Ints = NDArray[Any]

_PRODUCT, _MINIMUM, _MEAN = range(3)  # compiled loops know numbers only
_COMBINATIONS = {
    Combination.PRODUCT: _PRODUCT,
    Combination.MINIMUM: _MINIMUM,
    Combination.MEAN: _MEAN,
}


@dataclass(frozen=True, slots=True)
class Segments:
    """Where sentences begin among positions, and documents among sentences."""

    sentences: NDArray[np.int64]
    documents: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scanned:
    """The best documents, best first, and their terms' logits."""

    rows: IntArray
    logits: NDArray[np.float32]  # (terms, rows)


def scan(
    positions: Positions,
    segments: Segments,
    queries: NDArray[np.float32],
    pooling: Pooling,
    scaling: Scaling,
    combination: Combination,
    k: int,
    rows: IntArray | None = None,
) -> Scanned:
    """The ``k`` best of ``rows`` (all documents) for terms (n, p + 1), equal ones by row."""
    chosen = np.arange(len(segments.documents) - 1) if rows is None else np.asarray(rows)
    count = min(k, len(chosen))
    values = np.full(count, -np.inf, dtype=np.float64)
    found = np.full(count, -1, dtype=np.int64)
    logits = np.zeros((count, len(queries)), dtype=np.float32)
    _scan(
        positions.columns,
        positions.scales,
        segments.sentences,
        segments.documents,
        np.ascontiguousarray(chosen, dtype=np.int64),
        np.ascontiguousarray(queries[:, :-1]),
        np.ascontiguousarray(queries[:, -1]),
        pooling is Pooling.SOFTMAX,
        np.array([scaling.slope, scaling.offset]),
        _COMBINATIONS[combination],
        values,
        found,
        logits,
    )
    order = np.lexsort((found, -values))
    return Scanned(found[order], np.ascontiguousarray(logits[order].T))


@njit(cache=True, nogil=True, error_model="numpy")
def _combined(logits: Floats, scaling: Floats, combination: int) -> float:
    """One value from the terms' logits, rising with the probability."""
    total = 0.0
    least = np.inf
    for logit in logits:
        z = float(logit)
        if combination != _MEAN:
            z = scaling[0] * z + scaling[1]
            z = -np.log1p(np.exp(-z)) if z > 0 else z - np.log1p(np.exp(z))
        total += z
        least = min(least, z)
    if combination == _MINIMUM:
        return least
    return total / len(logits) if combination == _MEAN else total


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _multiply(columns: Ints, query: Floats, first: int, last: int, dots: Floats) -> None:
    """Add to ``dots`` the products of some positions with a query, column by column."""
    for k in range(len(query)):
        factor = query[k]
        column = columns[k, first:last]
        for at in range(last - first):
            dots[at] += factor * np.float32(column[at])


@njit(cache=True, nogil=True, error_model="numpy")
def _pooled(dots: Floats, count: int, soft: bool, best: Any) -> Any:  # noqa: ANN401
    """The pooled value of a sentence, or ``best`` where it cannot be above that."""
    top = np.float32(-np.inf)
    for at in range(count):
        top = max(top, dots[at])
    if top <= best or not soft:  # a softmax never pools to more than the highest product
        return max(top, best)
    weight, total = np.float32(0), np.float32(0)
    for at in range(count):
        share = np.exp(dots[at] - top)
        weight += share
        total += share * dots[at]
    return max(total / weight, best)


@njit(cache=True, nogil=True, error_model="numpy")
def _best_sentence(
    columns: Ints, scales: Floats, starts: Ints, query: Floats, soft: bool, dots: Floats
) -> Any:  # noqa: ANN401
    """What a term is worth in the best of a document's sentences."""
    first, last = starts[0], starts[-1]
    dots[: last - first] = 0
    _multiply(columns, query, first, last, dots)
    for at in range(last - first):
        dots[at] *= scales[first + at]
    best = np.float32(-np.inf)
    for sentence in range(len(starts) - 1):
        begin, end = starts[sentence], starts[sentence + 1]
        best = _pooled(dots[begin - first :], end - begin, soft, best)
    return best


@njit(cache=True, nogil=True, error_model="numpy")
def _worst(values: Floats, found: Ints) -> int:
    """The place of the lowest value, of equal ones the last document's."""
    worst = 0
    for place in range(1, len(values)):
        lower = values[place] < values[worst]
        if lower or (values[place] == values[worst] and found[place] > found[worst]):
            worst = place
    return worst


@njit(cache=True, nogil=True, error_model="numpy")
def _scan(
    columns: Ints,
    scales: Floats,
    sentences: Ints,
    documents: Ints,
    rows: Ints,
    queries: Floats,
    biases: Floats,
    soft: bool,
    scaling: Floats,
    combination: int,
    values: Floats,
    found: Ints,
    logits: Floats,
) -> None:
    """Fill the k best into ``values``, ``found`` and ``logits``, in no order."""
    longest = 0
    for row in rows:
        longest = max(longest, sentences[documents[row + 1]] - sentences[documents[row]])
    dots = np.zeros(longest, dtype=np.float32)
    here = np.zeros(len(queries), dtype=np.float32)
    worst = 0
    for row in rows:
        starts = sentences[documents[row] : documents[row + 1] + 1]
        if starts[0] == starts[-1] or not len(values):
            continue
        for term in range(len(queries)):
            best = _best_sentence(columns, scales, starts, queries[term], soft, dots)
            here[term] = np.rint((best + biases[term]) * PLACES) / PLACES
        value = _combined(here, scaling, combination)
        if found[worst] < 0 or value > values[worst]:
            values[worst], found[worst] = value, row
            logits[worst] = here
            worst = _worst(values, found)
