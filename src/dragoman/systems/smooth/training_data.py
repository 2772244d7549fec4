"""A collection -> its training data: words of queries and documents, judged pairs."""

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
    """Rows of queries and documents and their grades; pairs of a query are consecutive."""

    queries: NDArray[np.int64]
    documents: NDArray[np.int64]
    grades: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.grades)

    def select(self, rows: IntArray) -> "JudgedPairs":
        """The pairs of some rows."""
        return JudgedPairs(self.queries[rows], self.documents[rows], self.grades[rows])

    def filter(self, mask: NDArray[np.bool_]) -> "JudgedPairs":
        """The pairs where ``mask`` is True."""
        return self.select(np.flatnonzero(mask))

    def limit_queries(self, most: int) -> "JudgedPairs":
        """The pairs of at most ``most`` queries, evenly spaced; all of them for 0."""
        queries = np.unique(self.queries)
        if not most or len(queries) <= most:
            return self
        chosen = queries[np.arange(most) * len(queries) // most]
        return self.filter(np.isin(self.queries, chosen))


@dataclass(frozen=True, slots=True)
class SmoothTrainingData:
    """A collection in memory, as words, with the judged documents only."""

    name: str
    query_ids: Sequence[str]
    queries: Sequence[LanguageWords]
    doc_ids: Sequence[str]
    documents: Sequence[LanguageWords]
    pairs: Mapping[str, JudgedPairs]  # by split

    @property
    def classes(self) -> int:
        """The number of grades."""
        return 1 + max(int(pairs.grades.max(initial=0)) for pairs in self.pairs.values())

    def limit_queries(self, most: Mapping[str, int]) -> "SmoothTrainingData":
        """At most so many queries of each split, evenly spaced; all of them for 0."""
        return replace(
            self,
            pairs={
                split: pairs.limit_queries(most.get(split, 0))
                for split, pairs in self.pairs.items()
            },
        )


def read_training_data(
    collection: Collection,
    tokenizer: SmoothTokenizer,
    languages: tuple[str, str] | None = None,
    advance: Advance = no_progress,
) -> SmoothTrainingData:
    """Queries and judged documents, of one pair of languages (queries, documents) if given."""
    query_language, document_language = languages or ("", "")
    queries = {
        split: [q for q in collection.queries(split) if query_language in ("", q.language)]
        for split in SPLITS
    }
    rows = {q.query_id: row for row, q in enumerate(q for s in SPLITS for q in queries[s])}
    judgments = collection.judgments()
    judged = {doc_id for query_id in rows for doc_id in judgments.get(query_id, ())}
    doc_ids: list[str] = []
    documents: list[LanguageWords] = []
    for document in collection.documents():
        if document.doc_id in judged and document_language in ("", document.language):
            doc_ids.append(document.doc_id)
            documents.append((document.language, tokenizer.words(document.content)))
            advance()
    document_rows = {doc_id: row for row, doc_id in enumerate(doc_ids)}
    pairs = {
        split: _pairs((query.query_id for query in queries[split]), rows, document_rows, judgments)
        for split in SPLITS
    }
    for split, split_pairs in pairs.items():
        if not len(split_pairs):
            raise InputError(
                collection.name,
                None,
                found=f"no judged pair of the split {split!r} in {query_language or 'any language'}"
                f" and {document_language or 'any language'}",
                expected="queries with judgments in the splits train, validation and test",
            )
    words = [(q.language, tokenizer.words(q.content)) for split in SPLITS for q in queries[split]]
    return SmoothTrainingData(collection.name, tuple(rows), words, doc_ids, documents, pairs)


def _pairs(
    query_ids: Iterable[str],
    query_rows: Mapping[str, int],
    document_rows: Mapping[str, int],
    judgments: Mapping[str, Mapping[str, int]],
) -> JudgedPairs:
    """The judged pairs of the queries that have a relevant document."""
    triples = [
        (query_rows[query_id], document_rows[doc_id], max(grade, 0))
        for query_id in query_ids
        if any(
            g > 0 and doc_id in document_rows for doc_id, g in judgments.get(query_id, {}).items()
        )
        for doc_id, grade in judgments[query_id].items()
        if doc_id in document_rows
    ]
    columns = np.array(triples, dtype=np.int64).reshape(-1, 3).T
    return JudgedPairs(*(np.ascontiguousarray(column) for column in columns))
