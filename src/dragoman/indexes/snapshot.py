"""One committed state of an index: its live segments, without what is deleted.

Documents are numbered from 0 within a snapshot, segment after segment; a number means nothing in
another snapshot. What is summed over segments leaves deleted documents out, so that it does not
depend on how documents are spread over segments or on what was deleted before.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import documents, kernels
from dragoman.indexes.filters import Comparison, Filter
from dragoman.indexes.segment import ABSENT, Segment
from dragoman.storage.database import DamagedRows
from dragoman.types import Document, FloatArray, Hit, IntArray

T = TypeVar("T")
NONE_DELETED = np.zeros(0, np.bool_)


class Scored(NamedTuple):
    """Documents by their numbers with their scores, best first, equal scores by id."""

    numbers: NDArray[np.int64]
    scores: FloatArray


NOTHING = Scored(np.zeros(0, np.int64), np.zeros(0, np.float32))


@dataclass(frozen=True)
class Part:
    """A segment in a snapshot."""

    segment: Segment
    first: int  # the number of its first document
    deleted: NDArray[np.bool_]  # by document; empty where none is

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many live documents there are in each language."""
        found = {}
        for code, (first, last) in self.segment.languages.items():
            found[code] = last - first - int(self.deleted[first:last].sum())
        return found


class Span(NamedTuple):
    """Some neighbouring documents of a part, all of one language."""

    part: Part
    language: str
    first: int  # within the part
    last: int


@dataclass(frozen=True)
class Selection:
    """Documents that may be found: spans of languages, of which ``allowed`` ones count."""

    spans: tuple[Span, ...]
    allowed: NDArray[np.bool_] | None  # by number, deleted ones aside; None where all are
    languages: tuple[str, ...]

    @cached_property
    def size(self) -> int:
        """How many live documents are selected."""
        if self.allowed is None:
            return sum(span.part.counts[span.language] for span in self.spans)
        return sum(int(self.mask(span).sum()) for span in self.spans)

    def mask(self, span: Span) -> NDArray[np.bool_]:
        """Which documents of a span may be found; empty where all may."""
        deleted = span.part.deleted[span.first : span.last]
        if self.allowed is None:
            return ~deleted
        first = span.part.first
        allowed = self.allowed[first + span.first : first + span.last]
        return allowed & ~deleted if len(deleted) else allowed


