"""A query and its hits -> what speaks for each hit, on scales that are the same for all queries.

Scores of a ranking are made comparable within one query; how good its best hit is they do not say.
Evidence compares a hit with what the query asks for and with the next documents of its language.
"""

from collections.abc import Callable

import numpy as np

from dragoman.indexes.search.nearest import nearest, row_scores
from dragoman.indexes.snapshot import DocumentSet, ScoredDocuments, Snapshot
from dragoman.types import FloatArray, IntArray

NEXT = 10  # documents that a hit is compared with
PASSAGE_DISCOUNT = 0.04  # of a cosine, for each e-fold more passages: the best of many is nearer


def margins(
    snapshot: Snapshot,
    numbers: IntArray,
    scores: FloatArray,
    best: Callable[[int, DocumentSet], ScoredDocuments],
) -> FloatArray:
    """How far each document stands above the mean of the ``NEXT`` best others of its language.

    ``best(how many, among)`` are the best documents; where there are fewer, the others have 0.
    """
    languages = snapshot.languages_of(numbers)
    means = np.zeros(len(numbers))
    for code in {*languages}:
        listed = best(NEXT + 1, snapshot.in_languages((code,)))
        for row in (row for row, mine in enumerate(languages) if mine == code):
            others = listed.scores[listed.numbers != numbers[row]][:NEXT]
            means[row] = float(others.sum()) / NEXT
    above: FloatArray = scores - means
    return above


def vector_evidence(
    snapshot: Snapshot, space: str, vector: FloatArray, numbers: IntArray
) -> FloatArray:
    """The cosine and its margin of each document, (documents, 2); 0 where there is no vector."""
    if not vector.any() or not len(numbers):
        return np.zeros((len(numbers), 2))
    scored = row_scores(snapshot, space, vector, numbers)
    cosines = np.nan_to_num(scored.best).astype(np.float64)
    above = margins(
        snapshot, numbers, cosines, lambda k, among: nearest(snapshot, space, vector, k, among)
    )
    passages = np.maximum(scored.counts, 1)
    return np.column_stack([cosines - PASSAGE_DISCOUNT * np.log(passages), above])
