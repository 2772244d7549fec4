"""Documents as arrays that transport reads: the used points, and who uses which, how much.

Only points that some document uses are kept, in one contiguous block; those that came together
stand by falling frequency, so that most of what a document reads lies close together. Everything
is a plain ``.npy`` file that opens memory-mapped.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from scipy.sparse import csr_array, csr_matrix

from dragoman.errors import ConfigError, InputError
from dragoman.scores.transport.weighted import Weighted
from dragoman.types import FloatArray, IntArray

FORMAT = 1
FACTS = "corpus.json"
ARRAYS = ("points", "squares", "words", "indptr", "indices", "weights")

Bags: TypeAlias = csr_array[Any, Any] | csr_matrix[Any]


@dataclass(frozen=True)
class Corpus:
    """Documents numbered from 0; compressed rows over the used points.

    ``words[i]`` is the row that point i had in the table it was taken from, so that the columns of
    a plan can be named. A document's weights are above 0 and sum to one, or there are none.
    """

    points: FloatArray  # float32 (used, d), contiguous
    squares: FloatArray  # float32 (used,), the points' squared lengths
    words: IntArray  # int32 (used,)
    indptr: IntArray  # int64 (documents + 1,)
    indices: IntArray  # int32, into points, rising within a document
    weights: FloatArray  # float32

    @classmethod
    def build(cls, points: FloatArray, bags: Bags) -> Self:
        """The documents ``bags`` (N, V), whose columns are rows of ``points`` (V, d)."""
        return cls.empty(points.shape[1]).append(points, bags)

    @classmethod
    def empty(cls, dimension: int) -> Self:
        """A corpus without documents."""
        return cls(
            np.empty((0, dimension), np.float32),
            np.empty(0, np.float32),
            np.empty(0, np.int32),
            np.zeros(1, np.int64),
            np.empty(0, np.int32),
            np.empty(0, np.float32),
        )

    def append(self, points: FloatArray, bags: Bags) -> Self:
        """The documents of this corpus and ``bags`` after them.

        ``points`` is the table of the earlier documents; it may have grown at its end. A row of it
        that is in use already keeps the point that it had.
        """
        if bags.shape[1] > len(points) or points.shape[1] != self.points.shape[1]:
            raise ConfigError(
                f"Bags of {bags.shape[1]} columns need as many points of {self.points.shape[1]}"
                f" dimensions, got {points.shape}"
            )
        rows = _clean(bags)
        fresh = self._fresh(rows.indices)
        place = np.zeros(max(bags.shape[1], int(self.words.max(initial=-1)) + 1), np.int32)
        place[self.words] = np.arange(len(self.words), dtype=np.int32)
        place[fresh] = np.arange(len(self.words), len(self.words) + len(fresh), dtype=np.int32)
        added = csr_array(
            (rows.data, place[rows.indices], rows.indptr), shape=(rows.shape[0], len(place))
        )
        added.sort_indices()
        taken = np.asarray(points[fresh], np.float32)
        return type(self)(
            np.concatenate([self.points, taken]),
            np.concatenate([self.squares, np.einsum("ij,ij->i", taken, taken)]),
            np.concatenate([self.words, fresh.astype(np.int32)]),
            np.concatenate([self.indptr, self.indptr[-1] + added.indptr[1:].astype(np.int64)]),
            np.concatenate([self.indices, added.indices.astype(np.int32)]),
            np.concatenate([self.weights, added.data]),
        )

    def take(self, rows: IntArray) -> Self:
        """The documents ``rows`` alone, in their order, with the points that they use."""
        lengths = self.indptr[rows + 1] - self.indptr[rows]
        indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        places = np.arange(indptr[-1]) + np.repeat(self.indptr[rows] - indptr[:-1], lengths)
        used, indices = np.unique(self.indices[places], return_inverse=True)
        return type(self)(
            self.points[used],
            self.squares[used],
            self.words[used],
            indptr,
            indices.astype(np.int32),
            self.weights[places],
        )

    def narrowed(self, rows: IntArray) -> tuple[Self, IntArray]:
        """A corpus that holds ``rows``, and their numbers there; a small one where they are few.

        Every point costs a query as much as several documents, so that it pays to leave points out
        as soon as ``rows`` cannot use them all.
        """
        if int((self.indptr[rows + 1] - self.indptr[rows]).sum()) >= len(self.points):
            return self, rows
        return self.take(rows), np.arange(len(rows))

    def _fresh(self, columns: IntArray) -> IntArray:
        """The columns that are not in use yet, by falling frequency."""
        found, counts = np.unique(columns, return_counts=True)
        new = ~np.isin(found, self.words)
        return found[new][np.argsort(-counts[new], kind="stable")]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def unknown(self) -> IntArray:
        """The rows of documents without a known word."""
        return np.flatnonzero(np.diff(self.indptr) == 0)

    def document(self, row: int) -> Weighted:
        """One document as a bag."""
        begin, end = self.indptr[row], self.indptr[row + 1]
        return Weighted(self.points[self.indices[begin:end]], self.weights[begin:end])

    def document_words(self, row: int) -> IntArray:
        """The rows of the table of points that the columns of the document's plan stand for."""
        return self.words[self.indices[self.indptr[row] : self.indptr[row + 1]]]

    def save(self, folder: Path) -> None:
        """Write the arrays into ``folder``; nobody may be reading an older corpus there."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)
        (folder / FACTS).write_text(json.dumps({"format": FORMAT}), encoding="utf-8")

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The corpus that ``save`` wrote, memory-mapped; changes to the arrays are not written."""
        facts = folder / FACTS
        found = json.loads(facts.read_text(encoding="utf-8"))["format"] if facts.is_file() else None
        if found != FORMAT:
            raise InputError(
                folder, None, found=f"format {found}", expected=f"a corpus of format {FORMAT}"
            )
        # copy-on-write, because compiled loops would be compiled again for read-only arrays
        mapped = (np.load(folder / f"{name}.npy", mmap_mode="c") for name in ARRAYS)
        return cls(*map(np.asarray, mapped))


def _clean(bags: Bags) -> Bags:
    """Each row's weights above 0, summed where a column repeats, scaled to sum to one."""
    weights = bags.data.astype(np.float32)
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ConfigError("The weights of documents must be finite and 0 or more")
    rows = csr_array((weights, bags.indices.copy(), bags.indptr.copy()), shape=bags.shape)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    lengths = np.diff(rows.indptr)
    sums = np.add.reduceat(np.append(rows.data, 0).astype(np.float64), rows.indptr[:-1])
    rows.data = (rows.data / np.repeat(sums, lengths)).astype(np.float32)
    return rows
