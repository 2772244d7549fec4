"""Decisions on queries and documents -> AQWV on samples of both, for intervals.

A measured value depends on the documents as much as on the queries: a false alarm is rare, and beta
multiplies it. So both are drawn with replacement, independently of each other, as in a two-way
(pigeonhole) bootstrap (Owen 2007). The same draws are used for every row of a task, so differences
between rows are paired.
"""

import numpy as np
from numpy.typing import NDArray

from dragoman.types import FloatArray

DRAWS = 1_000

Decisions = NDArray[np.bool_]


def resampled_values(
    yes: Decisions, relevant: Decisions, beta: float, *, draws: int = DRAWS, seed: int = 0
) -> FloatArray:
    """(draws,): AQWV on samples of queries and documents.

    Shapes: yes, relevant (queries, documents). A query without a relevant document in a sample has
    no part in its mean miss rate, as in AQWV itself.
    """
    queries, documents = relevant.shape
    rng = np.random.default_rng(seed)
    document_counts = rng.multinomial(documents, np.full(documents, 1 / documents), size=draws)
    query_counts = rng.multinomial(queries, np.full(queries, 1 / queries), size=draws).T
    weights = document_counts.T.astype(np.float64)
    found, wanted = (relevant & yes) @ weights, relevant @ weights  # (queries, draws)
    false_alarms = (~relevant & yes) @ weights
    rate = false_alarms / np.maximum(documents - wanted, 1)
    defined = wanted > 0
    miss = np.where(defined, 1 - found / np.maximum(wanted, 1), 0.0)
    counted = np.maximum((defined * query_counts).sum(axis=0), 1)
    misses = (miss * query_counts).sum(axis=0) / counted
    values: FloatArray = 1 - misses - beta * (rate * query_counts).sum(axis=0) / queries
    return values
