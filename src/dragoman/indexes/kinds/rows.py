"""Rows of half precision: one or several for every document.

starts (int64)     where each document's rows begin, and where the last ones end
rows (float16)     (rows, dimensions)
codes.LANGUAGE     quantised rows of a language that has many (``quantization``)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UserError
from dragoman.indexes.kinds.layout import MergeOrder, Packed, Spans
from dragoman.indexes.search import quantization
from dragoman.indexes.spaces import Space
from dragoman.storage.array_file import Array, ArrayFileWriter, Arrays, spooled
from dragoman.storage.gathering import Gathering, starts_of
from dragoman.types import FloatArray, IntArray


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


def merge(order: MergeOrder, space: Space, writer: ArrayFileWriter) -> None:
    """Write the rows of several segments as one, some at a time, and their codes."""
    name = space.name
    parts = [RowMatrix(arrays, name) for arrays in order.segments]
    matrices = [mine.rows for mine in parts]
    gathering = order.parts([mine.starts for mine in parts])
    writer.add(f"{name}.starts", gathering.starts)
    width = max((matrix.shape[1] for matrix in matrices), default=0)
    writer.stream(f"{name}.rows", np.dtype(np.float16), (width,), gathering.copies(matrices))
    many = {
        code: (first, last)
        for code, (first, last) in order.spans.items()
        if gathering.starts[last] - gathering.starts[first] >= quantization.CODED
    }
    if not (space.coded and many and quantization.is_available()):
        return
    empty = quantization.trained(_training_rows(gathering, matrices, many))
    for code, (first, last) in many.items():
        with writer.spool() as spool:
            quantization.write_codes(empty, gathering.copies(matrices, first, last), spool)
            codes = spooled(spool, np.uint8)
            writer.stream(f"{name}.codes.{code}", np.dtype(np.uint8), (), codes)


def _training_rows(
    gathering: Gathering, matrices: Sequence[NDArray[np.float16]], spans: Spans
) -> NDArray[np.float32]:
    """Rows to train a codebook on, spread evenly over the rows of some languages."""
    starts = gathering.starts
    places = quantization.training_places(
        [(int(starts[first]), int(starts[last])) for first, last in spans.values()]
    )
    documents = np.searchsorted(starts, places, "right") - 1
    rows = gathering.firsts[documents] + places - starts[documents]
    single = Gathering(gathering.owners[documents], rows, np.ones(len(rows), np.int64))
    return np.concatenate([*single.copies(matrices)]).astype(np.float32)


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
