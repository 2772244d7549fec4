"""Systems that live in a store: their documents are vectors there, and may change at any time."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from dragoman.indexes.scope import Scope
from dragoman.indexes.spaces import Record, Space, Vector
from dragoman.indexes.store import Store
from dragoman.protocols import Advance
from dragoman.types import Document, Explanation, Query, Ranking

Finish = Callable[[], list[Mapping[str, Vector]]]  # waits for the vectors of documents


class Resident(Protocol):
    """What an index needs of such a system.

    What depends on all documents (idf, say) is kept here, on the query's side, and told of every
    change by ``observe`` and ``forget``; it can always be counted again from the store.
    """

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> Any:  # noqa: ANN401
        """The checked configuration that plain settings name."""
        ...

    @classmethod
    def prepare(cls, config: Any) -> Self:  # noqa: ANN401
        """A system that has observed no document yet."""
        ...

    @property
    def spaces(self) -> tuple[Space, ...]:
        """The spaces its vectors are in."""
        ...

    @property
    def languages(self) -> Collection[str]:
        """The languages that questions may be in."""
        ...

    def emptied(self) -> Self:
        """The same system with nothing observed."""
        ...

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        ...

    def notices(self, languages: Iterable[str]) -> list[str]:
        """What a user should know of documents in these languages: no table for one, say."""
        ...

    def vectors(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Each document's vectors by space, whatever else is in the batch.

        A build asks for them in one thread while it observes the batch before in another.
        """
        ...

    def observe(self, records: Iterable[Record]) -> None:
        """Count documents that are now in the store."""
        ...

    def recount(self, records: Iterable[Record]) -> None:
        """Count documents that an earlier process put into the store."""
        ...

    def forget(self, records: Iterable[Record]) -> None:
        """Count documents no longer."""
        ...

    def search(self, store: Store, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` best documents; equal scores by id."""
        ...

    def scores(self, store: Store, query: Query, documents: Mapping[str, str]) -> dict[str, float]:
        """The scores of these documents (id -> language); none where the system cannot say."""
        ...

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which word of the query met which word of the document."""
        ...

    def save(self, folder: Path) -> None:
        """Write configuration and counts into an empty ``folder``."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        ...


@runtime_checkable
class Mirrored(Protocol):
    """A resident whose searches are quicker where vectors are kept as arrays beside the store."""

    @property
    def mirrored(self) -> tuple[str, ...]:
        """The names of the spaces to be kept so."""
        ...


def mirrored(system: Resident) -> tuple[str, ...]:
    """The names of the spaces that a resident wants as arrays."""
    return system.mirrored if isinstance(system, Mirrored) else ()


@runtime_checkable
class ReadsQueries(Protocol):
    """A resident that has something to say of a query's words, beside its language."""

    def query_notice(self, query: Query) -> str | None:
        """What a person should know before trusting this query's results; None if nothing."""
        ...


@runtime_checkable
class Surveying(Protocol):
    """A resident whose vectors depend on all documents of its build: on their mean length, say."""

    def survey(self, documents: Iterable[Document], advance: Advance) -> None:
        """Read them, once, before any of their vectors is asked for."""
        ...


@runtime_checkable
class Staged(Protocol):
    """A resident that may encode several batches at a time, and begin before a survey."""

    def begun(self, documents: Sequence[Document], beside: Executor) -> Finish:
        """``vectors``, with the part that takes long handed to others.

        Batches are finished in their order, and after the survey.
        """
        ...


def begun(system: Resident, documents: Sequence[Document], beside: Executor) -> Finish:
    """Begin with the documents' vectors."""
    if isinstance(system, Staged):
        return system.begun(documents, beside)
    return beside.submit(system.vectors, documents).result
