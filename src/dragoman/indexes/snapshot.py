"""One committed state of an index: its live segments without the deleted documents.

Documents are numbered from 0 within a snapshot, segment after segment, as in Lucene; a number means
nothing in another snapshot. Statistics summed over segments leave deleted documents out, so they do
not depend on how documents are spread over segments or on earlier deletions.

Systems read an index through this class alone. ``stored_snapshot`` has that of a folder, whose
segments are all at hand; that of a cluster fetches documents before they are compared.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import kernels
from dragoman.indexes.filters import Filter
from dragoman.indexes.segment import SegmentReader
from dragoman.indexes.spaces import Record
from dragoman.lexicons.sounds.neighbours import Neighbour
from dragoman.scores.bm25 import Bm25Config
from dragoman.types import Document, FloatArray, Hit, IntArray

T = TypeVar("T")


class ScoredDocuments(NamedTuple):
    """Document numbers and their scores; as a result best first, equal scores by id."""

    numbers: NDArray[np.int64]
    scores: FloatArray


NO_DOCUMENTS = ScoredDocuments(np.zeros(0, np.int64), np.zeros(0, np.float32))


class QueryCounts(NamedTuple):
    """The dimensions that a query asks for in a space of counts, and how they are weighed."""

    dimensions: IntArray
    weights: FloatArray
    config: Bm25Config


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


class DocumentSet(Protocol):
    """The documents that a search may return: those of some languages that meet conditions."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages."""
        ...

    @property
    def spans(self) -> tuple[LanguageSpan, ...]:
        """Where documents of the set are; ``mask`` says which ones of a span."""
        ...

    @property
    def allowed(self) -> NDArray[np.bool_] | None:
        """By number, whether the conditions are met, ignoring deletions; None allows all."""
        ...

    @property
    def size(self) -> int:
        """The number of live documents in the set."""
        ...

    def mask(self, span: LanguageSpan) -> NDArray[np.bool_]:
        """Flags the documents of a span that are live and allowed; empty where all are."""
        ...


class Snapshot(ABC):
    """One state of an index as systems read it."""

    generation: int
    readers: tuple[SegmentReader, ...]
    _cache: dict[Hashable, Any]

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

    @abstractmethod
    def select(self, chosen: Filter) -> DocumentSet:
        """The documents that pass a filter."""

    @abstractmethod
    def by_language(self, chosen: Filter) -> Mapping[str, DocumentSet]:
        """The documents of each language that pass a filter."""

    @abstractmethod
    def in_languages(self, languages: tuple[str, ...]) -> DocumentSet:
        """All documents in the given languages."""

    @abstractmethod
    def documents(self, numbers: IntArray) -> list[Document]:
        """The documents with these numbers."""

    @abstractmethod
    def numbers_of(self, doc_ids: Collection[str]) -> NDArray[np.int64]:
        """The number of each document; ``ABSENT`` if the snapshot does not have it."""

    @abstractmethod
    def all_ids(self) -> list[str]:
        """The ids of all documents, sorted."""

    @abstractmethod
    def facts_named(self, prefix: str) -> dict[str, str]:
        """The facts recorded with the documents whose names begin with ``prefix``, without it."""

    @abstractmethod
    def fact(self, name: str) -> str:
        """A fact recorded with the documents; "" where there is none."""

    @abstractmethod
    def treatments(self) -> dict[str, str]:
        """How the documents of each language were treated."""

    @abstractmethod
    def field_names(self) -> list[str]:
        """The names of all metadata fields."""

    @abstractmethod
    def refuse_unknown_fields(self, chosen: Filter) -> None:
        """Refuse a filter on a field that no document has, and name those that exist."""

    @abstractmethod
    def metadata_below(self, prefix: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Ids and metadata of documents whose ids are ``prefix``, or begin with it and / or #."""

    def spans_of(self, languages: Sequence[str]) -> tuple[LanguageSpan, ...]:
        """Where the documents of some languages are."""
        return tuple(
            LanguageSpan(reader, code, *reader.segment.languages[code])
            for code in languages
            for reader in self.readers
            if reader.live_counts.get(code)
        )

    def gather_nearest(
        self, space: str, queries: FloatArray, k: int, selection: DocumentSet
    ) -> DocumentSet:
        """Those of the selected documents that are at hand, at least the ``k`` nearest.

        A folder has all of its documents at hand.
        """
        del space, queries, k
        return selection

    def gather_matches(
        self,
        space: str,
        query: QueryCounts,
        k: int,
        selection: DocumentSet,
        score_all: Callable[[], FloatArray],
    ) -> DocumentSet:
        """Those of the selected documents that are at hand, at least the ``k`` best by counts.

        ``score_all`` is the score of each document at hand by its number.
        """
        del space, query, k, score_all
        return selection

    def gather_all(self, chosen: Filter) -> DocumentSet:
        """All documents that pass a filter, at hand."""
        return self.select(chosen)

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

    def mean_lengths(self, space: str) -> Mapping[str, float]:
        """The mean length of the documents of each language, of those that have any word."""
        return self.cached(("mean lengths", space), lambda: self._mean_lengths(space))

    def _mean_lengths(self, space: str) -> dict[str, float]:
        totals: dict[str, int] = {}
        counts: dict[str, int] = {}
        for reader in self.readers:
            live = reader.segment.postings(space).lengths
            if len(reader.deleted):
                live = np.where(reader.deleted, 0, live)
            for code, (first, last) in reader.segment.languages.items():
                mine = live[first:last]
                totals[code] = totals.get(code, 0) + int(mine.sum())
                counts[code] = counts.get(code, 0) + int(np.count_nonzero(mine))
        return {code: totals[code] / counts[code] for code in totals if counts[code]}

    def frequencies(
        self, space: str, dimensions: IntArray, ranges: Sequence[tuple[IntArray, IntArray]]
    ) -> NDArray[np.int64]:
        """How many live documents have each dimension.

        ``ranges`` are by segment where the postings of the dimensions begin and end.
        """
        sums = np.zeros(len(dimensions), np.int64)
        for reader, (firsts, lasts) in zip(self.readers, ranges, strict=True):
            sums += reader.segment.postings(space).frequencies(firsts, lasts, reader.deleted)
        return sums

    def same_names(self, space: str, word: str, language: str) -> list[Neighbour]:
        """The words of all segments that may be the same name, most alike first."""
        similarity: dict[str, float] = {}
        for reader in self.readers:
            similarity.update(reader.segment.words(space).same_names(word, language))
        return sorted(similarity.items(), key=lambda neighbour: (-neighbour[1], neighbour[0]))

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


class IndexStore(Protocol):
    """What an index needs of the place where its documents are."""

    @property
    def is_current(self) -> bool:
        """Whether the place still holds the store that was opened."""
        ...

    @property
    def is_writable(self) -> bool:
        """Whether a service can add and delete documents."""
        ...

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """The current state, unchanged while the block reads it."""
        ...

    def add(self, records: Sequence[Record], facts: Mapping[str, str], memtable: int = ...) -> None:
        """Add documents, or replace those with the same ids; on return they are safe."""
        ...

    def delete(self, doc_ids: Collection[str]) -> int:
        """Delete documents; returns how many of them existed."""
        ...

    def merge(self, *, everything: bool = False) -> bool:
        """Merge what is due, or all; returns whether there was anything."""
        ...

    def close(self) -> None:
        """Give back what is open."""
        ...


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
