"""Documents -> documents with their vectors, in order; the next are encoded while some are stored.

A system that can (``Staged``) begins with the first ones while its survey still reads all of them
on one core.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Self

from dragoman.indexes.resident import Finish, Resident, Staged, begun
from dragoman.indexes.spaces import Record
from dragoman.types import Document

BATCH = 256  # documents encoded and logged together
AT_ONCE = 2  # batches being encoded: no core waits for the next one when one is nearly done
AHEAD = 8  # batches that are begun before their turn


class Pipeline:
    """Batches of documents; a system that may begin before its survey begins with the pipeline."""

    def __init__(self, built: Resident, documents: Iterable[Document], size: int = BATCH) -> None:
        staged = isinstance(built, Staged)
        self._ahead = AHEAD if staged else 1
        self._beside = ThreadPoolExecutor(AT_ONCE if staged else 1)
        self._coming: Iterator[tuple[list[Document], Finish]] = (
            (batch, begun(built, batch, self._beside)) for batch in _batches(documents, size)
        )
        self._waiting = deque(islice(self._coming, self._ahead) if staged else ())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._beside.shutdown(cancel_futures=True)

    def __iter__(self) -> Iterator[list[Record]]:
        for one in self._coming:
            self._waiting.append(one)
            if len(self._waiting) > self._ahead:
                yield _records(*self._waiting.popleft())
        while self._waiting:
            yield _records(*self._waiting.popleft())


def _records(documents: list[Document], finish: Finish) -> list[Record]:
    return [Record(document, mine) for document, mine in zip(documents, finish(), strict=True)]


def _batches(documents: Iterable[Document], size: int) -> Iterator[list[Document]]:
    stream = iter(documents)
    while batch := list(islice(stream, size)):
        yield batch
