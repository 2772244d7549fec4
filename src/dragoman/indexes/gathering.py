"""Records that come one after the other -> ``Arrays``, in memory that does not grow with them.

What comes is appended to temporary files; when all is there, the rows are brought into their order
(language, id) and the sparse ones turned into postings, a portion of the dimensions at a time.
"""

import tempfile
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes.arrays import Arrays, Passages, Postings, Space
from dragoman.indexes.ids import point_id
from dragoman.indexes.sketches import Drawing, outline_words, words_for
from dragoman.indexes.spaces import Record, Sparse, Vector
from dragoman.text.files import staged_folder
from dragoman.text.strings import Strings
from dragoman.types import IntArray

SPILLED = 1 << 22  # bytes that a column keeps in memory
PORTION = 1 << 23  # postings that are sorted at a time
BLOCK = 1 << 14  # vectors that are moved at a time
BIN_BITS = 20  # dimensions are told apart by the bits above these when they are portioned

Allocate = Callable[[str, tuple[int, ...], Any], NDArray[Any]]


def arrays_of(records: Iterable[Record], spaces: Collection[str]) -> Arrays:
    """The records' vectors in ``spaces``, in memory: for a few documents."""
    gathering = Gathering(spaces)
    gathering.add(records)
    return gathering.arranged(lambda _, shape, kind: np.empty(shape, kind))


def write_arrays(gathering: "Gathering", folder: Path) -> None:
    """Put what was gathered into a new ``folder``, whole or not at all."""
    with staged_folder(folder) as staged:

        def on_disk(name: str, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:  # noqa: ANN401
            if 0 in shape:
                return np.empty(shape, kind)  # nothing cannot be mapped
            path = staged / f"{name}.npy"
            return np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=shape)

        gathering.arranged(on_disk).save(staged)


