"""The protocol of systems: a system encodes and ranks documents; the index stores them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Space, Vector
from dragoman.protocols import Advance
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query, Ranking

Finish = Callable[[], list[Mapping[str, Vector]]]  # waits for the vectors of documents
Ranker = Callable[[Mapping[str, float]], Ranking]  # ranks with the weights of these names


class System(Protocol):
    """A registered system.

    The representation of a document depends on that document alone. Statistics over all documents
    (document frequencies, mean lengths) are read from the snapshot that is searched.
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
        """The spaces of its representations."""
        ...

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        ...

    @property
    def settings(self) -> dict[str, object]:
        """The settings that must be equal at the build of an index and at its search."""
        ...

    def treatment(self, language: str) -> str:
        """How documents in a language are treated; the same for all documents of an index."""
        ...

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """Warnings about documents in these languages, such as a missing translation table."""
        ...

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Each document's representation by space, independent of the rest of the batch."""
        ...

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` best documents; equal scores by id."""
        ...

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """The score of each document, in this snapshot or not; NaN where there is none.

        A system that reads texts alone (``reads_texts_alone``) needs no snapshot.
        """
        ...

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The term matches of a query and a document."""
        ...

    def save(self, folder: Path) -> None:
        """Write everything that ``load`` needs to an empty ``folder``."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """The system that ``save`` wrote."""
        ...


@runtime_checkable
class ChecksQueries(Protocol):
    """A system that warns about queries whose results are unreliable."""

    def query_warning(self, query: Query) -> str | None:
        """A warning about the results of this query; None if there is none."""
        ...


@runtime_checkable
class CollectsStatistics(Protocol):
    """A system that reads all documents of a build before it encodes the first."""

    def collect(self, documents: Iterable[Document], advance: Advance) -> None:
        """Read the documents, once."""
        ...


@runtime_checkable
class AdaptsToDocuments(Protocol):
    """A system that can treat a language as an existing index does."""

    def adapted(self, treatments: Mapping[str, str]) -> Self:
        """The system with these treatments, by language."""
        ...


@runtime_checkable
class HasWeights(Protocol):
    """A system that adds scores of its parts with weights, which judgments may choose."""

    def weights(self) -> Mapping[str, float]:
        """The weights of an index that were not tuned, by name; each lies between 0 and 1."""
        ...

    def weight_name(self, query: Query, language: str) -> str:
        """The weight that documents in a language are ranked with for a query."""
        ...

    def ranker(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranker:
        """What ranks by any weights; it reads the index once."""
        ...


@runtime_checkable
class ComparesSentences(Protocol):
    """A system with rows of a sentence encoder, in which translations are near each other."""

    @property
    def sentence_space(self) -> str:
        """The space of these rows."""
        ...


@runtime_checkable
class GivesEvidence(Protocol):
    """A system that can say how well a document matches a query, apart from other documents."""

    def evidence(self, snapshot: Snapshot, query: Query, numbers: IntArray) -> FloatArray:
        """What speaks for each document, on scales that are the same for all queries (n, m)."""
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
        """Start to ``encode`` with an executor; the callable returned waits for the result."""
        ...


def begin(system: System, documents: Sequence[Document], executor: Executor) -> Finish:
    """Start to encode documents; the callable returned waits for the result."""
    if isinstance(system, EncodesAhead):
        return system.begin(documents, executor)
    return executor.submit(system.encode, documents).result
