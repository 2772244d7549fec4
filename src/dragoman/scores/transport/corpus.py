"""A corpus as arrays: the points that documents use, and each document's weights over them.

Only points that some document uses are stored, in one contiguous block; those of one ``append`` are
sorted by falling frequency, so that most reads of a document lie close together. Every array is a
plain ``.npy`` file that opens memory-mapped.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from scipy.sparse import csr_array, csr_matrix

from dragoman.errors import ConfigError, InputError
from dragoman.scores.transport.bag import WeightedBag
from dragoman.types import FloatArray, IntArray

FORMAT = 1
FACTS = "corpus.json"
ARRAYS = ("points", "squares", "words", "indptr", "indices", "weights")

Bags: TypeAlias = csr_array[Any, Any] | csr_matrix[Any]


@dataclass(frozen=True)
class Corpus:
    """Documents numbered from 0, as compressed rows over the used points.

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

        ``points`` is the table of the earlier documents; rows may have been added at its end. Rows
        that are in use already keep their old points.
        """
        if bags.shape[1] > len(points) or points.shape[1] != self.points.shape[1]:
            raise ConfigError(
                f"Bags of {bags.shape[1]} columns need as many points of {self.points.shape[1]}"
                f" dimensions, got {points.shape}"
            )
        rows = _clean(bags)
        new = self._new_columns(rows.indices)
        target = np.zeros(max(bags.shape[1], int(self.words.max(initial=-1)) + 1), np.int32)
        target[self.words] = np.arange(len(self.words), dtype=np.int32)
        target[new] = np.arange(len(self.words), len(self.words) + len(new), dtype=np.int32)
        added = csr_array(
            (rows.data, target[rows.indices], rows.indptr), shape=(rows.shape[0], len(target))
        )
        added.sort_indices()
        taken = np.asarray(points[new], np.float32)
        return type(self)(
            np.concatenate([self.points, taken]),
            np.concatenate([self.squares, np.einsum("ij,ij->i", taken, taken)]),
            np.concatenate([self.words, new.astype(np.int32)]),
            np.concatenate([self.indptr, self.indptr[-1] + added.indptr[1:].astype(np.int64)]),
            np.concatenate([self.indices, added.indices.astype(np.int32)]),
            np.concatenate([self.weights, added.data]),
        )

    def take(self, rows: IntArray) -> Self:
        """The documents ``rows`` alone, in their order, with the points that they use."""
        lengths = self.indptr[rows + 1] - self.indptr[rows]
        indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        entries = np.arange(indptr[-1]) + np.repeat(self.indptr[rows] - indptr[:-1], lengths)
        used, indices = np.unique(self.indices[entries], return_inverse=True)
        return type(self)(
            self.points[used],
            self.squares[used],
            self.words[used],
            indptr,
            indices.astype(np.int32),
            self.weights[entries],
        )

    def restrict(self, rows: IntArray) -> tuple[Self, IntArray]:
        """A corpus that holds ``rows``, and their rows in it; a smaller one where they are few.

        Every point costs a query as much as several documents, so points are left out as soon as
        ``rows`` cannot use them all.
        """
        if int((self.indptr[rows + 1] - self.indptr[rows]).sum()) >= len(self.points):
            return self, rows
        return self.take(rows), np.arange(len(rows))

    def _new_columns(self, columns: IntArray) -> IntArray:
        """The columns that are not in use yet, by falling frequency."""
        distinct, counts = np.unique(columns, return_counts=True)
        is_new = ~np.isin(distinct, self.words)
        return distinct[is_new][np.argsort(-counts[is_new], kind="stable")]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def unknown(self) -> IntArray:
        """The rows of documents without a known word."""
        return np.flatnonzero(np.diff(self.indptr) == 0)

    def document(self, row: int) -> WeightedBag:
        """One document as a bag."""
        begin, end = self.indptr[row], self.indptr[row + 1]
        return WeightedBag(self.points[self.indices[begin:end]], self.weights[begin:end])

    def document_words(self, row: int) -> IntArray:
        """For each column of the document's plan, the row of the point in the original table."""
        return self.words[self.indices[self.indptr[row] : self.indptr[row + 1]]]

    def save(self, folder: Path) -> None:
        """Write the arrays into ``folder``, where no open corpus may be mapped."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)
        (folder / FACTS).write_text(json.dumps({"format": FORMAT}), encoding="utf-8")

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The corpus that ``save`` wrote, memory-mapped; changes to the arrays are not written."""
        facts = folder / FACTS
        saved = json.loads(facts.read_text(encoding="utf-8"))["format"] if facts.is_file() else None
        if saved != FORMAT:
            raise InputError(
                folder, None, found=f"format {saved}", expected=f"a corpus of format {FORMAT}"
            )
        # copy-on-write, because kernels would be compiled again for read-only arrays
        mapped = (np.load(folder / f"{name}.npy", mmap_mode="c") for name in ARRAYS)
        return cls(*map(np.asarray, mapped))


def _clean(bags: Bags) -> Bags:
    """Rows with weights above 0, summed where a column repeats, scaled to sum to one."""
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