@dataclass(frozen=True)
class Snapshot:
    """The parts of one state, and a transaction of the database that sees the same state."""

    generation: int
    parts: tuple[Part, ...]
    connection: sqlite3.Connection
    _cache: dict[Hashable, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(self.languages.values())

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, kept as long as this state is searched."""
        found = self._cache.get(key)
        if found is None:
            found = self._cache.setdefault(key, make())
        return found  # type: ignore[no-any-return]

    @property
    def languages(self) -> Mapping[str, int]:
        """How many documents there are in each language, by code."""
        return self.cached("languages", self._count_languages)

    def _count_languages(self) -> dict[str, int]:
        sums: dict[str, int] = {}
        for part in self.parts:
            for code, count in part.counts.items():
                sums[code] = sums.get(code, 0) + count
        return {code: sums[code] for code in sorted(sums) if sums[code]}

    @property
    def size(self) -> int:
        """One more than the highest number."""
        return self.parts[-1].first + len(self.parts[-1].segment) if self.parts else 0

    def select(self, chosen: Filter) -> Selection:
        """The documents that pass a filter."""
        every = self.in_languages(chosen.languages or tuple(self.languages))
        return replace(every, allowed=self._allowed(chosen)) if chosen.conditions else every

    def by_language(self, chosen: Filter) -> dict[str, Selection]:
        """The documents of each language that pass a filter."""
        allowed = self._allowed(chosen) if chosen.conditions else None
        found = {code: self.in_languages((code,)) for code in chosen.languages or self.languages}
        if allowed is None:
            return found
        return {code: replace(mine, allowed=allowed) for code, mine in found.items()}

    def in_languages(self, languages: tuple[str, ...]) -> Selection:
        """All documents in some languages."""
        return self.cached(("select", languages), lambda: self._in_languages(languages))

    def _in_languages(self, languages: tuple[str, ...]) -> Selection:
        spans = tuple(
            Span(part, code, *part.segment.languages[code])
            for code in languages
            for part in self.parts
            if part.counts.get(code)
        )
        return Selection(spans, None, languages)

    def _allowed(self, chosen: Filter) -> NDArray[np.bool_]:
        """By number, whether a document's metadata fit."""
        allowed = np.ones(self.size, np.bool_)
        for condition in chosen.conditions:
            numbers = self.numbers_of_keys(documents.matching(self.connection, condition))
            fits = np.zeros(self.size, np.bool_)
            fits[numbers[numbers != ABSENT]] = True
            allowed &= ~fits if condition.comparison is Comparison.NOT_EQUAL else fits
        return allowed

    def part_of(self, number: int) -> Part:
        """The part that a document is in."""
        firsts = self.cached("firsts", lambda: np.array([part.first for part in self.parts]))
        return self.parts[int(np.searchsorted(firsts, number, "right")) - 1]

    def by_part(self, numbers: IntArray) -> list[tuple[Part, NDArray[np.int64]]]:
        """The parts that documents are in, each with the places of its own among ``numbers``."""
        if len(self.parts) == 1:
            return [(self.parts[0], np.arange(len(numbers)))]
        firsts = self.cached("firsts", lambda: np.array([part.first for part in self.parts]))
        owners = np.searchsorted(firsts, numbers, "right") - 1
        return [
            (self.parts[owner], np.flatnonzero(owners == owner))
            for owner in np.unique(owners).tolist()
        ]

    def doc_id(self, number: int) -> str:
        """The id of a document."""
        part = self.part_of(number)
        return part.segment.ids[number - part.first]

    def doc_ids(self, numbers: IntArray) -> list[str]:
        """The ids of documents."""
        if len(self.parts) == 1:
            return [*map(self.parts[0].segment.ids.__getitem__, numbers.tolist())]
        return [*map(self.doc_id, numbers.tolist())]

    def languages_of(self, numbers: IntArray) -> list[str]:
        """The language of each document."""
        found = [""] * len(numbers)
        for part, places in self.by_part(numbers):
            spans = sorted((first, code) for code, (first, _) in part.segment.languages.items())
            starts = np.array([first for first, _ in spans])
            mine = np.searchsorted(starts, numbers[places] - part.first, "right") - 1
            for place, span in zip(places.tolist(), mine.tolist(), strict=True):
                found[place] = spans[span][1]
        return found

    @property
    def live(self) -> NDArray[np.int64]:
        """The numbers of all documents that are not deleted."""
        found = [NOTHING.numbers]
        for part in self.parts:
            gone = part.deleted if len(part.deleted) else np.zeros(len(part.segment), np.bool_)
            found.append(np.flatnonzero(~gone) + part.first)
        return np.concatenate(found)

    def documents(self, numbers: IntArray) -> list[Document]:
        """The documents of numbers; one that the database lacks is damage."""
        keys = np.zeros(len(numbers), np.int64)
        for part, places in self.by_part(numbers):
            keys[places] = part.segment.keys[numbers[places] - part.first]
        return documents.documents_named(self.connection, keys, self.doc_ids(numbers))

    def numbers_of(self, doc_ids: Collection[str]) -> NDArray[np.int64]:
        """The number of each document; ``ABSENT`` where it is not here."""
        numbers = self.numbers_of_keys(documents.keys_of(self.connection, [*doc_ids]))
        for doc_id, number in zip(doc_ids, numbers.tolist(), strict=True):
            if number == ABSENT and self._has(doc_id):
                raise DamagedRows(
                    f"found no row of the document {doc_id!r}, which a segment has. `dragoman"
                    " verify INDEX` lists all that is damaged."
                )
        return numbers

    def _has(self, doc_id: str) -> bool:
        """Whether a segment has a document that is not deleted, whatever the database says."""
        for part in self.parts:
            ids = part.segment.ids
            for first, last in part.segment.languages.values():
                place = bisect_left(ids, doc_id, first, last)
                here = place < last and ids[place] == doc_id
                if here and not (len(part.deleted) and part.deleted[place]):
                    return True
        return False

    def numbers_of_keys(self, keys: IntArray) -> NDArray[np.int64]:
        """The number of each document by its key; ``ABSENT`` where it is not here."""
        numbers = np.full(len(keys), ABSENT, np.int64)
        for part in self.parts:
            places = part.segment.places_of(keys)
            here = places != ABSENT
            numbers[here] = places[here] + part.first
        return numbers

    def top(self, scores: FloatArray, k: int, selection: Selection) -> Scored:
        """The ``k`` best of the selected documents by scores of all, those above 0 alone."""
        highest = kernels.active().highest
        found = [NOTHING.numbers]
        for span in selection.spans:
            first = span.part.first + span.first
            mine = scores[first : span.part.first + span.last]
            if selection.allowed is not None:
                mine = np.where(selection.mask(span), mine, np.float32(0))
            found.append(highest(mine, k) + first)
        numbers = np.concatenate(found)
        in_order = len(selection.spans) == 1
        return self.ordered(Scored(numbers, scores[numbers]), k, by_number=in_order)

    def ordered(self, scored: Scored, k: int, *, by_number: bool = False) -> Scored:
        """The ``k`` best, best first, equal scores by id.

        Within a span ids rise with numbers; ``by_number`` says that these rise and tell the order.
        """
        order = np.argsort(-scored.scores, kind="stable")
        numbers, scores = scored.numbers[order], scored.scores[order]
        if not by_number:
            tied = np.flatnonzero(scores[1:] == scores[:-1])
            for start, end in _runs(tied.tolist(), k):
                numbers[start:end] = sorted(numbers[start:end].tolist(), key=self.doc_id)
        return Scored(numbers[:k], scores[:k])

    def joined(self, lists: Sequence[Scored], k: int) -> Scored:
        """The ``k`` best of several lists, one for each span, in which numbers rise."""
        if len(lists) == 1:
            return self.ordered(lists[0], k, by_number=True)
        numbers, scores = map(np.concatenate, zip(NOTHING, *lists, strict=True))
        return self.ordered(Scored(numbers, scores), k)

    def hits(self, scored: Scored) -> list[Hit]:
        """The documents by their ids."""
        return list(map(Hit, self.doc_ids(scored.numbers), scored.scores.tolist()))


def _runs(tied: Sequence[int], k: int) -> list[tuple[int, int]]:
    """Where equal scores begin and end that begin before ``k``; ``tied`` are all but the last."""
    found: list[tuple[int, int]] = []
    for place in tied:
        if found and found[-1][1] == place + 1:
            found[-1] = (found[-1][0], place + 2)
        elif place < k:
            found.append((place, place + 2))
        else:
            break
    return found
