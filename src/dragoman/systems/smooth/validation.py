"""A model and judged pairs -> measures of the rankings of the judged documents."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DragomanError
from dragoman.metrics.outcomes import Outcome
from dragoman.metrics.parser import parse_measure
from dragoman.metrics.ranked_measures import RankedMeasure, ranked_values
from dragoman.ranking.topk import tie_order
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.training_data import JudgedPairs, SmoothTrainingData
from dragoman.systems.smooth.vocabulary import TokenizedTexts
from dragoman.types import FloatArray

# the measures of the paper's tables: P_mr@1, P_mr@5 (hits), P_r@5, NDCG@5, MAP, MRR_mr, MRR_r
MEASURES = ("P(rel=2)@1", "Success(rel=2)@5", "P@5", "nDCG@5", "AP", "RR(rel=2)", "RR")


def pair_scores(
    model: SmoothModel, queries: TokenizedTexts, documents: TokenizedTexts, pairs: JudgedPairs
) -> NDArray[np.float32]:
    """(n,): the smooth cosine of every pair; every text is encoded once."""
    unique_queries, query_of = np.unique(pairs.queries, return_inverse=True)
    unique_documents, document_of = np.unique(pairs.documents, return_inverse=True)
    left = model.encode(model.queries, queries, unique_queries)
    right = model.encode(model.documents, documents, unique_documents)
    products: NDArray[np.float32] = np.einsum("np,np->n", left[query_of], right[document_of])
    return products


def values_per_query(
    data: SmoothTrainingData,
    pairs: JudgedPairs,
    scores: FloatArray,
    measures: Sequence[str] = MEASURES,
) -> Mapping[str, FloatArray]:
    """The values of each measure for every query of ``pairs``, in their order.

    Only judged documents are ranked, those with equal scores by document id.
    """
    if np.isnan(scores).any():
        raise DragomanError("a score is not a number; the training has diverged")
    ties = tie_order(data.doc_ids)
    order = np.lexsort((ties[pairs.documents], -scores, pairs.queries))
    unretrieved = np.zeros(0, dtype=np.int32)
    starts = np.flatnonzero(np.diff(pairs.queries[order], prepend=-1))
    outcomes = [
        Outcome(
            data.query_ids[pairs.queries[rows[0]]], scores[rows], pairs.grades[rows], unretrieved
        )
        for rows in np.split(order, starts[1:])
    ]
    return ranked_values([_ranked(measure) for measure in measures], outcomes)


def _ranked(name: str) -> RankedMeasure:
    measure = parse_measure(name)
    assert isinstance(measure, RankedMeasure), f"{name} is not a measure of one ranking"
    return measure
