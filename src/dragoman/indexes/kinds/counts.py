"""Expected counts by dimension: postings, and the lengths of documents.

    dimensions (uint32, rising)  starts (int64)     the postings of each dimension
    documents (int32)  counts (float16)             one of each per posting, documents rising
    lengths (int32)                                 by document

Nothing that depends on other documents is stored: counts are weighted at query time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UserError
from dragoman.indexes.kinds.layout import DROPPED, Packed, Source, Spans, ranges, starts_of
from dragoman.indexes.spaces import Counts, Space
from dragoman.storage.array_file import Array, ArrayFileWriter, Arrays
from dragoman.types import FloatArray, IntArray

HIGHEST = float(np.finfo(np.float16).max)
MERGED_AT_ONCE = 1 << 22  # postings sorted together, which bounds the memory of a merge


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


def merge(
    sources: Sequence[Source], space: Space, spans: Spans, count: int, writer: ArrayFileWriter
) -> None:
    """Write the postings of several segments as one, a range of dimensions at a time."""
    name = space.name
    del spans
    lengths = np.zeros(count, np.int32)
    postings = []
    for arrays, new_numbers in sources:
        mine = Postings(arrays, name)
        live = new_numbers != DROPPED
        lengths[new_numbers[live]] = mine.lengths[live]
        postings.append(mine)
    unique: list[IntArray] = [np.zeros(0, np.uint32)]
    sizes: list[IntArray] = [np.zeros(0, np.int64)]

    with TemporaryFile(prefix="dragoman-") as spool:

        def documents() -> Iterator[Array]:
            for dimensions, owners, counts in _merged(sources, postings):
                distinct, per_dimension = np.unique(dimensions, return_counts=True)
                unique.append(distinct)
                sizes.append(per_dimension)
                spool.write(counts.tobytes())
                yield owners

        writer.stream(f"{name}.documents", np.dtype(np.int32), (), documents())
        spool.seek(0)
        blocks = iter(lambda: spool.read(1 << 22), b"")
        halves = (np.frombuffer(block, np.float16) for block in blocks)
        writer.stream(f"{name}.counts", np.dtype(np.float16), (), halves)
    writer.add(f"{name}.dimensions", np.concatenate(unique))
    writer.add(f"{name}.starts", starts_of(np.concatenate(sizes)))
    writer.add(f"{name}.lengths", lengths)


def _merged(
    sources: Sequence[Source], postings: Sequence["Postings"]
) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
    """Dimensions, documents and counts in their new order, a range of dimensions at a time."""
    for low, high in _dimension_ranges(postings):
        parts = [
            _range(mine, s.new_numbers, low, high)
            for s, mine in zip(sources, postings, strict=True)
        ]
        dimensions, owners, counts = map(np.concatenate, zip(*parts, strict=True))
        order = np.lexsort((owners, dimensions))
        yield dimensions[order], owners[order].astype(np.int32), counts[order]


def _dimension_ranges(postings: Sequence["Postings"]) -> Iterator[tuple[int, int]]:
    """Ranges of dimensions with a bounded number of postings, as far as one dimension allows."""
    total = sum(int(mine.starts[-1]) for mine in postings)
    cuts = np.linspace(0, 1 << 32, max(2, 1 + -(-total // MERGED_AT_ONCE))).astype(np.int64)
    yield from zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)


def _range(
    mine: "Postings", new_numbers: IntArray, low: int, high: int
) -> tuple[IntArray, IntArray, FloatArray]:
    first, last = np.searchsorted(mine.dimensions, np.array([low, high], np.int64))
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
