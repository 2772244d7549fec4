"""Expected counts by dimension: postings, and the lengths of documents.

    dimensions (uint32, rising)  starts (int64)     the postings of each dimension
    documents (int32)  counts (float16)             one of each per posting, documents rising
    lengths (int32)                                 by document

Nothing that depends on other documents is stored: counts are weighted at query time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UserError
from dragoman.indexes.kinds.layout import DROPPED, MergeOrder, Packed, Spans
from dragoman.indexes.spaces import Counts, Space
from dragoman.storage.array_file import Array, ArrayFileWriter, Arrays, spooled
from dragoman.storage.gathering import even_cuts, ranges, ranges_between, starts_of
from dragoman.types import FloatArray, IntArray

HIGHEST = float(np.finfo(np.float16).max)
MERGED_AT_ONCE = 1 << 19  # postings sorted together, which bounds the memory of a merge


def pack(vector: Counts) -> dict[str, Array]:
    """One document; more of a word than half precision counts changes no score that is seen."""
    if not np.isfinite(vector.counts).all():
        raise UserError("found a count that is not a finite number.")
    return {
        "dimensions": vector.dimensions.astype(np.uint32),
        "counts": np.minimum(vector.counts, HIGHEST).astype(np.float16),
        "length": np.array([vector.length], np.int32),
    }


def build(documents: Sequence[Packed], spans: Spans) -> dict[str, Array]:
    """The postings of documents, in their order."""
    del spans
    sizes = [len(one["dimensions"]) if one else 0 for one in documents]
    filled = [one for one in documents if one]
    dimensions = _joined([one["dimensions"] for one in filled], np.uint32)
    order = np.argsort(dimensions, kind="stable")
    unique, firsts = np.unique(dimensions[order], return_index=True)
    owners = np.repeat(np.arange(len(documents), dtype=np.int32), sizes)
    return {
        "dimensions": unique,
        "starts": np.append(firsts, len(order)).astype(np.int64),
        "documents": owners[order],
        "counts": _joined([one["counts"] for one in filled], np.float16)[order],
        "lengths": np.array([int(one["length"][0]) if one else 0 for one in documents], np.int32),
    }


def _joined(parts: Sequence[Array], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, kind), *parts])


def merge(order: MergeOrder, space: Space, writer: ArrayFileWriter) -> None:
    """Write the postings of several segments as one, a range of dimensions at a time."""
    name = space.name
    postings = [Postings(arrays, name) for arrays in order.segments]
    unique: list[IntArray] = [np.zeros(0, np.uint32)]
    sizes: list[IntArray] = [np.zeros(0, np.int64)]

    with writer.spool() as spool:

        def documents() -> Iterator[Array]:
            for dimensions, owners, counts in _merged(order, postings):
                distinct, per_dimension = np.unique(dimensions, return_counts=True)
                unique.append(distinct)
                sizes.append(per_dimension)
                spool.write(counts.tobytes())
                yield owners

        writer.stream(f"{name}.documents", np.dtype(np.int32), (), documents())
        writer.stream(f"{name}.counts", np.dtype(np.float16), (), spooled(spool, np.float16))
    writer.add(f"{name}.dimensions", np.concatenate(unique))
    writer.add(f"{name}.starts", starts_of(np.concatenate(sizes)))
    writer.add(f"{name}.lengths", order.values([mine.lengths for mine in postings]))


def _merged(
    order: MergeOrder, postings: Sequence["Postings"]
) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
    """Dimensions, documents and counts in their new order, a range of dimensions at a time."""
    new_numbers = [*order.new_numbers()]
    step = max(1, MERGED_AT_ONCE // len(postings))
    cuts = even_cuts([mine.sample(step) for mine in postings])
    for bounds in zip(*(ranges_between(mine.dimensions, cuts) for mine in postings), strict=True):
        parts = map(_range, postings, new_numbers, bounds)
        dimensions, owners, counts = map(np.concatenate, zip(*parts, strict=True))
        sorting = np.lexsort((owners, dimensions))
        yield dimensions[sorting], owners[sorting], counts[sorting]


def _range(
    mine: "Postings", new_numbers: IntArray, bounds: tuple[int, int]
) -> tuple[IntArray, IntArray, FloatArray]:
    """The live postings of a range of dimensions."""
    first, last = bounds
    start, end = int(mine.starts[first]), int(mine.starts[last])
    mine.check(np.array([start]), np.array([end]))
    owners = new_numbers[mine.documents[start:end]]
    live = owners != DROPPED
    sizes = np.diff(mine.starts[first : last + 1])
    dimensions = np.repeat(mine.dimensions[first:last], sizes)
    return dimensions[live], owners[live], mine.counts[start:end][live]


@dataclass(frozen=True)
class Postings:
    """The postings of one segment."""

    arrays: Arrays
    name: str

    def _array(self, name: str) -> NDArray[Any]:
        return self.arrays.read(f"{self.name}.{name}")

    @cached_property
    def dimensions(self) -> NDArray[np.uint32]:
        """Rising."""
        return self._array("dimensions")

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the postings of each dimension begin, and where the last ones end."""
        return self._array("starts")

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        """By document."""
        return self._array("lengths")

    @cached_property
    def documents(self) -> NDArray[np.int32]:
        """One per posting; checked by ``check``."""
        return self.arrays.arrays[f"{self.name}.documents"]

    @cached_property
    def counts(self) -> NDArray[np.float16]:
        """One per posting; checked by ``check``."""
        return self.arrays.arrays[f"{self.name}.counts"]

    def sample(self, step: int) -> NDArray[np.uint32]:
        """The dimension of one posting in every ``step``."""
        postings = np.arange(0, int(self.starts[-1]), step)
        return self.dimensions[np.searchsorted(self.starts, postings, "right") - 1]

    def locate(self, dimensions: IntArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the postings of each dimension begin and end; nowhere for one that is not here."""
        if not len(self.dimensions):
            nowhere = np.zeros(len(dimensions), np.int64)
            return nowhere, nowhere
        positions = np.searchsorted(self.dimensions, dimensions)
        positions = np.minimum(positions, len(self.dimensions) - 1)
        firsts = self.starts[positions]
        lasts = np.where(
            self.dimensions[positions] == dimensions, self.starts[positions + 1], firsts
        )
        self.check(firsts, lasts)
        return firsts, lasts

    def check(self, firsts: IntArray, lasts: IntArray) -> None:
        """Check the postings ``firsts[i]:lasts[i]`` against their checksums."""
        for name in ("documents", "counts"):
            self.arrays.check_rows(f"{self.name}.{name}", firsts, lasts)

    def frequencies(
        self, firsts: IntArray, lasts: IntArray, deleted: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """How many documents each range of postings has, those that are not deleted."""
        sizes = lasts - firsts
        if not len(deleted) or not sizes.any():
            return sizes
        gone = np.append(0, np.cumsum(deleted[self.documents[ranges(firsts, sizes)]]))
        ends = np.cumsum(sizes)
        live: NDArray[np.int64] = sizes - (gone[ends] - gone[ends - sizes])
        return live
