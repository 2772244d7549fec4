"""Scores of a run -> a table of queries and documents, and outcomes that measures read."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.experiments.searcher.task import DetectionTask
from dragoman.metrics.outcomes import Outcome
from dragoman.types import FloatArray, Query

# query -> document -> score
Scores = dict[str, dict[str, float]]


def score_table(scores: Mapping[str, Mapping[str, float]], queries: Sequence[Query],
                task: DetectionTask) -> FloatArray:  # fmt: skip
    """(queries, documents): the scores, minus infinity where a document was not retrieved."""
    columns = {document.doc_id: column for column, document in enumerate(task.documents)}
    table = np.full((len(queries), len(columns)), -np.inf)
    for row, query in enumerate(queries):
        found = scores.get(query.query_id, {})
        table[row, [columns[doc_id] for doc_id in found]] = list(found.values())
    return table


def share_of_best(table: FloatArray) -> FloatArray:
    """Every score divided by the best one of its query; nothing is retrieved where that is not > 0.

    BM25 weighs a query by its words' idf, so that one threshold for all queries may do better on
    shares.
    """
    best = table.max(axis=1, initial=-np.inf, keepdims=True)
    positive = best > 0
    shares: FloatArray = np.where(positive, table / np.where(positive, best, 1.0), -np.inf)
    return shares


def relevance_table(queries: Sequence[Query], task: DetectionTask) -> NDArray[np.bool_]:
    """(queries, documents): whether a document is relevant."""
    judged = [task.judgments[query.query_id] for query in queries]
    rows = [[one.get(document.doc_id, 0) > 0 for document in task.documents] for one in judged]
    return np.array(rows, dtype=bool).reshape(len(queries), len(task.documents))


def table_outcomes(
    table: FloatArray, relevant: NDArray[np.bool_], task: DetectionTask
) -> list[Outcome]:
    """The rankings of a table with their grades; equal scores by document id."""
    ids = np.array([document.doc_id for document in task.documents])
    by_id = np.argsort(ids, kind="stable")
    outcomes = []
    for number, (scores, grades) in enumerate(zip(table, relevant, strict=True)):
        order = by_id[np.argsort(-scores[by_id], kind="stable")]
        order = order[np.isfinite(scores[order])]
        missed = int(grades.sum() - grades[order].sum())
        outcomes.append(
            Outcome(
                str(number),
                scores[order],
                grades[order].astype(np.int32),
                np.ones(missed, dtype=np.int32),
            )
        )
    return outcomes
