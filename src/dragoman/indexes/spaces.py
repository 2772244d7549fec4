"""What a system makes of a text, as a store keeps it: sparse, dense or one vector per passage."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from dragoman.types import Document, FloatArray, IntArray


class SpaceKind(StrEnum):
    """How vectors of a space are compared; always by their inner product."""

    SPARSE = "sparse"
    DENSE = "dense"
    PASSAGES = "passages"  # a matrix per document, scored by its best row


@dataclass(frozen=True, slots=True)
class Space:
    """A named kind of vector; ``size`` is the number of dimensions, 0 where sparse."""

    name: str
    kind: SpaceKind
    size: int = 0


@dataclass(frozen=True, slots=True)
class Sparse:
    """Dimensions, each at most once, and their weights; dimensions fit 32 bits, unsigned."""

    dimensions: IntArray
    weights: FloatArray


# one dense vector, or one row per passage
Vector = Sparse | FloatArray


@dataclass(frozen=True, slots=True)
class Record:
    """A document with its vectors, by the name of their space."""

    document: Document
    vectors: Mapping[str, Vector]
