"""A collection -> what a training needs of it: words of queries and documents, judged pairs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import InputError
from dragoman.protocols import Advance, no_progress
from dragoman.systems.smooth.vocabulary import LanguageWords, SmoothTokenizer
from dragoman.text.collection import Collection
from dragoman.types import IntArray

TRAIN, VALIDATION, TEST = "train", "validation", "test"
SPLITS = (TRAIN, VALIDATION, TEST)


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """Judged pairs: rows of queries and documents and their grades; a query's stand together."""

    queries: NDArray[np.int64]
    documents: NDArray[np.int64]
    grades: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.grades)

    def at(self, rows: IntArray) -> "JudgedPairs":
        """The pairs of some rows."""
        return JudgedPairs(self.queries[rows], self.documents[rows], self.grades[rows])

    def where(self, kept: NDArray[np.bool_]) -> "JudgedPairs":
        """The pairs that are kept."""
        return self.at(np.flatnonzero(kept))

    def fewer(self, most: int) -> "JudgedPairs":
        """The pairs of at most so many queries, evenly from the first to the last; 0 keeps all."""
        queries = np.unique(self.queries)
        if not most or len(queries) <= most:
            return self
        return self.where(np.isin(self.queries, queries[np.arange(most) * len(queries) // most]))


@dataclass(frozen=True, slots=True)
class SmoothTrainingData:
    """A collection in memory, as words; documents are those that somebody judged."""

    name: str
    query_ids: Sequence[str]
    queries: Sequence[LanguageWords]
    doc_ids: Sequence[str]
    documents: Sequence[LanguageWords]
    pairs: Mapping[str, JudgedPairs]  # by split

    @property
    def classes(self) -> int:
        """How many grades there are."""
        return 1 + max(int(pairs.grades.max(initial=0)) for pairs in self.pairs.values())

    def fewer(self, most: Mapping[str, int]) -> "SmoothTrainingData":
        """At most so many queries of a split, evenly from the first to the last; 0 keeps all."""
        return replace(
            self,
            pairs={split: found.fewer(most.get(split, 0)) for split, found in self.pairs.items()},
        )


def read_training_data(
    collection: Collection,
    reader: SmoothTokenizer,
    languages: tuple[str, str] | None = None,
    advance: Advance = no_progress,
) -> SmoothTrainingData:
    """Queries and judged documents, of one pair of languages (asked, searched) where given."""
    asked, searched = languages or ("", "")
    queries = {
        split: [q for q in collection.queries(split) if not asked or q.language == asked]
        for split in SPLITS
    }
    rows = {q.query_id: row for row, q in enumerate(q for s in SPLITS for q in queries[s])}
    judgments = collection.judgments()
    judged = {doc_id for query_id in rows for doc_id in judgments.get(query_id, ())}
    doc_ids: list[str] = []
    documents: list[LanguageWords] = []
    for document in collection.documents():
        if document.doc_id in judged and searched in ("", document.language):
            doc_ids.append(document.doc_id)
            documents.append((document.language, reader.words(document.content)))
            advance()
    places = {doc_id: row for row, doc_id in enumerate(doc_ids)}
    pairs = {
        split: _pairs((query.query_id for query in queries[split]), rows, places, judgments)
        for split in SPLITS
    }
    for split, found in pairs.items():
        if not len(found):
            raise InputError(
                collection.name,
                None,
                found=f"no judged pair of the split {split!r} in {asked or 'any language'}"
                f" and {searched or 'any language'}",
                expected="queries with judgments in the splits train, validation and test",
            )
    words = [(q.language, reader.words(q.content)) for split in SPLITS for q in queries[split]]
    return SmoothTrainingData(collection.name, tuple(rows), words, doc_ids, documents, pairs)


def _pairs(
    query_ids: Iterable[str],
    rows: Mapping[str, int],
    places: Mapping[str, int],
    judgments: Mapping[str, Mapping[str, int]],
) -> JudgedPairs:
    """The judged pairs of some queries; a query without a relevant document teaches nothing."""
    found = [
        (rows[query_id], places[doc_id], max(grade, 0))
        for query_id in query_ids
        if any(g > 0 and doc_id in places for doc_id, g in judgments.get(query_id, {}).items())
        for doc_id, grade in judgments[query_id].items()
        if doc_id in places
    ]
    columns = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return JudgedPairs(*(np.ascontiguousarray(column) for column in columns))
