"""What a query's and a document's terms ask of a collection, fixed or changing."""

from collections.abc import Collection, Mapping
from typing import Protocol

from dragoman.systems.lexical.neighbours import Neighbour


class Space(Protocol):
    """The words that documents of one language are found by, and how many documents have them."""

    @property
    def documents(self) -> int:
        """How many there are in the language."""

    @property
    def mean_length(self) -> float:
        """Of a document, in words."""

    def find(self, word: str) -> int:
        """The word's dimension, or ``ABSENT``."""

    def frequency_at(self, dimension: int) -> float:
        """In how many documents the word with this dimension occurs."""

    def idf_at(self, dimension: int) -> float:
        """Of the word with this dimension."""

    def idf_of(self, frequency: float) -> float:
        """Of a word with this document frequency."""


class Sounding(Protocol):
    """The words of one language by their sound."""

    def nearest(self, word: str) -> list[Neighbour]:
        """The words that may be the same name, most alike first."""


class Searched(Protocol):
    """A collection's words by language."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the documents."""

    @property
    def names(self) -> Mapping[str, Sounding]:
        """Each language's own words by their sound."""

    @property
    def changes(self) -> bool:
        """Whether documents come and go, so that no count may be remembered."""

    def chosen(self, languages: Collection[str] | None) -> tuple[str, ...]:
        """The languages of the documents, those in ``languages`` where given."""

    def own(self, language: str) -> Space | None:
        """The documents' own words in ``language``."""

    def pivot(self, language: str) -> Space | None:
        """The pivot words that documents in ``language`` stand for."""
