"""A store's vectors as arrays, true after every change: what is asked often needs no engine.

The arrays were made at some moment (``arrays``). A document that has changed since is struck out
there, and stands among the recent ones if it is still in the store. A mirror never changes; a
change makes another one, so that a search that has begun sees one state, in which a document is a
number: its row in the arrays, or, after these, its row among the recent ones.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import loops
from dragoman.indexes.arrays import ABSENT, Arrays, Passages, Postings
from dragoman.indexes.filters import Filter
from dragoman.indexes.gathering import arrays_of
from dragoman.indexes.loops import Span
from dragoman.indexes.spaces import Record, Sparse, Vector
from dragoman.types import Document, FloatArray, Hit, IntArray

# Recent documents: so many, or this share of all, whichever is more; above it the engine is asked.
MOST_RECENT, RECENT_SHARE = 1024, 0.1


class Listed(NamedTuple):
    """Documents as numbers with their scores, best first, equal scores by id."""

    numbers: IntArray
    scores: FloatArray


Place = tuple[FloatArray, Collection[str]]  # a vector, and the languages in which it is looked for

NOBODY = Listed(np.zeros(0, np.int64), np.zeros(0))
NONE_GONE = np.zeros(0, np.bool_)


@dataclass(frozen=True)
class Mirror:
    """Arrays of some moment, and what has changed since."""

    base: Arrays
    gone: NDArray[np.bool_]
    recent: Mapping[str, Record] = field(default_factory=dict)

    @classmethod
    def of(cls, base: Arrays) -> Self:
        """Nothing has changed yet."""
        return cls(base, np.zeros(len(base), np.bool_))

    @cached_property
    def is_changed(self) -> bool:
        """Whether anything is not as in the arrays."""
        return bool(self.recent) or bool(self.gone.any())

    @cached_property
    def _gone_rows(self) -> NDArray[np.bool_]:
        """Which rows of the arrays are struck out; empty where none is."""
        return self.gone if self.is_changed else NONE_GONE

    @cached_property
    def tail(self) -> Arrays:
        """The recent documents as arrays."""
        return arrays_of(self.recent.values(), self.base.spaces)

    @cached_property
    def _parts(self) -> tuple[tuple[int, Arrays], ...]:
        """The arrays, each with the number of its first document."""
        old = (0, self.base)
        return (old, (len(self.base), self.tail)) if self.recent else (old,)

    def __len__(self) -> int:
        return len(self.base) - int(self.gone.sum()) + len(self.recent)

    def changed(self, records: Iterable[Record], removed: Collection[str] = ()) -> "Mirror | None":
        """The state after these documents have come or gone; None when too much has changed."""
        new = {record.document.doc_id: self._kept(record) for record in records}
        recent = {doc_id: mine for doc_id, mine in self.recent.items() if doc_id not in removed}
        recent.update(new)
        if len(recent) > max(MOST_RECENT, int(RECENT_SHARE * len(self.base))):
            return None
        rows = self.base.rows([*new, *removed])
        gone = self.gone.copy()
        gone[rows[rows != ABSENT]] = True
        return Mirror(self.base, gone, recent)

    def _kept(self, record: Record) -> Record:
        document = Document(record.document.doc_id, "", language=record.document.language)
        vectors = {
            name: record.vectors[name] for name in self.base.spaces if name in record.vectors
        }
        return Record(document, vectors)

    def answers(self, spaces: Collection[str], allowed: Filter | None = None) -> bool:
        """Whether the spaces and all that the filter asks about are here."""
        here = self.base.spaces.keys()
        return here >= {*spaces} and not (allowed and allowed.conditions)

    def name(self, number: int) -> str:
        """The id of a document."""
        if number < self._first_recent:
            return self.base.ids[number]
        return self.tail.ids[number - self._first_recent]

    @cached_property
    def _first_recent(self) -> int:
        return len(self.base)

    def spans(self, languages: Collection[str]) -> list[Span]:
        """The numbers of the documents in these languages, in all where none is named."""
        return [
            (first + start, first + end)
            for first, arrays in self._parts
            for start, end in arrays.spans(languages)
        ]

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of the documents."""
        return tuple(dict.fromkeys(code for _, arrays in self._parts for code in arrays.languages))

    def languages_of(self, numbers: IntArray) -> list[str]:
        """The language of each document."""
        listed = [
            (first + start, code)
            for first, arrays in self._parts
            for code, (start, _) in arrays.languages.items()
        ]
        listed.sort()
        starts = np.array([start for start, _ in listed])
        places = starts.searchsorted(numbers, "right") - 1
        return [listed[place][1] for place in places.tolist()]

    def numbers_of(self, doc_ids: Collection[str]) -> IntArray:
        """The number of each document; ``ABSENT`` where it is not here."""
        return self._numbers([arrays.rows(doc_ids) for _, arrays in self._parts])

    def numbers_of_points(self, points: Sequence[int]) -> IntArray:
        """The number of each point's document; ``ABSENT`` where it is not here."""
        return self._numbers([arrays.rows_of_points(points) for _, arrays in self._parts])

    def _numbers(self, rows: Sequence[IntArray]) -> IntArray:
        """Rows in each of the arrays as numbers; what is struck out or shortened is absent."""
        numbers: IntArray = rows[0].astype(np.int64)
        if self.is_changed:
            numbers[self.gone[numbers] & (numbers != ABSENT)] = ABSENT
        for recent in rows[1:]:
            numbers = np.where(recent == ABSENT, numbers, recent + len(self.base))
        return numbers

    def products(self, space: str, query: Sparse) -> FloatArray:
        """What every document shares with the query; 0 where nothing or where it is gone."""
        found = [_products(arrays, space, query) for _, arrays in self._parts]
        if self.is_changed:
            found[0][self.gone] = 0.0
        return found[0] if len(found) == 1 else np.concatenate(found)

    def best(self, scores: FloatArray, k: int, languages: Collection[str]) -> Listed:
        """The ``k`` documents with the highest of all documents' scores, those above 0 alone."""
        spans = self.spans(languages) if languages else [(0, len(scores))]
        parts = [loops.highest(scores[first:last], k) + first for first, last in spans]
        numbers = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        listed = Listed(numbers, scores[numbers])
        return self.ordered(listed, k, by_number=len(languages) == len(spans) == 1)

    def ordered(self, listed: Listed, k: int, *, by_number: bool = False) -> Listed:
        """The ``k`` best, best first, equal scores by id.

        In a span of one language ids rise with numbers: if these rise, they tell the order.
        """
        order = np.argsort(-listed.scores, kind="stable")
        numbers, scores = listed.numbers[order], listed.scores[order]
        if by_number:
            return Listed(numbers[:k], scores[:k])
        tied = np.flatnonzero(scores[1:] == scores[:-1])
        if len(tied):
            for start, end in _runs(tied.tolist(), k):
                numbers[start:end] = sorted(numbers[start:end].tolist(), key=self.name)
        return Listed(numbers[:k], scores[:k])

    def shape(self, space: str) -> tuple[int, int]:
        """How many vectors a dense space has, those that are gone among them, and their size."""
        spaces = [arrays.spaces.get(space) for _, arrays in self._parts]
        shapes = [found.vectors.shape for found in spaces if isinstance(found, Passages)]
        return sum(count for count, _ in shapes), max((size for _, size in shapes), default=0)

    def nearest(
        self, space: str, places: Sequence[Place], counts: tuple[int, int], k: int
    ) -> list[Listed]:
        """For each place the ``k`` nearest of those with passages that look nearest.

        There are ``counts`` of these in each language, by outlines and by sketches, and ``k`` are
        of each; where a place has several languages, the list is longer.
        """
        lists: list[list[Listed]] = [[] for _ in places]
        for first, arrays in self._parts:
            passages = arrays.spaces.get(space)
            asked = [
                (place, vector, span)
                for place, (vector, languages) in enumerate(places)
                for span in arrays.spans(languages)
            ]
            if not asked or not isinstance(passages, Passages):
                continue
            owners, vectors, spans = zip(*asked, strict=True)
            gone = self._gone_rows if arrays is self.base else NONE_GONE
            queries = np.array(vectors, dtype=np.float32)
            found = loops.nearest(passages.sketched, gone, queries, np.array(spans), counts, k)
            for place, (rows, scores) in zip(owners, found, strict=True):
                lists[place].append(Listed(rows + first, scores))
        return [mine[0] if len(mine) == 1 else self._joined(mine) for mine in lists]

    def _joined(self, lists: Sequence[Listed]) -> Listed:
        """Several lists as one."""
        if not lists:
            return NOBODY
        numbers, scores = map(np.concatenate, zip(*lists, strict=True))
        return self.ordered(Listed(numbers, scores), len(numbers))

    def passage_scores(self, space: str, query: FloatArray, numbers: IntArray) -> FloatArray:
        """The scores of these documents in a dense space; NaN where one has no vector there."""
        found = np.full(len(numbers), np.nan, np.float32)
        for first, arrays in self._parts:
            passages = arrays.spaces.get(space)
            mine = (numbers >= first) & (numbers < first + len(arrays))
            if isinstance(passages, Passages) and mine.any():
                found[mine] = passages.scores(query, numbers[mine] - first)
        return found

    def lengths(self, space: str, numbers: IntArray) -> IntArray:
        """How many vectors each document has in a dense space."""
        found = np.zeros(len(numbers), np.int64)
        for first, arrays in self._parts:
            passages = arrays.spaces.get(space)
            mine = (numbers >= first) & (numbers < first + len(arrays))
            if isinstance(passages, Passages):
                found[mine] = passages.lengths(numbers[mine] - first)
        return found

    def passages(self, space: str, number: int) -> FloatArray | None:
        """A document's vectors in a dense space; None where it has none."""
        first, arrays = self._parts[-1] if number >= len(self.base) else self._parts[0]
        passages = arrays.spaces.get(space)
        if not isinstance(passages, Passages):
            return None
        rows = passages.of(number - first)
        return rows if len(rows) else None

    def hits(self, listed: Listed) -> list[Hit]:
        """The documents by their ids."""
        return list(map(Hit, map(self.name, listed.numbers.tolist()), listed.scores.tolist()))

    def scores(self, space: str, query: Vector, doc_ids: Collection[str]) -> dict[str, float]:
        """The scores of these documents; one that is missing or shares nothing has none."""
        names, numbers = list(doc_ids), self.numbers_of(doc_ids)
        here = np.flatnonzero(numbers != ABSENT)
        if isinstance(query, Sparse):
            scores = self.products(space, query)[numbers[here]]
        else:
            scores = self.passage_scores(space, query, numbers[here])
        pairs = zip(here.tolist(), scores.tolist(), strict=True)
        return {
            names[place]: score
            for place, score in pairs
            if not isnan(score) and (score or not isinstance(query, Sparse))
        }


def _runs(tied: Sequence[int], k: int) -> Iterator[tuple[int, int]]:
    """Where equal scores begin and end, before ``k``; ``tied`` are the places of all but a last."""
    start = end = tied[0]
    for place in tied:
        if place > end:
            yield start, end + 1
            start = place
        if start >= k:
            return
        end = place + 1
    yield start, end + 1


def _products(arrays: Arrays, space: str, query: Sparse) -> FloatArray:
    postings = arrays.spaces.get(space)
    if not isinstance(postings, Postings):
        return np.zeros(len(arrays), np.float32)
    return postings.products(query, len(arrays))
