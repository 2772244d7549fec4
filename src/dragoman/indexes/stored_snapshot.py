"""The snapshot of a folder: its segments, and a database transaction that sees the same state."""

import sqlite3
from bisect import bisect_left
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import documents, fields
from dragoman.indexes.filters import Filter, Operator
from dragoman.indexes.segment import ABSENT, SegmentReader
from dragoman.indexes.snapshot import LanguageSpan, Snapshot
from dragoman.storage.database import DamagedRows
from dragoman.types import Document, IntArray


@dataclass(frozen=True)
class SelectedDocuments:
    """Spans of languages, restricted to ``allowed``."""

    spans: tuple[LanguageSpan, ...]
    allowed: NDArray[np.bool_] | None  # by number, ignoring deletions; None allows all
    languages: tuple[str, ...]

    @cached_property
    def size(self) -> int:
        """The number of live documents in the set."""
        if self.allowed is None:
            return sum(span.reader.live_counts[span.language] for span in self.spans)
        return sum(int(self.mask(span).sum()) for span in self.spans)

    def mask(self, span: LanguageSpan) -> NDArray[np.bool_]:
        """Flags the documents of a span that are live and allowed; empty where all are."""
        deleted = span.reader.deleted[span.first : span.last]
        if self.allowed is None:
            return ~deleted
        allowed = self.allowed[span.base : span.reader.base + span.last]
        return allowed & ~deleted if len(deleted) else allowed


@dataclass(frozen=True)
class StoredSnapshot(Snapshot):
    """The segments of one state, and a database transaction that sees the same state."""

    generation: int
    readers: tuple[SegmentReader, ...]
    connection: sqlite3.Connection
    _cache: dict[Hashable, Any] = field(default_factory=dict)

    def select(self, chosen: Filter) -> SelectedDocuments:
        """The documents that pass a filter."""
        every = self.in_languages(chosen.languages or tuple(self.languages))
        return replace(every, allowed=self._allowed(chosen)) if chosen.conditions else every

    def by_language(self, chosen: Filter) -> dict[str, SelectedDocuments]:
        """The documents of each language that pass a filter."""
        allowed = self._allowed(chosen) if chosen.conditions else None
        sets = {code: self.in_languages((code,)) for code in chosen.languages or self.languages}
        if allowed is None:
            return sets
        return {code: replace(mine, allowed=allowed) for code, mine in sets.items()}

    def in_languages(self, languages: tuple[str, ...]) -> SelectedDocuments:
        """All documents in the given languages."""
        return self.cached(("select", languages), lambda: self._in_languages(languages))

    def _in_languages(self, languages: tuple[str, ...]) -> SelectedDocuments:
        return SelectedDocuments(self.spans_of(languages), None, languages)

    def _allowed(self, chosen: Filter) -> NDArray[np.bool_]:
        """By document number, whether the metadata meet all conditions."""
        allowed = np.ones(self.size, np.bool_)
        for condition in chosen.conditions:
            numbers = self.numbers_of_keys(fields.matching(self.connection, condition))
            fits = np.zeros(self.size, np.bool_)
            fits[numbers[numbers != ABSENT]] = True
            allowed &= ~fits if condition.operator is Operator.NOT_EQUAL else fits
        return allowed

    def documents(self, numbers: IntArray) -> list[Document]:
        """The documents with these numbers; one that the database lacks is damage."""
        keys = np.zeros(len(numbers), np.int64)
        for reader, indices in self.by_reader(numbers):
            keys[indices] = reader.segment.keys[numbers[indices] - reader.base]
        return documents.documents_with_ids(self.connection, keys, self.doc_ids(numbers))

    def numbers_of(self, doc_ids: Collection[str]) -> NDArray[np.int64]:
        """The number of each document; ``ABSENT`` if the snapshot does not have it."""
        numbers = self.numbers_of_keys(documents.keys_of(self.connection, [*doc_ids]))
        for doc_id, number in zip(doc_ids, numbers.tolist(), strict=True):
            if number == ABSENT and self._has(doc_id):
                raise DamagedRows(
                    f"found no row of the document {doc_id!r}, which a segment has. `dragoman"
                    " verify INDEX` lists all that is damaged."
                )
        return numbers

    def _has(self, doc_id: str) -> bool:
        """Whether a segment has the document and it is live, whatever the database lists."""
        for reader in self.readers:
            ids = reader.segment.ids
            for first, last in reader.segment.languages.values():
                position = bisect_left(ids, doc_id, first, last)
                is_here = position < last and ids[position] == doc_id
                if is_here and not (len(reader.deleted) and reader.deleted[position]):
                    return True
        return False

    def numbers_of_keys(self, keys: IntArray) -> NDArray[np.int64]:
        """The number of each document by its key; ``ABSENT`` if the snapshot does not have it."""
        numbers = np.full(len(keys), ABSENT, np.int64)
        for reader in self.readers:
            positions = reader.segment.positions_of(keys)
            here = positions != ABSENT
            numbers[here] = positions[here] + reader.base
        return numbers

    def all_ids(self) -> list[str]:
        """The ids of all documents, sorted."""
        return sorted(self.doc_ids(self.live_numbers))

    def facts_named(self, prefix: str) -> dict[str, str]:
        """The facts whose names begin with ``prefix``, without it."""
        return documents.facts_named(self.connection, prefix)

    def fact(self, name: str) -> str:
        """A fact recorded with the documents; "" where there is none."""
        return str(documents.fact(self.connection, name) or "")

    def treatments(self) -> dict[str, str]:
        """How the documents of each language were treated."""
        return documents.treatments(self.connection)

    def field_names(self) -> list[str]:
        """The names of all metadata fields."""
        return fields.field_names(self.connection)

    def refuse_unknown_fields(self, chosen: Filter) -> None:
        """Refuse a filter on a field that no document has, and name those that exist."""
        fields.refuse_unknown_fields(self.connection, chosen)

    def metadata_below(self, prefix: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Ids and metadata of documents whose ids are ``prefix``, or begin with it and / or #."""
        return documents.metadata_below(self.connection, prefix)
