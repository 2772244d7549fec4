"""One committed state of an index: its live segments without the deleted documents.

Documents are numbered from 0 within a snapshot, segment after segment, as in Lucene; a number means
nothing in another snapshot. Statistics summed over segments leave deleted documents out, so they do
not depend on how documents are spread over segments or on earlier deletions.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import documents, fields, kernels
from dragoman.indexes.filters import Filter, Operator
from dragoman.indexes.segment import ABSENT, SegmentReader
from dragoman.storage.database import DamagedRows
from dragoman.types import Document, FloatArray, Hit, IntArray

T = TypeVar("T")


class ScoredDocuments(NamedTuple):
    """Document numbers and their scores; as a result best first, equal scores by id."""

    numbers: NDArray[np.int64]
    scores: FloatArray


NO_DOCUMENTS = ScoredDocuments(np.zeros(0, np.int64), np.zeros(0, np.float32))


class LanguageSpan(NamedTuple):
    """A contiguous range of a segment's documents, all in one language."""

    reader: SegmentReader
    language: str
    first: int  # position within the segment
    last: int

    @property
    def base(self) -> int:
        """The number of the first document."""
        return self.reader.base + self.first


@dataclass(frozen=True)
class DocumentSet:
    """The documents that a search may return: spans of languages, restricted to ``allowed``."""

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
class Snapshot:
    """The segments of one state, and a database transaction that sees the same state."""

    generation: int
    readers: tuple[SegmentReader, ...]
    connection: sqlite3.Connection
    _cache: dict[Hashable, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(self.languages.values())

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of ``make``, cached as long as this state is the current one."""
        value = self._cache.get(key)
        if value is None:
            value = self._cache.setdefault(key, make())
        return value  # type: ignore[no-any-return]

    @property
    def languages(self) -> Mapping[str, int]:
        """The number of live documents by language."""
        return self.cached("languages", self._count_languages)

    def _count_languages(self) -> dict[str, int]:
        sums: dict[str, int] = {}
        for reader in self.readers:
            for code, count in reader.live_counts.items():
                sums[code] = sums.get(code, 0) + count
        return {code: sums[code] for code in sorted(sums) if sums[code]}

    @property
    def size(self) -> int:
        """The highest document number plus one."""
        return self.readers[-1].base + len(self.readers[-1].segment) if self.readers else 0

    def select(self, chosen: Filter) -> DocumentSet:
        """The documents that pass a filter."""
        every = self.in_languages(chosen.languages or tuple(self.languages))
        return replace(every, allowed=self._allowed(chosen)) if chosen.conditions else every

    def by_language(self, chosen: Filter) -> dict[str, DocumentSet]:
        """The documents of each language that pass a filter."""
        allowed = self._allowed(chosen) if chosen.conditions else None
        sets = {code: self.in_languages((code,)) for code in chosen.languages or self.languages}
        if allowed is None:
            return sets
        return {code: replace(mine, allowed=allowed) for code, mine in sets.items()}

    def in_languages(self, languages: tuple[str, ...]) -> DocumentSet:
        """All documents in the given languages."""
        return self.cached(("select", languages), lambda: self._in_languages(languages))

    def _in_languages(self, languages: tuple[str, ...]) -> DocumentSet:
        spans = tuple(
            LanguageSpan(reader, code, *reader.segment.languages[code])
            for code in languages
            for reader in self.readers
            if reader.live_counts.get(code)
        )
        return DocumentSet(spans, None, languages)

    def _allowed(self, chosen: Filter) -> NDArray[np.bool_]:
        """By document number, whether the metadata meet all conditions."""
        allowed = np.ones(self.size, np.bool_)
        for condition in chosen.conditions:
            numbers = self.numbers_of_keys(fields.matching(self.connection, condition))
            fits = np.zeros(self.size, np.bool_)
            fits[numbers[numbers != ABSENT]] = True
            allowed &= ~fits if condition.operator is Operator.NOT_EQUAL else fits
        return allowed

    @property
    def _bases(self) -> NDArray[np.int64]:
        return self.cached("bases", lambda: np.array([reader.base for reader in self.readers]))

    def reader_of(self, number: int) -> SegmentReader:
        """The segment that holds a document."""
        return self.readers[int(np.searchsorted(self._bases, number, "right")) - 1]

    def by_reader(self, numbers: IntArray) -> list[tuple[SegmentReader, NDArray[np.int64]]]:
        """The segments that hold the documents, each with the indices into ``numbers``."""
        if len(self.readers) == 1:
            return [(self.readers[0], np.arange(len(numbers)))]
        owners = np.searchsorted(self._bases, numbers, "right") - 1
        return [
            (self.readers[owner], np.flatnonzero(owners == owner))
            for owner in np.unique(owners).tolist()
        ]

    def doc_id(self, number: int) -> str:
        """The id of a document."""
        reader = self.reader_of(number)
        return reader.segment.ids[number - reader.base]

    def doc_ids(self, numbers: IntArray) -> list[str]:
        """The ids of documents."""
        if len(self.readers) == 1:
            return [*map(self.readers[0].segment.ids.__getitem__, numbers.tolist())]
        return [*map(self.doc_id, numbers.tolist())]

    def languages_of(self, numbers: IntArray) -> list[str]:
        """The language of each document."""
        languages = [""] * len(numbers)
        for reader, indices in self.by_reader(numbers):
            spans = sorted((first, code) for code, (first, _) in reader.segment.languages.items())
            starts = np.array([first for first, _ in spans])
            mine = np.searchsorted(starts, numbers[indices] - reader.base, "right") - 1
            for index, span in zip(indices.tolist(), mine.tolist(), strict=True):
                languages[index] = spans[span][1]
        return languages

    @property
    def live_numbers(self) -> NDArray[np.int64]:
        """The numbers of all documents that are not deleted."""
        live = [NO_DOCUMENTS.numbers]
        for reader in self.readers:
            deleted = reader.deleted
            if not len(deleted):
                deleted = np.zeros(len(reader.segment), np.bool_)
            live.append(np.flatnonzero(~deleted) + reader.base)
        return np.concatenate(live)

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

    def top_k(self, scores: FloatArray, k: int, selection: DocumentSet) -> ScoredDocuments:
        """The ``k`` best of the selected documents, of those that score above 0.

        ``scores`` (size,) has a score for every document number.
        """
        highest = kernels.active().highest
        best = [NO_DOCUMENTS.numbers]
        for span in selection.spans:
            mine = scores[span.base : span.reader.base + span.last]
            if selection.allowed is not None:
                mine = np.where(selection.mask(span), mine, np.float32(0))
            best.append(highest(mine, k) + span.base)
        numbers = np.concatenate(best)
        in_order = len(selection.spans) == 1
        return self.sort_top_k(ScoredDocuments(numbers, scores[numbers]), k, by_number=in_order)

    def sort_top_k(
        self, scored: ScoredDocuments, k: int, *, by_number: bool = False
    ) -> ScoredDocuments:
        """The ``k`` best, best first, equal scores by id.

        ``by_number`` states that the numbers rise and lie in one span, where ids rise with them.
        """
        order = np.argsort(-scored.scores, kind="stable")
        numbers, scores = scored.numbers[order], scored.scores[order]
        if not by_number:
            tied = np.flatnonzero(scores[1:] == scores[:-1])
            for start, end in _tied_ranges(tied.tolist(), k):
                numbers[start:end] = sorted(numbers[start:end].tolist(), key=self.doc_id)
        return ScoredDocuments(numbers[:k], scores[:k])

    def merge_top_k(self, lists: Sequence[ScoredDocuments], k: int) -> ScoredDocuments:
        """The ``k`` best of several lists, one per span, each with rising numbers."""
        if len(lists) == 1:
            return self.sort_top_k(lists[0], k, by_number=True)
        numbers, scores = map(np.concatenate, zip(NO_DOCUMENTS, *lists, strict=True))
        return self.sort_top_k(ScoredDocuments(numbers, scores), k)

    def hits(self, scored: ScoredDocuments) -> list[Hit]:
        """The documents by their ids."""
        return list(map(Hit, self.doc_ids(scored.numbers), scored.scores.tolist()))


def _tied_ranges(tied: Sequence[int], k: int) -> list[tuple[int, int]]:
    """The ranges of equal scores that begin before ``k``.

    ``tied`` lists the indices whose score equals the next one.
    """
    ranges: list[tuple[int, int]] = []
    for index in tied:
        if ranges and ranges[-1][1] == index + 1:
            ranges[-1] = (ranges[-1][0], index + 2)
        elif index < k:
            ranges.append((index, index + 2))
        else:
            break
    return ranges
