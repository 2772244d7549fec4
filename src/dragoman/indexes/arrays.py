"""Vectors of many documents as plain arrays, on disk or in memory: scored without the engine.

A call of the engine takes a millisecond however little is asked; the postings of a query's words
and the vectors of known documents are read from these arrays in a tenth of that. They never
change: what changes after they were made stands beside them (``mirror``). Documents are rows, by
language and then by id, so that a language is a span of rows and equal scores break by row.

    facts.json                          format, languages with their spans, spaces
    ids.*.npy                           the documents' ids
    points.npy owners.npy               the engine's points, rising, and the row of each
    SPACE.dimensions/starts/rows/weights.npy    postings of a sparse space
    SPACE.starts/vectors.npy            passages of a dense one, in half precision like the engine's
    SPACE.signs/outlines/factors/spread.npy     their sketches
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DragomanError
from dragoman.indexes import loops
from dragoman.indexes.ids import point_id
from dragoman.indexes.loops import Sketched, Span
from dragoman.indexes.sketches import by_spread, outline_words, words_for
from dragoman.indexes.spaces import Record, Sparse, Vector
from dragoman.text.strings import Strings
from dragoman.types import Document, FloatArray, IntArray

FORMAT = 3
FACTS, IDS, POINTS, OWNERS = "facts.json", "ids", "points.npy", "owners.npy"
ABSENT = -1


class Damaged(DragomanError):
    """Arrays that do not fit each other; whoever reads them asks the engine instead."""


@dataclass(frozen=True)
class Postings:
    """A sparse space: the documents of every dimension, with their weights."""

    dimensions: NDArray[np.uint32]  # rising
    starts: NDArray[np.int64]  # one more than there are dimensions
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]

    def products(self, query: Sparse, count: int) -> FloatArray:
        """The inner product of the query with each of ``count`` documents; 0 if nothing is shared.

        Weights are added in the order of the query's dimensions, whatever the document.
        """
        sums = np.zeros(count, np.float32)
        if not len(self.dimensions):
            return sums
        wanted = query.dimensions.astype(np.uint32, copy=False)
        places = self.dimensions.searchsorted(wanted)
        places[places == len(self.dimensions)] = 0
        here = self.dimensions[places] == wanted
        spans = places[here]
        firsts, lasts = self.starts[spans], self.starts[spans + 1]
        asked = query.weights[here].astype(np.float32)
        if not loops.add_postings(firsts, lasts, asked, self.rows, self.weights, sums):
            raise Damaged("a posting names no document")
        return sums

    def check(self, count: int) -> None:
        """Refuse arrays that cannot belong together."""
        del count
        _check_starts(self.starts, len(self.dimensions), len(self.rows), "postings")
        if len(self.rows) != len(self.weights):
            raise Damaged("as many weights as documents expected")

    def vectors(self, count: int) -> list[Vector | None]:
        """The vector of every row; None where it has none."""
        dimensions = self.dimensions.repeat(np.diff(self.starts))
        order = np.argsort(self.rows, kind="stable")
        ends = np.cumsum(np.bincount(self.rows, minlength=count))
        parts = zip(
            np.split(dimensions[order], ends[:-1]),
            np.split(self.weights[order], ends[:-1]),
            strict=True,
        )
        return [Sparse(mine, weights) if len(mine) else None for mine, weights in parts]


@dataclass(frozen=True)
class Passages:
    """A dense space: each document's vectors, one below the other."""

    starts: NDArray[np.int64]  # one more than there are documents
    vectors: NDArray[np.float16]
    signs: NDArray[np.uint64]  # (vectors, words): sketches of the vectors
    outlines: NDArray[np.uint64]  # (words, vectors)
    factors: NDArray[np.float32]
    spread: NDArray[np.float32]  # of the dimensions

    @cached_property
    def sketched(self) -> Sketched:
        """The arrays for a pass over the sketches."""
        owners = np.arange(len(self.starts) - 1, dtype=np.int32).repeat(np.diff(self.starts))
        return Sketched(
            self.starts,
            owners,
            self.vectors.view(np.uint16),
            self.signs,
            self.outlines,
            self.factors,
            by_spread(self.spread),
            self.spread,
        )

    def scores(self, query: FloatArray, rows: IntArray) -> FloatArray:
        """The best product of each of the documents with the query; NaN where it has no vector."""
        return loops.best_products(self.starts, self.vectors, query, rows)

    def check(self, count: int) -> None:
        """Refuse arrays that cannot belong together."""
        _check_starts(self.starts, count, len(self.vectors), "passages")
        total, size = self.vectors.shape
        sketched = self.signs.shape == (total, words_for(size)) and self.factors.shape == (total,)
        outlined = self.outlines.shape == (outline_words(size), total)
        if not sketched or not outlined or self.spread.shape != (size,):
            raise Damaged("sketches of other passages than there are")

    def lengths(self, rows: IntArray) -> IntArray:
        """How many vectors each of the documents has."""
        found: IntArray = self.starts[rows + 1] - self.starts[rows]
        return found

    def of(self, row: int) -> FloatArray:
        """The passages of one document; no row where it has none."""
        return self.vectors[self.starts[row] : self.starts[row + 1]].astype(np.float32)

    def vectors_of(self, count: int) -> list[Vector | None]:
        """The passages of every row; None where it has none."""
        found = map(self.of, range(count))
        return [mine if len(mine) else None for mine in found]


