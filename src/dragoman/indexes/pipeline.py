"""Documents -> encoded records, in order; batches are encoded while earlier ones are stored.

A batch is bounded in documents and in letters, so that long documents take no more memory than
short ones. Progress is counted in passages: what is encoded at a time.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Self

from dragoman.indexes.spaces import Record
from dragoman.indexes.system import EncodesAhead, Finish, System, begin
from dragoman.types import Document

BATCH = 256  # documents encoded together
LETTERS = 1 << 19  # of a batch, unless a single document has more
PASSAGE = 250  # letters
AT_ONCE = 2  # batches being encoded, so that no core is idle at the end of one
AHEAD = 8  # batches that are submitted ahead of the one being stored


class Pipeline:
    """Iterates over batches of documents with their vectors."""

    def __init__(self, system: System, documents: Iterable[Document], size: int = BATCH) -> None:
        ahead = isinstance(system, EncodesAhead)
        self._ahead = AHEAD if ahead else 1
        self._executor = ThreadPoolExecutor(AT_ONCE if ahead else 1)
        self._submitted: Iterator[tuple[list[Document], Finish]] = (
            (batch, begin(system, batch, self._executor)) for batch in _batches(documents, size)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(cancel_futures=True)

    def __iter__(self) -> Iterator[list[Record]]:
        pending: deque[tuple[list[Document], Finish]] = deque()
        for one in self._submitted:
            pending.append(one)
            if len(pending) > self._ahead:
                yield _records(*pending.popleft())
        while pending:
            yield _records(*pending.popleft())


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
