"""The documents of a snapshot that pass a filter, in the order of a field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dragoman.indexes.filters import Filter
from dragoman.indexes.search.answer import shown_metadata
from dragoman.indexes.snapshot import Snapshot
from dragoman.types import Document, IntArray

AT_ONCE = 500  # documents read together


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document of a list, without its text."""

    doc_id: str
    language: str
    title: str
    letters: int  # of its text
    metadata: Mapping[str, Any]

    @classmethod
    def of(cls, document: Document) -> "DocumentEntry":
        """The entry of a document."""
        shown, letters = shown_metadata(document), len(document.text)
        return cls(document.doc_id, document.language, document.title, letters, shown)


def select_numbers(snapshot: Snapshot, chosen: Filter) -> IntArray:
    """The numbers of the live documents that pass a filter."""
    selected = snapshot.gather_all(chosen)
    found = [
        np.flatnonzero(mask)
        if len(mask := selected.mask(span))
        else np.arange(span.last - span.first)
        for span in selected.spans
    ]
    firsts = [span.reader.base + span.first for span in selected.spans]
    numbers = [mine + first for mine, first in zip(found, firsts, strict=True)]
    return np.concatenate(numbers) if numbers else np.zeros(0, np.int64)


def list_documents(snapshot: Snapshot, chosen: Filter, sort: str = "id") -> Iterator[Document]:
    """The documents that pass a filter, by id or by a field of their metadata.

    Documents without the field come last; ``-field`` turns the order round.
    """
    ordered = ordered_numbers(snapshot, chosen, sort)
    for start in range(0, len(ordered), AT_ONCE):
        yield from snapshot.documents(ordered[start : start + AT_ONCE])


def ordered_numbers(snapshot: Snapshot, chosen: Filter, sort: str = "id") -> IntArray:
    """The numbers of the documents that pass a filter, in the order of ``list_documents``."""
    numbers = select_numbers(snapshot, chosen)
    if sort.lstrip("-") != "id":
        return _by_field(snapshot, numbers, sort)
    ids = snapshot.doc_ids(numbers)
    order = sorted(range(len(ids)), key=ids.__getitem__, reverse=sort.startswith("-"))
    return numbers[order]


def _by_field(snapshot: Snapshot, numbers: IntArray, sort: str) -> IntArray:
    field = sort.lstrip("-")
    keys: list[tuple[tuple[int, Any], str, int]] = []
    for start in range(0, len(numbers), AT_ONCE):
        some = numbers[start : start + AT_ONCE]
        for number, document in zip(some.tolist(), snapshot.documents(some), strict=True):
            value = getattr(document, field, None) or document.metadata.get(field)
            keys.append((_key(value), document.doc_id, number))
    present = sorted((one for one in keys if one[0][0]), reverse=sort.startswith("-"))
    return np.array([one[2] for one in (*present, *(k for k in keys if not k[0][0]))], np.int64)


def _key(value: object) -> tuple[int, Any]:
    """What values of several kinds are sorted by: 0 where there is none, numbers, then texts."""
    if isinstance(value, int | float):
        return 1, float(value)
    return (2, str(value)) if value else (0, "")
