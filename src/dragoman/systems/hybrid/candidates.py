"""Step 1: each part's best documents per language; step 2: all of them scored by both parts.

The candidates of all groups are in one array, so that one more language costs next to
nothing. A group is a language where languages are balanced, else all documents.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dragoman.indexes.search.nearest import nearest, row_counts, row_scores
from dragoman.indexes.snapshot import NO_DOCUMENTS, DocumentSet, ScoredDocuments, Snapshot
from dragoman.types import FloatArray, IntArray

Groups = Mapping[str, DocumentSet]


class Candidates(NamedTuple):
    """Documents, the group of each, and both parts' scores."""

    numbers: IntArray
    groups: IntArray  # the index of each document's group
    lexical: FloatArray  # 0 where no word is met
    dense: FloatArray  # NaN where there is no vector
    rows: IntArray  # how many vectors each document has


def lexical_candidates(
    snapshot: Snapshot, scores: FloatArray | None, groups: Groups, k: int
) -> dict[str, ScoredDocuments]:
    """The ``k`` best of each group by words."""
    if scores is None:
        return dict.fromkeys(groups, NO_DOCUMENTS)
    return {code: snapshot.top_k(scores, k, mine) for code, mine in groups.items()}


def dense_candidates(
    snapshot: Snapshot, space: str, vector: FloatArray, groups: Groups, k: int
) -> dict[str, ScoredDocuments]:
    """The ``k`` best of each group by vectors."""
    if not vector.any():
        return dict.fromkeys(groups, NO_DOCUMENTS)
    return {code: nearest(snapshot, space, vector, k, mine) for code, mine in groups.items()}


def scored_by_both(
    snapshot: Snapshot,
    lists: Sequence[tuple[int, IntArray]],
    lexical: FloatArray | None,
    space: str,
    vector: FloatArray,
) -> Candidates:
    """The documents of several lists, each once, with the index of its group."""
    groups = np.repeat([group for group, _ in lists], [len(mine) for _, mine in lists])
    numbers = np.concatenate([NO_DOCUMENTS.numbers, *(mine for _, mine in lists)])
    numbers, firsts = np.unique(numbers, return_index=True)
    dense = np.full(len(numbers), np.nan, np.float32)
    if vector.any():
        dense = row_scores(snapshot, space, vector, numbers)
    return Candidates(
        numbers,
        groups[firsts].astype(np.int64),
        np.zeros(len(numbers), np.float32) if lexical is None else lexical[numbers],
        dense,
        row_counts(snapshot, space, numbers),
    )
