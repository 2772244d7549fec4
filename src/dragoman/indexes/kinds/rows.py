"""Rows of half precision: one or several for every document.

starts (int64)     where each document's rows begin, and where the last ones end
rows (float16)     (rows, dimensions)
codes.LANGUAGE     quantised rows of a language that has many (``quantization``)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UserError
from dragoman.indexes.kinds.layout import DROPPED, Packed, Source, Spans, ranges, starts_of
from dragoman.indexes.search import quantization
from dragoman.indexes.spaces import Space
from dragoman.storage.array_file import Array, ArrayFileWriter, Arrays
from dragoman.types import FloatArray, IntArray

COPIED_AT_ONCE = 1 << 14  # rows


def pack(vector: FloatArray) -> dict[str, Array]:
    """One document; a single vector is a matrix of one row."""
    with np.errstate(over="ignore"):
        rows = np.atleast_2d(vector).astype(np.float16)
    if not np.isfinite(rows).all():
        raise UserError("found a row with a number that is not finite in half precision.")
    return {"rows": rows}


def build(documents: Sequence[Packed], spans: Spans) -> dict[str, Array]:
    """The rows of documents, in their order."""
    del spans
    matrices = [one["rows"] for one in documents if one]
    return {
        "starts": starts_of([len(one["rows"]) if one else 0 for one in documents]),
        "rows": np.concatenate(matrices) if matrices else np.zeros((0, 0), np.float16),
    }


def merge(
    sources: Sequence[Source], space: Space, spans: Spans, count: int, writer: ArrayFileWriter
) -> None:
    """Write the rows of several segments as one, some at a time, and their codes."""
    name = space.name
    parts = [RowMatrix(arrays, name) for arrays, _ in sources]
    owner = np.zeros(count, np.int32)  # the segment that each document comes from
    before = np.zeros(count, np.int64)  # and where its rows begin there
    sizes = np.zeros(count, np.int64)
    for number, (mine, (_, new_numbers)) in enumerate(zip(parts, sources, strict=True)):
        live = new_numbers != DROPPED
        owner[new_numbers[live]] = number
        before[new_numbers[live]] = mine.starts[:-1][live]
        sizes[new_numbers[live]] = np.diff(mine.starts)[live]
    starts = starts_of(sizes)
    writer.add(f"{name}.starts", starts)
    width = max((mine.rows.shape[1] for mine in parts), default=0)

    def chunks(first: int, last: int) -> Iterator[NDArray[np.float16]]:
        """The rows of the documents ``first:last``, some at a time."""
        while first < last:
            limit = int(np.searchsorted(starts, starts[first] + COPIED_AT_ONCE, "right")) - 1
            stop = min(max(first + 1, limit), last)
            yield _gathered(parts, owner[first:stop], before[first:stop], sizes[first:stop], width)
            first = stop

    writer.stream(f"{name}.rows", np.dtype(np.float16), (width,), chunks(0, count))
    many = {
        code: (first, last)
        for code, (first, last) in spans.items()
        if starts[last] - starts[first] >= quantization.CODED
    }
    if space.coded and many and quantization.is_available():
        sampled = quantization.training_rows(
            {c: (starts[a], starts[b]) for c, (a, b) in many.items()}
        )
        documents = np.searchsorted(starts, sampled, "right") - 1
        offsets = before[documents] + sampled - starts[documents]
        sample = _sampled(parts, owner[documents], offsets, width)
        empty = quantization.trained(sample)
        for code, (first, last) in many.items():
            writer.add(f"{name}.codes.{code}", quantization.code(empty, chunks(first, last)))


def _sampled(
    parts: Sequence["RowMatrix"], owner: IntArray, offsets: IntArray, width: int
) -> NDArray[np.float32]:
    """Single rows of several segments."""
    rows = np.empty((len(owner), width), np.float32)
    for number in np.unique(owner).tolist():
        rows[owner == number] = parts[number].take(offsets[owner == number])
    return rows


def _gathered(
    parts: Sequence["RowMatrix"], owner: IntArray, before: IntArray, sizes: IntArray, width: int
) -> NDArray[np.float16]:
    """The rows of some documents that come from several segments."""
    rows = np.empty((int(sizes.sum()), width), np.float16)
    targets = starts_of(sizes)[:-1]
    for number in np.unique(owner[sizes > 0]).tolist():
        mine = owner == number
        origins = ranges(before[mine], sizes[mine])
        rows[ranges(targets[mine], sizes[mine])] = parts[number].take(origins)
    return rows


@dataclass(frozen=True)
class RowMatrix:
    """The rows of one segment."""

    arrays: Arrays
    name: str
    _codes: dict[str, quantization.Codes] = field(default_factory=dict)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where each document's rows begin, and where the last ones end."""
        return self.arrays.read(f"{self.name}.starts")

    @cached_property
    def rows(self) -> NDArray[np.float16]:
        """All rows; checked by ``check``, ``take`` or ``of``."""
        rows: NDArray[Any] = self.arrays.arrays[f"{self.name}.rows"]
        return rows

    def codes(self, language: str, span: tuple[int, int]) -> quantization.Codes | None:
        """The codes of a language's rows; None where there are few.

        ``span`` has the language's documents; rows and their owners are counted from its start.
        """
        name = f"{self.name}.codes.{language}"
        if name not in self.arrays.arrays or not quantization.is_available():
            return None
        if language not in self._codes:
            data: NDArray[Any] = self.arrays.read(name)
            first, last = span
            owners = np.repeat(
                np.arange(last - first, dtype=np.int32), np.diff(self.starts[first : last + 1])
            )
            self._codes.setdefault(language, quantization.Codes(data, owners))
        return self._codes[language]

    def check(self, starts: IntArray, ends: IntArray) -> None:
        """Check the rows ``starts[i]:ends[i]`` against their checksums."""
        self.arrays.check_rows(f"{self.name}.rows", starts, ends)

    def take(self, chosen: IntArray) -> NDArray[np.float16]:
        """A copy of the chosen rows."""
        self.check(chosen, chosen + 1)
        return self.rows[chosen]

    def of(self, document: int) -> NDArray[np.float16]:
        """The rows of one document."""
        start, end = int(self.starts[document]), int(self.starts[document + 1])
        self.check(np.array([start]), np.array([end]))
        return self.rows[start:end]
