"""The loops of a search by numpy."""

import numpy as np
from numpy.typing import NDArray

from dragoman.storage.gathering import ranges
from dragoman.types import FloatArray, IntArray

SIGN_EXPONENT_FRACTION = np.int32(~0x70000000)  # of a half at the bit positions of float32
BIAS = np.float32(2.0**112)  # between the exponents of float32 and of half precision
SMALLEST = np.float32(1e-12)  # length of a mean: opposite rows cancel
ROWS_AT_ONCE = 4096  # converted to float32 together


def score_postings(
    starts: IntArray,
    ends: IntArray,
    weights: FloatArray,
    documents: IntArray,
    counts: NDArray[np.float16],
    norms: FloatArray,
    sums: FloatArray,
) -> None:
    """Add w c / (c + n) to the sum of every posting's document.

    ``weights[i]`` is w of the postings ``starts[i]:ends[i]``, c is the count of a posting and n
    the norm of its document.
    """
    for start, end, weight in zip(starts.tolist(), ends.tolist(), weights, strict=True):
        if end > start:
            here = documents[start:end]
            count = counts[start:end].astype(np.float32)
            sums[here] += weight * (count / (count + norms[here]))


def score_maxima(
    starts: IntArray,
    ends: IntArray,
    groups: IntArray,
    weights: FloatArray,
    documents: IntArray,
    last: NDArray[np.int32],
    sums: FloatArray,
) -> None:
    """Add to each document's sum its highest weight in every group of terms.

    The terms of a group follow each other, weights falling; groups rise from 0. ``last`` has the
    last group that added to a document, at first -1; one above all groups leaves the document out.
    """
    rows = zip(starts.tolist(), ends.tolist(), groups.tolist(), weights, strict=True)
    for start, end, group, weight in rows:
        here = documents[start:end]
        here = here[last[here] < group]
        sums[here] += weight
        last[here] = group


def highest(scores: FloatArray, k: int) -> IntArray:
    """Where the ``k`` highest scores above 0 are, and those that equal the last, rising."""
    indices = np.flatnonzero(scores > 0)  # numpy's partition is slow where most are equal
    if (last := len(indices) - k) > 0:
        positive = scores[indices]
        indices = indices[positive >= np.partition(positive, last)[last]]
    return indices


def span_products(
    rows: NDArray[np.float16], first: int, last: int, query: FloatArray
) -> NDArray[np.float32]:
    """The inner products of the rows ``first:last`` with a query."""
    products = np.empty(last - first, np.float32)
    for start in range(first, last, ROWS_AT_ONCE):
        stop = min(start + ROWS_AT_ONCE, last)
        products[start - first : stop - first] = _products(rows[start:stop], query)
    return products


def pooled_products(
    rows: NDArray[np.float16], firsts: IntArray, sizes: IntArray, query: FloatArray
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The best product of ``sizes[i]`` rows from ``firsts[i]`` on, and that of their mean.

    The mean is scaled to length one. Sizes are above 0.
    """
    starts = np.cumsum(sizes) - sizes
    matrix = widened(rows[ranges(firsts, sizes)])
    products: NDArray[np.float32] = np.einsum("ij,j->i", matrix, query)
    sums = np.add.reduceat(matrix, starts, axis=0)
    lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
    pooled = np.add.reduceat(products, starts) / np.maximum(lengths, SMALLEST)
    return np.maximum.reduceat(products, starts), pooled


def best_products(
    rows: NDArray[np.float16], chosen: IntArray, owners: IntArray, query: FloatArray
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The owners of chosen rows, each once, and their best products; owners rise."""
    products = _products(rows[chosen], query)
    firsts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1]))
    return owners[firsts].astype(np.int64), np.maximum.reduceat(products, firsts)


def _products(rows: NDArray[np.float16], query: FloatArray) -> NDArray[np.float32]:
    """Each row summed by itself, so that equal rows have equal products wherever they stand."""
    products: NDArray[np.float32] = np.einsum("ij,j->i", widened(rows), query)
    return products


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