Space = Postings | Passages
DTYPES: Mapping[str, type[np.generic]] = {  # what compiled loops read
    "dimensions": np.uint32,
    "starts": np.int64,
    "rows": np.int32,
    "weights": np.float32,
    "vectors": np.float16,
    "signs": np.uint64,
    "outlines": np.uint64,
    "factors": np.float32,
    "spread": np.float32,
}
TWO_DIMENSIONAL = ("vectors", "signs", "outlines")
KINDS: Mapping[str, type[Space]] = {"postings": Postings, "passages": Passages}


@dataclass(frozen=True)
class Arrays:
    """Documents and their vectors in some spaces."""

    ids: Strings
    points: NDArray[np.uint64]  # rising
    owners: NDArray[np.int32]  # the row of each point
    languages: Mapping[str, Span]
    spaces: Mapping[str, Space]

    def __len__(self) -> int:
        return len(self.ids)

    def spans(self, languages: Collection[str]) -> list[Span]:
        """The rows of these languages, of all where none is named."""
        chosen = languages or self.languages
        return [self.languages[code] for code in chosen if code in self.languages]

    def rows_of_points(self, points: Sequence[int]) -> IntArray:
        """The row of each point; ``ABSENT`` where it is not here."""
        if not len(self.points):
            return np.full(len(points), ABSENT, np.int32)
        wanted = np.array(points, dtype=np.uint64)
        places = self.points.searchsorted(wanted)
        places[places == len(self.points)] = 0
        return np.where(self.points[places] == wanted, self.owners[places], ABSENT)

    def rows(self, doc_ids: Collection[str]) -> IntArray:
        """The row of each document; ``ABSENT`` where it is not here."""
        return self.rows_of_points([*map(point_id, doc_ids)])

    def records(self) -> Iterator[Record]:
        """The documents, without their texts, with the vectors that are here."""
        count = len(self)
        columns = {
            name: space.vectors(count) if isinstance(space, Postings) else space.vectors_of(count)
            for name, space in self.spaces.items()
        }
        for language, (first, last) in self.languages.items():
            for row in range(first, last):
                vectors = {name: of[row] for name, of in columns.items()}
                known = {name: mine for name, mine in vectors.items() if mine is not None}
                yield Record(Document(self.ids[row], "", language=language), known)

    def save(self, folder: Path) -> None:
        """Write what is not on disk yet into ``folder``."""
        self.ids.save(folder, IDS)
        np.save(folder / POINTS, self.points)
        np.save(folder / OWNERS, self.owners)
        for name, space in self.spaces.items():
            for field in fields(space):
                path = folder / f"{name}.{field.name}.npy"
                if not path.exists():
                    np.save(path, getattr(space, field.name))
        kinds = {kind: word for word, kind in KINDS.items()}
        facts = {
            "format": FORMAT,
            "documents": len(self),
            "languages": self.languages,
            "spaces": {name: kinds[type(space)] for name, space in self.spaces.items()},
        }
        (folder / FACTS).write_text(json.dumps(facts), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote, mapped into memory; ``Damaged`` where anything is amiss."""
        try:
            facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
            if facts["format"] != FORMAT:
                raise Damaged(f"format {facts['format']}, expected {FORMAT}")
            spaces = {
                name: _loaded(folder, name, KINDS[of]) for name, of in facts["spaces"].items()
            }
            languages = {code: (first, last) for code, (first, last) in facts["languages"].items()}
            ids = Strings.load(folder, IDS)
            loaded = cls(ids, _mapped(folder / POINTS), _mapped(folder / OWNERS), languages, spaces)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Damaged(str(error)) from error
        loaded._check(facts["documents"])
        return loaded

    def _check(self, count: int) -> None:
        """Refuse arrays that cannot belong together; what their numbers name must be there."""
        _check_starts(self.ids.offsets, count, len(self.ids.content), "ids")
        ends = [end for span in self.languages.values() for end in span]
        if not all(0 <= end <= count for end in ends):
            raise Damaged("languages of other documents than there are")
        owners = self.owners
        known = not len(owners) or (owners.min() >= 0 and owners.max() < count)
        if not known or len(self.points) != len(owners):
            raise Damaged("points of other documents than there are")
        for space in self.spaces.values():
            space.check(count)


def _check_starts(starts: IntArray, count: int, total: int, what: str) -> None:
    """Refuse to read ``count`` parts of ``total`` things that do not follow each other."""
    fits = len(starts) == count + 1 and starts[0] == 0 and starts[-1] == total
    if not fits or not (starts[1:] >= starts[:-1]).all():
        raise Damaged(f"{what} that begin and end elsewhere than they should")


def _loaded(folder: Path, name: str, kind: type[Space]) -> Space:
    arrays = {field.name: _mapped(folder / f"{name}.{field.name}.npy") for field in fields(kind)}
    for part, array in arrays.items():
        wanted, dimensions = np.dtype(DTYPES[part]), 2 if part in TWO_DIMENSIONAL else 1
        if array.dtype != wanted or array.ndim != dimensions or not array.flags.c_contiguous:
            raise Damaged(
                f"{name}.{part}: {array.dtype} of {array.ndim} dimensions, expected {wanted} of"
                f" {dimensions}, row by row"
            )
    return kind(**arrays)


def _mapped(path: Path) -> NDArray[Any]:
    """An array on disk as a plain view: a mapped one costs more to slice."""
    mapped: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return mapped.view(np.ndarray)
