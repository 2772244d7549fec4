"""The interfaces of the two parts of the hybrid system, which come from the registry."""

from collections.abc import Collection, Sequence
from typing import Any, Protocol, Self

from dragoman.indexes.search.postings import DocumentScores
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.system import GivesEvidence, StoredRows, System
from dragoman.types import FloatArray, IntArray, Text

PARTS = ("psq", "dense")


class LexicalPart(System, GivesEvidence, Protocol):
    """The part that matches words through translation tables."""

    tables: Any

    def scores_of_all(
        self, snapshot: Snapshot, text: Text, searched: Sequence[str]
    ) -> DocumentScores | None:
        """The documents' scores; None where no term of the query is known."""
        ...

    def maxsim(
        self, snapshot: Snapshot, text: Text, searched: Sequence[str], numbers: IntArray
    ) -> FloatArray:
        """Word MaxSim of these documents, which are in the ``searched`` languages."""
        ...

    def translates(self, language: str, other: str) -> bool:
        """Whether words of one language can meet those of the other through tables."""
        ...


class DensePart(System, GivesEvidence, Protocol):
    """The part that compares sentence vectors."""

    space: str

    @property
    def student_languages(self) -> Collection[str]:
        """The languages that a student reads."""
        ...

    def reads(self, language: str) -> bool:
        """Whether an encoder was made for the language."""
        ...

    def query_vector(self, text: Text) -> FloatArray:
        """The vector of a query."""
        ...

    def reusing(self, stored: StoredRows) -> Self:
        """The part for documents some of whose passages are stored already."""
        ...
