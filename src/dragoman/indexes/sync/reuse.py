"""Stored documents -> rows that documents to be added may share with them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import chain

import numpy as np

from dragoman.indexes.search.nearest import rows_of
from dragoman.indexes.segment import ABSENT
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.system import StoredRows
from dragoman.types import Document, FloatArray


def stored_rows(
    snapshot: Callable[[], AbstractContextManager[Snapshot]],
    reuse: Callable[[str], Sequence[str]],
) -> StoredRows:
    """Finds the stored documents, by ``reuse`` of an id, and their rows in a space."""

    def find(documents: Sequence[Document], space: str) -> Iterator[tuple[Document, FloatArray]]:
        wanted = dict.fromkeys(chain.from_iterable(reuse(one.doc_id) for one in documents))
        with snapshot() as opened:
            numbers = opened.numbers_of([*wanted])
            for number in numbers[numbers != ABSENT].tolist():
                (document,) = opened.documents(np.array([number]))
                yield document, rows_of(opened, space, number)

    return find