class _Column:
    """Numbers of one kind: appended in memory, then in a file without a name."""

    def __init__(self, kind: Any, folder: Path | None) -> None:  # noqa: ANN401 - numpy's union
        self._kind, self._folder = np.dtype(kind), folder
        self._parts: list[bytes] = []
        self._waiting = self._written = 0
        self._file: IO[bytes] | None = None

    def append(self, values: NDArray[Any]) -> None:
        part = np.ascontiguousarray(values, dtype=self._kind).tobytes()
        self._parts.append(part)
        self._waiting += len(part)
        if self._waiting > SPILLED:
            self._spill()

    @property
    def size(self) -> int:
        return self._written + self._waiting

    def whole(self) -> NDArray[Any]:
        """All of them; nothing can be appended any more."""
        if self._file is None:
            return np.frombuffer(b"".join(self._parts), self._kind)
        self._spill()
        with self._file as file:  # which lives as long as the map
            file.flush()
            return np.memmap(file, self._kind, "r")

    def _spill(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - it stays open
        self._written += self._file.write(b"".join(self._parts))
        self._parts, self._waiting = [], 0


class _SparseRows:
    """Sparse vectors in the order they come."""

    def __init__(self, folder: Path | None) -> None:
        self._dimensions = _Column(np.uint32, folder)
        self._weights = _Column(np.float32, folder)
        self.counts = array("q")

    @property
    def size(self) -> int:
        return self._dimensions.size + self._weights.size

    def add(self, vector: Vector | None) -> None:
        size = 0
        if isinstance(vector, Sparse):
            size = len(vector.dimensions)
            self._dimensions.append(vector.dimensions)
            self._weights.append(vector.weights)
        self.counts.append(size)

    def arranged(self, name: str, new_rows: IntArray, order: IntArray, to: Allocate) -> Space:
        del order
        dimensions, weights = self._dimensions.whole(), self._weights.whole()
        rows = new_rows.astype(np.int32).repeat(np.frombuffer(self.counts, np.int64))
        sorted_rows = to(f"{name}.rows", rows.shape, np.int32)
        sorted_weights = to(f"{name}.weights", rows.shape, np.float32)
        firsts: list[IntArray] = [np.zeros(0, np.uint32)]
        sizes: list[IntArray] = [np.zeros(1, np.int64)]
        done = 0
        for chosen in _portions(dimensions):
            mine = dimensions[chosen]
            by_dimension = np.argsort(mine, kind="stable")
            span = slice(done, done + len(mine))
            sorted_rows[span] = rows[chosen][by_dimension]
            sorted_weights[span] = weights[chosen][by_dimension]
            unique, counts = np.unique(mine, return_counts=True)
            firsts.append(unique)
            sizes.append(counts)
            done = span.stop
        starts = np.concatenate(sizes).cumsum()
        return Postings(
            np.concatenate(firsts).astype(np.uint32), starts, sorted_rows, sorted_weights
        )


def _portions(dimensions: NDArray[np.uint32]) -> Iterator[Any]:
    """Which postings to take together: all, or those of a span of dimensions, in rising order."""
    if len(dimensions) <= PORTION:
        yield slice(None)
        return
    bins = (dimensions >> BIN_BITS).astype(np.uint16)
    ends = np.bincount(bins).cumsum()
    portion_of_bin = ((ends - 1).clip(0) // PORTION).astype(np.uint16)
    portion = portion_of_bin[bins]
    for number in np.unique(portion_of_bin):
        chosen = np.flatnonzero(portion == number)
        if len(chosen):
            yield chosen


class _DenseRows:
    """Passage vectors in the order they come."""

    def __init__(self, folder: Path | None) -> None:
        self._vectors = _Column(np.float16, folder)
        self._size = 0
        self.counts = array("q")

    @property
    def size(self) -> int:
        return self._vectors.size

    def add(self, vector: Vector | None) -> None:
        count = 0
        if vector is not None and not isinstance(vector, Sparse):
            matrix = np.atleast_2d(vector)
            count, self._size = matrix.shape
            self._vectors.append(matrix)
        self.counts.append(count)

    def arranged(self, name: str, new_rows: IntArray, order: IntArray, to: Allocate) -> Space:
        del new_rows
        vectors = self._vectors.whole().reshape(-1, max(self._size, 1))
        counts = np.frombuffer(self.counts, np.int64)
        sizes = counts[order]
        starts = np.concatenate([np.zeros(1, np.int64), sizes.cumsum()])
        arrived = (counts.cumsum() - counts)[order]
        places = np.arange(starts[-1]) + (arrived - starts[:-1]).repeat(sizes)
        moved = to(f"{name}.vectors", vectors.shape, np.float16)
        for first in range(0, len(places), BLOCK):
            moved[first : first + BLOCK] = vectors[places[first : first + BLOCK]]
        drawing = Drawing.of(moved)
        count, size = moved.shape
        signs = to(f"{name}.signs", (count, words_for(size)), np.uint64)
        outlines = to(f"{name}.outlines", (outline_words(size), count), np.uint64)
        factors = to(f"{name}.factors", (count,), np.float32)
        drawing.draw(moved, signs, outlines, factors)
        return Passages(starts, moved, signs, outlines, factors, drawing.spread)


class Gathering:
    """Documents with their vectors in some spaces; each document comes once.

    What is too much for the memory waits in ``folder``.
    """

    def __init__(self, spaces: Collection[str], folder: Path | None = None) -> None:
        self._folder = folder
        self._ids: list[str] = []
        self._languages: list[str] = []
        self._spaces: dict[str, _SparseRows | _DenseRows | None] = dict.fromkeys(spaces)

    def add(self, records: Iterable[Record]) -> None:
        """Take these documents in."""
        for record in records:
            for name in self._spaces:
                vector = record.vectors.get(name)
                if rows := self._spaces[name] or self._begun(vector):
                    rows.add(vector)
                    self._spaces[name] = rows
            self._ids.append(record.document.doc_id)
            self._languages.append(record.document.language)

    def _begun(self, vector: Vector | None) -> _SparseRows | _DenseRows | None:
        """Room for a space whose first vector has come; the documents before it have none."""
        if vector is None:
            return None
        rows = (_SparseRows if isinstance(vector, Sparse) else _DenseRows)(self._folder)
        rows.counts.extend([0] * len(self._ids))
        return rows

    def noting(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records, each taken in as it passes."""
        for record in records:
            self.add([record])
            yield record

    @property
    def size(self) -> int:
        """How many bytes their vectors take."""
        return sum(rows.size for rows in self._spaces.values() if rows is not None)

    def arranged(self, to: Allocate) -> Arrays:
        """All that came, in arrays that ``to`` makes room for."""
        pairs = zip(self._languages, self._ids, range(len(self._ids)), strict=True)
        listed = sorted(pairs)
        order = np.array([number for _, _, number in listed], dtype=np.int64)
        new_rows = np.empty_like(order)
        new_rows[order] = np.arange(len(order))
        languages: dict[str, tuple[int, int]] = {}
        for row, (language, _, _) in enumerate(listed):
            languages[language] = (languages.get(language, (row, row))[0], row + 1)
        gathered = {name: rows for name, rows in self._spaces.items() if rows is not None}
        with ThreadPoolExecutor() as beside:  # sorting and drawing do without Python's lock
            begun = {
                name: beside.submit(rows.arranged, name, new_rows, order, to)
                for name, rows in gathered.items()
            }
            spaces = {name: arranged.result() for name, arranged in begun.items()}
        ids = [doc_id for _, doc_id, _ in listed]
        return Arrays(Strings.pack(ids), *_points(ids, spaces.values()), languages, spaces)


def _points(
    ids: list[str], spaces: Iterable[Space]
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The points of all documents and of their passages, rising, with the row of each."""
    sizes = np.ones(len(ids), np.int64)
    for space in spaces:
        if isinstance(space, Passages):
            sizes = np.maximum(sizes, np.diff(space.starts))
    points = np.fromiter(
        (
            point_id(doc_id, number)
            for doc_id, count in zip(ids, sizes.tolist(), strict=True)
            for number in range(count)
        ),
        np.uint64,
        int(sizes.sum()),
    )
    rising = points.argsort()
    return points[rising], np.arange(len(ids), dtype=np.int32).repeat(sizes)[rising]
