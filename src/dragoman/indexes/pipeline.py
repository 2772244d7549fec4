"""Documents -> encoded records, in order; batches are encoded while earlier ones are stored.

Batches are encoded by threads of this process or by workers; what stores them is the same.

A batch is bounded in documents and in letters, so that long documents take no more memory than
short ones. Progress is counted in passages: what is encoded at a time.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, Self

from dragoman.batches import read_ahead
from dragoman.indexes.spaces import Record
from dragoman.indexes.system import EncodesAhead, Finish, System, begin
from dragoman.types import Document

BATCH = 256  # documents encoded together
LETTERS = 1 << 19  # of a batch, unless a single document has more
PASSAGE = 250  # letters
AT_ONCE = 2  # batches being encoded, so that no core is idle at the end of one
AHEAD = 8  # batches that are submitted ahead of the one being stored


class Encoding(Protocol):
    """Where batches are encoded; ``ahead`` of them are begun before the first is needed."""

    ahead: int

    def begin(self, documents: Sequence[Document]) -> Finish:
        """Start to encode a batch; the callable returned waits for the result."""
        ...

    def close(self) -> None:
        """Begin no further batch, and wait for none."""
        ...


class EncodingWorkers(Protocol):
    """Other processes or machines that encode."""

    def encoding(self, system: System) -> Encoding:
        """What encodes batches as ``system`` does here."""
        ...


class ThreadEncoding:
    """Encodes in threads of this process."""

    def __init__(self, system: System) -> None:
        ahead = isinstance(system, EncodesAhead)
        self.ahead = AHEAD if ahead else 1
        self._system, self._executor = system, ThreadPoolExecutor(AT_ONCE if ahead else 1)

    def begin(self, documents: Sequence[Document]) -> Finish:
        """Start to encode a batch."""
        return begin(self._system, documents, self._executor)

    def close(self) -> None:
        """Cancel what has not begun."""
        self._executor.shutdown(cancel_futures=True)


class Pipeline:
    """Iterates over batches of documents with their vectors."""

    def __init__(
        self,
        system: System,
        documents: Iterable[Document],
        size: int = BATCH,
        workers: EncodingWorkers | None = None,
    ) -> None:
        self._encoding = workers.encoding(system) if workers else ThreadEncoding(system)
        self._batches = _batches(documents, size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._encoding.close()

    def __iter__(self) -> Iterator[list[Record]]:
        begun = ((batch, self._encoding.begin(batch)) for batch in self._batches)
        for batch, finish in read_ahead(begun, self._encoding.ahead):
            yield _records(batch, finish)


def passage_count(letters: int) -> int:
    """About how many passages a document of so many letters has; at least one."""
    return 1 + max(0, letters - 1) // PASSAGE


def passages_of(documents: Iterable[Document]) -> int:
    """About how many passages some documents have."""
    return sum(passage_count(len(document.text)) for document in documents)


def _batches(documents: Iterable[Document], size: int) -> Iterator[list[Document]]:
    batch: list[Document] = []
    letters = 0
    for document in documents:
        if batch and (len(batch) == size or letters + len(document.text) > LETTERS):
            yield batch
            batch, letters = [], 0
        batch.append(document)
        letters += len(document.text)
    if batch:
        yield batch


def _records(documents: list[Document], finish: Finish) -> list[Record]:
    return [Record(document, mine) for document, mine in zip(documents, finish(), strict=True)]
