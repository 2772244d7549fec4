"""What an index needs of a system: it encodes documents and ranks them; the index keeps them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Space, Vector
from dragoman.protocols import Advance
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking

Finish = Callable[[], list[Mapping[str, Vector]]]  # waits for the vectors of documents


class System(Protocol):
    """A registered system.

    What a document is encoded as depends on that document alone. What depends on all documents
    (document frequencies, mean lengths) is read from the snapshot that is searched.
    """

    name: ClassVar[str]

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> Any:  # noqa: ANN401
        """The checked configuration that plain settings name."""
        ...

    @classmethod
    def create(cls, config: Any) -> Self:  # noqa: ANN401
        """The system, with the models, tables and encoders that the configuration names."""
        ...

    @property
    def spaces(self) -> tuple[Space, ...]:
        """The spaces that it represents documents in."""
        ...

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        ...

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        ...

    def treatment(self, language: str) -> str:
        """How documents in a language are read: it must be the same for all of an index."""
        ...

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """What a user should know of documents in these languages: no table for one, say."""
        ...

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Each document's representation by space, whatever else is in the batch."""
        ...

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` best documents; equal scores by id."""
        ...

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """The score of each document, of this snapshot or not; NaN where there is none.

        A system that reads texts alone (``reads_texts_alone``) needs no snapshot.
        """
        ...

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """Which word of the query met which word of the document."""
        ...

    def save(self, folder: Path) -> None:
        """Write everything that ``load`` needs into an empty ``folder``."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        ...


@runtime_checkable
class ChecksQueries(Protocol):
    """A system that can tell of a query that its results are not to be trusted."""

    def query_warning(self, query: Query) -> str | None:
        """What a person should know before trusting this query's results; None if nothing."""
        ...


@runtime_checkable
class CollectsStatistics(Protocol):
    """A system that reads all documents of a build before it encodes the first."""

    def collect(self, documents: Iterable[Document], advance: Advance) -> None:
        """Read them, once."""
        ...


@runtime_checkable
class AdaptsToDocuments(Protocol):
    """A system that can treat a language as an index does, though it would treat it otherwise."""

    def adapted(self, treatments: Mapping[str, str]) -> Self:
        """The system for an index whose documents were treated so, by language."""
        ...


# Documents that are about to be added, and a space -> the stored documents that they replace or
# were made of, each with its rows in that space.
StoredRows = Callable[[Sequence[Document], str], Iterable[tuple[Document, FloatArray]]]


@runtime_checkable
class ReusesRows(Protocol):
    """A system whose encoder need not read again what is stored."""

    def reusing(self, stored: StoredRows) -> Self:
        """The system for documents some of whose texts are stored already."""
        ...


@runtime_checkable
class EncodesAhead(Protocol):
    """A system that encodes several batches at a time."""

    def begin(self, documents: Sequence[Document], executor: Executor) -> Finish:
        """``encode``, with the part that takes long handed to an executor."""
        ...


def begin(system: System, documents: Sequence[Document], executor: Executor) -> Finish:
    """Begin to encode documents."""
    if isinstance(system, EncodesAhead):
        return system.begin(documents, executor)
    return executor.submit(system.encode, documents).result
