"""Step 1: each part's best documents per language; step 2: all of them scored by all parts.

The candidates of all groups are in one array, so that one more language costs next to
nothing. A group is a language where languages are balanced, else all documents.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dragoman.indexes.search.nearest import RowScores, nearest, row_scores
from dragoman.indexes.search.postings import DocumentScores
from dragoman.indexes.snapshot import NO_DOCUMENTS, DocumentSet, ScoredDocuments, Snapshot
from dragoman.types import FloatArray, IntArray

Groups = Mapping[str, DocumentSet]


class Candidates(NamedTuple):
    """Documents, the group of each, and the scores of all parts."""

    numbers: IntArray
    groups: IntArray  # the index of each document's group
    lexical: FloatArray  # 0 where no word is met
    vectors: RowScores  # NaN where a document, or the query, has no vector
    maxsim: FloatArray | None = None  # None where words are not compared

    @property
    def dense(self) -> FloatArray:
        """The cosine of each document's best passage."""
        return self.vectors.best


def lexical_candidates(
    scores: DocumentScores | None, groups: Groups, k: int
) -> dict[str, ScoredDocuments]:
    """The ``k`` best of each group by words."""
    if scores is None:
        return dict.fromkeys(groups, NO_DOCUMENTS)
    return {code: scores.best(k, mine) for code, mine in groups.items()}


def dense_candidates(
    snapshot: Snapshot, space: str, vector: FloatArray, groups: Groups, k: int
) -> dict[str, ScoredDocuments]:
    """The ``k`` best of each group by vectors."""
    if not vector.any():
        return dict.fromkeys(groups, NO_DOCUMENTS)
    return {code: nearest(snapshot, space, vector, k, mine) for code, mine in groups.items()}


def scored_by_all(
    snapshot: Snapshot,
    lists: Sequence[tuple[int, IntArray]],
    lexical: DocumentScores | None,
    space: str,
    vector: FloatArray,
    maxsim: Callable[[IntArray], FloatArray] | None = None,
) -> Candidates:
    """The documents of several lists, each once, with the index of its group."""
    groups = np.repeat([group for group, _ in lists], [len(mine) for _, mine in lists])
    numbers = np.concatenate([NO_DOCUMENTS.numbers, *(mine for _, mine in lists)])
    numbers, firsts = np.unique(numbers, return_index=True)
    vectors = row_scores(snapshot, space, vector, numbers)
    if not vector.any():
        nothing = np.full(len(numbers), np.nan, np.float32)
        vectors = vectors._replace(best=nothing, mean=nothing)
    return Candidates(
        numbers,
        groups[firsts].astype(np.int64),
        np.zeros(len(numbers), np.float32) if lexical is None else lexical.of(numbers),
        vectors,
        maxsim(numbers) if maxsim else None,
    )
