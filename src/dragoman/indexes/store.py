"""What systems ask of the place where documents and vectors are kept, embedded or elsewhere."""

from collections.abc import Collection, Sequence
from typing import Protocol

from dragoman.indexes.filters import Filter
from dragoman.indexes.reflection import Reflection
from dragoman.indexes.spaces import Record, Vector
from dragoman.types import Document, FloatArray, Hit


class Store(Protocol):
    """Documents with named vectors; what ``add`` and ``delete`` returned from is durable."""

    def add(self, records: Sequence[Record]) -> None:
        """Add or replace documents."""
        ...

    def delete(self, doc_ids: Collection[str]) -> None:
        """Remove documents; ids that are not there are ignored."""
        ...

    def count(self) -> int:
        """How many documents there are."""
        ...

    def nearest(
        self,
        space: str,
        query: Vector,
        k: int,
        allowed: Filter | None = None,
        *,
        roughly: bool = False,
    ) -> list[Hit]:
        """The ``k`` documents with the highest scores, best first, equal scores by id.

        ``roughly`` may miss more of them than a search should, in a third of the time.
        """
        ...

    def scores(self, space: str, query: Vector, doc_ids: Collection[str]) -> dict[str, float]:
        """The scores of these documents; one that is missing has none."""
        ...

    def reflection(self, spaces: Collection[str], allowed: Filter) -> Reflection | None:
        """The mirror of this moment, if it can answer for these spaces under such a filter."""
        ...

    def distrust(self, why: object) -> None:
        """Leave the mirror, which has turned out to be damaged; the engine answers from here on."""
        ...

    def passages(self, space: str, doc_ids: Sequence[str]) -> dict[str, FloatArray]:
        """The vectors in a dense space of those of the documents that have any there."""
        ...

    def lengths(self, space: str, doc_ids: Sequence[str]) -> dict[str, int]:
        """How many vectors each of these documents has in a dense space; none has no entry."""
        ...

    def matching(self, allowed: Filter) -> list[str]:
        """The ids of all documents that pass a filter, in no order."""
        ...

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of their ids; ``None`` where one is not there."""
        ...

    def find(self, doc_ids: Sequence[str], spaces: Collection[str]) -> list[Record]:
        """The documents that are there, with their vectors in ``spaces``, in no order."""
        ...

    def languages_of(self, doc_ids: Sequence[str]) -> dict[str, str]:
        """The language of each of these documents."""
        ...
