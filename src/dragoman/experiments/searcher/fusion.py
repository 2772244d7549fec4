"""Two runs -> one, by a logistic regression that the development queries fit.

Every row is joined with psq in the same way, so that a row is compared with SEARCHER both alone and
joined. The features of a query and a document are the same for all rows: of either run its score
(log-odds where it is a probability), its share of the best score of the query, and whether the run
retrieved the document at all. Features have mean 0 and deviation 1 over the development pairs.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import expit

from dragoman.experiments.searcher.runs import RAW, DetectionRun
from dragoman.experiments.searcher.score_tables import (
    Scores,
    relevance_table,
    score_table,
    share_of_best,
)
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.experiments.searcher.values import best_variant, log_odds
from dragoman.metrics.calibration import fit_logistic
from dragoman.types import FloatArray, Query

RIDGE = 1e-3


def fuse_runs(
    name: str, first: DetectionRun, second: DetectionRun, task: DetectionTask
) -> DetectionRun:
    """The probabilities of a logistic regression on the scores of both runs."""
    runs = [(run, best_variant(run, task)) for run in (first, second)]

    def features(queries: Sequence[Query]) -> FloatArray:
        columns = [_features(run, variant, queries, task) for run, variant in runs]
        return np.concatenate(columns, axis=2)

    tuned = features(task.development)
    flat = tuned.reshape(-1, tuned.shape[2])
    mean, deviation = flat.mean(axis=0), flat.std(axis=0)
    deviation[deviation == 0] = 1.0
    labels = relevance_table(task.development, task).ravel().astype(np.float64)
    weights = fit_logistic((flat - mean) / deviation, labels, ridge=RIDGE)
    names = [document.doc_id for document in task.documents]
    scores: Scores = {}
    for queries in (task.development, task.test):
        scaled = (features(queries) - mean) / deviation
        probabilities = expit(scaled @ weights[:-1] + weights[-1])
        for query, row in zip(queries, probabilities.tolist(), strict=True):
            scores[query.query_id] = dict(zip(names, row, strict=True))
    settings = {"of": [first.name, second.name]}
    return DetectionRun(name, settings, {RAW: scores}, 0.0, probabilities=True)


def _features(
    run: DetectionRun, variant: str, queries: Sequence[Query], task: DetectionTask
) -> FloatArray:
    """(queries, documents, 3)"""
    table = score_table(run.variants[variant], queries, task)
    retrieved = np.isfinite(table)
    scores = log_odds(table) if run.probabilities else table
    shares = share_of_best(table)
    return np.stack(
        [
            np.where(retrieved, scores, 0.0),
            np.where(np.isfinite(shares), shares, 0.0),
            retrieved.astype(np.float64),
        ],
        axis=2,
    )
