"""The representations of documents that an index stores; each kind has a module in ``kinds``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dragoman.types import Document, FloatArray, IntArray


class SpaceKind(StrEnum):
    """How a document is represented in a space."""

    COUNTS = "counts"  # expected counts of dimensions and a length: postings
    ROWS = "rows"  # vectors, scored by their inner product; the best row counts
    WORDS = "words"  # distinct words, searched by their sound
    BAGS = "bags"  # keys with counts, each key with a point


@dataclass(frozen=True, slots=True)
class Space:
    """A named representation; ``size`` is the number of dimensions of rows and points.

    Where rows are many, their codes are stored too, for ``nearest``, unless ``coded`` is False.
    """

    name: str
    kind: SpaceKind
    size: int = 0
    coded: bool = True


@dataclass(frozen=True, slots=True)
class Counts:
    """Dimensions (32 bits, unsigned, rising), their expected counts, the document's length."""

    dimensions: IntArray
    counts: FloatArray
    length: int


@dataclass(frozen=True, slots=True)
class Bag:
    """Keys of words, how often each occurs, and the point of each as a row."""

    keys: Sequence[str]
    counts: IntArray
    points: FloatArray


# a matrix has one row per passage; words are strings
Vector = Counts | FloatArray | Sequence[str] | Bag


@dataclass(frozen=True, slots=True)
class Record:
    """A document with its representation in every space."""

    document: Document
    vectors: Mapping[str, Vector]
