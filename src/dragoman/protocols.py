"""What the parts of the house promise each other; no promise that a part could not keep.

Queries and documents are encoded by two functions, because most systems here are asymmetric:
separate tables (smooth), idf on the query side (psq), context on the document side (SEARCHER).
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol, Self, TypeVar

from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
R_contra = TypeVar("R_contra", contravariant=True)


class Advance(Protocol):
    """Told of every step that long work has done; commands draw a progress bar with it."""

    def __call__(self, steps: int = 1) -> None:
        """``steps`` more are done."""
        ...


def silent(steps: int = 1) -> None:
    """An ``Advance`` that tells nobody."""


class Stage(Protocol):
    """Told what begins and how many steps it has, where that is known."""

    def __call__(self, name: str, total: int | None, /) -> Advance:
        """What to call with every step done."""
        ...


def unannounced(name: str, total: int | None, /) -> Advance:
    """A ``Stage`` that tells nobody."""
    return silent


class Tokenizer(Protocol):
    """Splits a text into the words that a system counts."""

    def __call__(self, text: str, language: str) -> list[str]:
        """The words of ``text``, in order."""
        ...


class Encoder(Protocol[R_co]):
    """Turns texts into what a system compares: a bag, a vector, a matrix."""

    def encode_documents(self, texts: Sequence[Text]) -> Sequence[R_co]:
        """One representation per text, whatever else is in the batch."""
        ...

    def encode_queries(self, texts: Sequence[Text]) -> Sequence[R_co]:
        """One representation per text, whatever else is in the batch."""
        ...


class Scorer(Protocol[R_contra]):
    """Compares a query with documents."""

    def score(self, query: R_contra, documents: Sequence[R_contra]) -> FloatArray:
        """One number per document; higher is better."""
        ...


class System(Encoder[R], Scorer[R], Protocol[R]):
    """An encoder and a scorer that save and load together."""

    def save(self, folder: Path) -> None:
        """Write everything that ``load`` needs into an empty ``folder``."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """The system that ``save`` wrote."""
        ...


class Explainer(Protocol):
    """Says which word met which."""

    def explain(self, query: Query, document: Document) -> Explanation:
        """The links between query and document, strongest first."""
        ...


class Searcher(Protocol):
    """Many documents, few of them wanted."""

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` best documents, restricted to ``languages`` where given."""
        ...
