"""A vector and a space of rows -> the nearest documents, each scored by its best row.

Rows of a language that are many in a segment are shortlisted by their codes (``quantization``) and
refined exactly; the others are all compared.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import kernels
from dragoman.indexes.kinds.rows import RowMatrix
from dragoman.indexes.search.quantization import WIDER, Codes
from dragoman.indexes.snapshot import (
    NO_DOCUMENTS,
    DocumentSet,
    LanguageSpan,
    ScoredDocuments,
    Snapshot,
)
from dragoman.types import FloatArray, IntArray


class _SpanScores(NamedTuple):
    """Documents of a span, by their offsets in it, with their scores."""

    offsets: NDArray[np.int64]
    scores: NDArray[np.float32]


NONE, ALL = _SpanScores(NO_DOCUMENTS.numbers, NO_DOCUMENTS.scores), np.zeros(0, np.bool_)


def nearest(
    snapshot: Snapshot, space: str, query: FloatArray, k: int, selection: DocumentSet
) -> ScoredDocuments:
    """The ``k`` selected documents with the highest products; equal scores by id."""
    return nearest_of_many(snapshot, space, [query], k, selection)[0]


def nearest_of_many(
    snapshot: Snapshot,
    space: str,
    queries: Sequence[FloatArray],
    k: int,
    selection: DocumentSet,
    wider: int = WIDER,
) -> list[ScoredDocuments]:
    """``nearest`` for several queries, which share a scan of the codes.

    ``wider`` is the number of rows on a shortlist for each document that is wanted: fewer take less
    time and may miss some of the last documents.
    """
    if not queries:
        return []
    vectors = np.ascontiguousarray(queries, np.float32)
    lists: list[list[ScoredDocuments]] = [[] for _ in queries]
    at_hand = snapshot.gather_nearest(space, vectors, k, selection)
    for span in at_hand.spans:
        first = span.base
        results = _nearest_in(span, space, vectors, k, at_hand.mask(span), wider)
        for scored, (offsets, scores) in zip(lists, results, strict=True):
            scored.append(ScoredDocuments(offsets + first, scores))
    return [snapshot.merge_top_k(mine, k) for mine in lists]


def _nearest_in(
    span: LanguageSpan,
    space: str,
    queries: FloatArray,
    k: int,
    mask: NDArray[np.bool_],
    wider: int,
) -> list[_SpanScores]:
    """For each query the best documents of a span, rising, at least ``k`` if there are as many."""
    matrix = span.reader.segment.rows(space)
    codes = matrix.codes(span.language, (span.first, span.last))
    if codes is not None:
        first = int(matrix.starts[span.first])
        return _by_codes(matrix, codes, first, queries, k, mask, wider)
    return [_best(_compared(matrix, span, query), k, mask) for query in queries]


def _compared(matrix: RowMatrix, span: LanguageSpan, query: FloatArray) -> _SpanScores:
    """All documents of a span that have rows."""
    starts = matrix.starts[span.first : span.last + 1]
    first, last = int(starts[0]), int(starts[-1])
    if first == last:
        return NONE
    matrix.check(starts[:1], starts[-1:])
    products = kernels.active().span_products(matrix.rows, first, last, query)
    filled = np.flatnonzero(np.diff(starts))
    return _SpanScores(filled, np.maximum.reduceat(products, starts[filled] - first))


def _best(scored: _SpanScores, k: int, mask: NDArray[np.bool_]) -> _SpanScores:
    """The ``k`` best of the documents that ``mask`` allows, and those equal to the last."""
    offsets, scores = scored
    if len(mask):
        allowed = mask[offsets]
        offsets, scores = offsets[allowed], scores[allowed]
    if (cut := len(scores) - k) > 0:
        high = scores >= np.partition(scores, cut)[cut]
        offsets, scores = offsets[high], scores[high]
    return _SpanScores(offsets, scores)


def _by_codes(
    matrix: RowMatrix,
    codes: Codes,
    first: int,
    queries: FloatArray,
    k: int,
    mask: NDArray[np.bool_],
    wider: int,
) -> list[_SpanScores]:
    """The best of those documents whose rows look nearest by their codes.

    ``first`` is the first row of the codes. A shortlist is widened until it has rows of ``k``
    documents, or all rows.
    """
    allowed = mask[codes.owners] if len(mask) else mask
    count = codes.shortlist_size(k, wider)
    while True:
        listed = codes.shortlist(queries, count, allowed)
        near = [
            _refined(matrix, rows + first, codes.owners[rows], query)
            for rows, query in zip(listed, queries, strict=True)
        ]
        lacking = [
            len(one.offsets) < k and len(r) >= count for one, r in zip(near, listed, strict=True)
        ]
        if not any(lacking):
            return [_best(one, k, ALL) for one in near]
        count *= 4


def _refined(
    matrix: RowMatrix, rows: NDArray[np.int64], owners: NDArray[np.int32], query: FloatArray
) -> _SpanScores:
    """The documents of some rows, which rise, by their best, exactly."""
    if not len(rows):
        return NONE
    matrix.check(rows, rows + 1)
    return _SpanScores(*kernels.active().best_products(matrix.rows, rows, owners, query))


class RowScores(NamedTuple):
    """The scores of documents by their rows; NaN where a document has none."""

    best: NDArray[np.float32]  # the highest product of a row
    mean: NDArray[np.float32]  # the product of the mean of all rows, scaled to length one
    counts: NDArray[np.int64]  # rows


def row_scores(snapshot: Snapshot, space: str, query: FloatArray, numbers: IntArray) -> RowScores:
    """The scores of these documents."""
    vector = np.ascontiguousarray(query, np.float32)
    best, mean = np.full((2, len(numbers)), np.nan, np.float32)
    counts = np.zeros(len(numbers), np.int64)
    for reader, positions in snapshot.by_reader(numbers):
        matrix = reader.segment.rows(space)
        local = numbers[positions] - reader.base
        firsts = matrix.starts[local]
        sizes = matrix.starts[local + 1] - firsts
        counts[positions] = sizes
        filled = sizes > 0
        if filled.any():
            firsts, sizes = firsts[filled], sizes[filled]
            matrix.check(firsts, firsts + sizes)
            pooled = kernels.active().pooled_products(matrix.rows, firsts, sizes, vector)
            best[positions[filled]], mean[positions[filled]] = pooled
    return RowScores(best, mean, counts)


def rows_of(snapshot: Snapshot, space: str, number: int) -> NDArray[np.float32]:
    """The rows of a document."""
    reader = snapshot.reader_of(number)
    return reader.segment.rows(space).of(number - reader.base).astype(np.float32)
