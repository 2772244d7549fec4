"""Weighted postings: rows of (dimension, impact) in, the best documents for a sparse query out.

An impact is what a dimension adds to a document's score before the query weighs it. Searching is
one sparse product; see ``kernels`` for how much of it is skipped without changing the result.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from os import cpu_count
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, Self

import numpy as np

from dragoman.types import FloatArray, IntArray

ARRAYS = ("indptr", "documents", "impacts", "bounds")


def _kernels() -> ModuleType:
    """The compiled loops; numba takes a second to import, and an index in a store needs none."""
    from dragoman.scores import kernels  # noqa: PLC0415

    return kernels


class SparseVector(NamedTuple):
    """Dimensions, each at most once, and their weights."""

    dimensions: IntArray
    weights: FloatArray


class Best(NamedTuple):
    """Document numbers and scores, best first, equal scores by number."""

    documents: IntArray
    scores: FloatArray


class Rows(NamedTuple):
    """Some documents as compressed rows; a row names a dimension at most once."""

    starts: IntArray
    dimensions: IntArray
    values: FloatArray


@dataclass(frozen=True)
class ImpactIndex:
    """Postings by dimension (compressed sparse columns), documents numbered from 0."""

    count: int
    indptr: IntArray  # int64, one more than there are dimensions
    documents: IntArray  # int32, rising within a dimension
    impacts: FloatArray  # float32, above 0
    bounds: FloatArray  # float32, the largest impact of every dimension

    @classmethod
    def from_rows(cls, rows: Rows, numbers: IntArray, count: int, size: int) -> Self:
        """The postings of rows; row i becomes the document ``numbers[i]`` of ``count``.

        ``size`` is the number of dimensions.
        """
        indptr = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(np.bincount(rows.dimensions, minlength=size), out=indptr[1:])
        documents = np.empty(len(rows.dimensions), dtype=np.int32)
        impacts = np.empty(len(rows.dimensions), dtype=np.float32)
        _kernels().transpose(
            np.ascontiguousarray(rows.starts, dtype=np.int64),
            np.ascontiguousarray(rows.dimensions, dtype=np.int32),
            np.ascontiguousarray(rows.values, dtype=np.float32),
            np.argsort(numbers).astype(np.int32),
            np.ascontiguousarray(numbers, dtype=np.int32),
            indptr[:-1].copy(),
            documents,
            impacts,
        )
        bounds = np.zeros(size, dtype=np.float32)
        _kernels().largest(indptr, impacts, bounds)
        return cls(count, indptr, documents, impacts, bounds)

    @classmethod
    def empty(cls) -> Self:
        """No document and no dimension."""
        starts, documents = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32)
        none = np.zeros(0, dtype=np.float32)
        return cls(0, starts, documents, none, none)

    @classmethod
    def joined(cls, parts: Sequence["ImpactIndex"]) -> Self:
        """One index of the parts' dimensions, one part after the other, over the same documents."""
        offsets = np.cumsum([0, *(part.indptr[-1] for part in parts)])
        starts = [part.indptr[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
        return cls(
            parts[0].count,
            np.concatenate([*starts, offsets[-1:]]).astype(np.int64),
            np.concatenate([part.documents for part in parts]),
            np.concatenate([part.impacts for part in parts]),
            np.concatenate([part.bounds for part in parts]),
        )

    def search(self, query: SparseVector, k: int) -> Best:
        """The ``k`` documents with the highest product with ``query``, those above 0 only."""
        size = min(k, self.count)
        scores, found = np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.int32)
        filled = 0
        if size and len(query.weights):
            filled = _kernels().best(*_typed(query), *self._postings, self.count, scores, found)
        return Best(found[:filled], scores[:filled])

    def search_many(self, queries: Sequence[SparseVector], k: int) -> list[Best]:
        """``search`` for every query, on all cores; a query's result is the same in any batch."""
        lanes = min(cpu_count() or 1, len(queries))
        bounds = [len(queries) * lane // lanes for lane in range(lanes + 1)] if lanes else []
        with ThreadPoolExecutor(max(lanes, 1)) as pool:
            parts = pool.map(
                lambda lane: self._search_in_turn(queries[lane[0] : lane[1]], k), pairwise(bounds)
            )
            return list(chain.from_iterable(parts))

    def _search_in_turn(self, queries: Sequence[SparseVector], k: int) -> list[Best]:
        ends_of_queries = np.cumsum([0, *(len(query.weights) for query in queries)])
        together = SparseVector(*(np.concatenate(column) for column in zip(*queries, strict=True)))
        shape = (len(queries), min(k, self.count))
        scores, found = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.int32)
        sizes = np.zeros(len(queries), dtype=np.int64)
        if self.count and k:
            asked = (ends_of_queries, *_typed(together))
            _kernels().best_of_many(*asked, *self._postings, self.count, scores, found, sizes)
        return [Best(found[q, :size], scores[q, :size]) for q, size in enumerate(sizes.tolist())]

    def products(self, query: SparseVector) -> FloatArray:
        """The product of ``query``, where it is above 0, with every document."""
        totals = np.zeros(self.count, dtype=np.float32)
        _kernels().accumulate(*_typed(query), self.indptr, self.documents, self.impacts, totals)
        return totals

    @cached_property
    def _postings(self) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
        """The arrays as compiled code takes them; a mapped one costs more to hand over."""
        return (
            np.asarray(self.indptr),
            np.asarray(self.documents),
            np.asarray(self.impacts),
            np.asarray(self.bounds),
        )

    def save(self, folder: Path) -> None:
        """Write the arrays into ``folder``."""
        for name in ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, count: int) -> Self:
        """The arrays that ``save`` wrote, mapped into memory and read when touched.

        Copy-on-write, because compiled code with a signature takes no read-only array.
        """
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="c") for name in ARRAYS}
        return cls(count, **arrays)


def _typed(query: SparseVector) -> tuple[IntArray, FloatArray]:
    """The query as compiled code takes it."""
    return (
        query.dimensions.astype(np.int64, copy=False),
        query.weights.astype(np.float32, copy=False),
    )
