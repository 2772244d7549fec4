"""Rankings and judgments -> curves: precision by recall, and languages by rank."""

from collections.abc import Iterable, Mapping

import numpy as np

from dragoman.types import FloatArray, Judgments, Ranking

RECALLS = np.arange(11) / 10


def precision_recall(rankings: Iterable[Ranking], judgments: Judgments, rel: int = 1) -> FloatArray:
    """(11,): mean interpolated precision at recall 0, .1 ... 1 (trec_eval's iprec).

    The precision at a recall is the highest at this recall or above. Queries without a relevant
    document are left out; those that the run lacks count as 0.
    """
    relevant = {
        query_id: {doc_id for doc_id, grade in grades.items() if grade >= rel}
        for query_id, grades in judgments.items()
    }
    wanted = {query_id: documents for query_id, documents in relevant.items() if documents}
    total = np.zeros(len(RECALLS))
    for ranking in rankings:
        documents = wanted.get(ranking.query_id)
        if documents:
            hits = np.array([hit.doc_id in documents for hit in ranking.hits], dtype=bool)
            total += _interpolated(hits, len(documents))
    return total / max(len(wanted), 1)


def _interpolated(hits: np.ndarray[tuple[int], np.dtype[np.bool_]], number: int) -> FloatArray:
    found = np.cumsum(hits)
    precision = found / np.arange(1, len(hits) + 1)
    needed = np.maximum(np.floor(RECALLS * number + 0.9), 1)  # as trec_eval rounds
    return np.array([precision[found >= one].max(initial=0.0) for one in needed])


def language_shares(
    rankings: Iterable[Ranking], languages: Mapping[str, str], depth: int
) -> dict[str, FloatArray]:
    """By language (depth,): the share of queries that have it at each rank from 1 to ``depth``.

    Ranks that a ranking does not reach are left out of the shares.
    """
    counts: dict[str, FloatArray] = {}
    reached = np.zeros(depth)
    for ranking in rankings:
        for rank, hit in enumerate(ranking.hits[:depth]):
            code = languages.get(hit.doc_id, "")
            if code not in counts:
                counts[code] = np.zeros(depth)
            counts[code][rank] += 1
            reached[rank] += 1
    return {code: counts[code] / np.maximum(reached, 1) for code in sorted(counts)}


def relevant_shares(judgments: Judgments, languages: Mapping[str, str]) -> dict[str, float]:
    """By language: its mean share of the relevant documents, over queries that have some."""
    totals: dict[str, float] = {}
    queries = 0
    for grades in judgments.values():
        codes = [languages.get(doc_id, "") for doc_id, grade in grades.items() if grade > 0]
        queries += bool(codes)
        for code in codes:
            totals[code] = totals.get(code, 0.0) + 1 / len(codes)
    return {code: total / queries for code, total in sorted(totals.items())}
