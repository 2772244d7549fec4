"""A question on its way through a store: documents are numbers until the best of them are named.

Two ways give the same answers: by the store's mirror, in arrays and with few calls of the engine,
and by the engine alone, where there is no mirror or a filter asks for more than it knows.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from dragoman.indexes.filters import Filter
from dragoman.indexes.mirror import Listed
from dragoman.indexes.resident import Resident, Surveying
from dragoman.indexes.spaces import Sparse
from dragoman.indexes.store import Store
from dragoman.ranking.balance import Scales
from dragoman.types import FloatArray, Hit, IntArray, Query, Text


class Words(Resident, Surveying, Protocol):
    """What is asked of the part that matches words."""

    tables: Any

    def nearest(self, store: Store, query: Query, k: int, allowed: Filter) -> list[Hit]:
        """The ``k`` best of the allowed documents."""
        ...

    def query_vector(self, query: Query, allowed: Filter) -> Sparse:
        """The question as weights of dimensions, for documents in the allowed languages."""
        ...

    def translates(self, asked: str, language: str) -> bool:
        """Whether words of one language can meet those of the other."""
        ...


class Meanings(Resident, Protocol):
    """What is asked of the part that compares sentence vectors."""

    taught: Collection[str]

    def nearest(self, store: Store, query: Query, k: int, allowed: Filter) -> list[Hit]:
        """The ``k`` best of the allowed documents."""
        ...

    def reads(self, language: str) -> bool:
        """Whether an encoder was made for the language."""
        ...

    def question(self, text: Text) -> FloatArray:
        """The vector of a question."""
        ...


class Parts(NamedTuple):
    """One thing of each part."""

    words: Listed
    meanings: Listed


Echoes = Mapping[str, Mapping[int, float]]  # language -> document -> how far it stands out


class Said(NamedTuple):
    """What follows from words alone: their scales, and what their best hits hear."""

    scales: Scales
    heard: Echoes | None  # None where no hit was good enough to ask


Then = Callable[[Mapping[str, Listed]], Said]


class Asked(Protocol):
    """One question to one store; a group is a language, or all documents where named ''."""

    def best(self, k: int, then: Then) -> tuple[Mapping[str, Parts], Said]:
        """The ``k`` best of each group by each part, and what ``then`` makes of the words' lists.

        Words are looked up beside the encoder, and what follows from them alone is done there too.
        """
        ...

    def scores(self, numbers: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each part's scores of the documents: words 0 where none is shared, meanings NaN."""
        ...

    def languages(self, numbers: IntArray) -> Sequence[str]:
        """The language of each document."""
        ...

    def lengths(self, numbers: IntArray) -> IntArray:
        """How many vectors each document has."""
        ...

    def passages(self, numbers: Sequence[int]) -> list[FloatArray | None]:
        """Each document's vectors; None where it has none."""
        ...

    def near(self, places: Sequence[tuple[FloatArray, str]], k: int) -> list[Listed]:
        """For each vector and group, the ``k`` documents that are nearest, roughly."""
        ...

    def name(self, number: int) -> str:
        """A document's id."""
        ...
