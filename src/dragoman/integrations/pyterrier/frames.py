"""Data frames of PyTerrier -> queries and rankings, and back.

A query has ``qid`` and ``query``, and may have a ``language``; a result has ``docno``, ``score``
and ``rank`` (from 0) as well.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd
import pyterrier as pt

from dragoman.ranking.ties import without_ties
from dragoman.text.languages import canonical
from dragoman.types import FloatArray, Hit, Query

LANGUAGE = "language"
RESULT_COLUMNS = ("docno", "score", "rank")


def queries_of(frame: pd.DataFrame, language: str = "") -> Iterator[Query]:
    """The query of every row; a language of its own comes before ``language``."""
    own: Iterable[object] = frame[LANGUAGE] if LANGUAGE in frame else [""] * len(frame)
    for query_id, text, code in zip(frame["qid"], frame["query"], own, strict=True):
        given = code if isinstance(code, str) and code else language
        yield Query(str(query_id), str(text), canonical(given) if given else "")


def results(queries: pd.DataFrame, rankings: Iterable[Sequence[Hit]]) -> pd.DataFrame:
    """Result rows: those of each query, with its columns, in the order of its hits.

    Scores are without ties, so that PyTerrier's measures rank as this package does.
    """
    rows: list[int] = []
    columns: dict[str, list[object]] = {name: [] for name in RESULT_COLUMNS}
    for row, hits in enumerate(rankings):
        rows += [row] * len(hits)
        columns["docno"] += [hit.doc_id for hit in hits]
        columns["score"] += without_ties([hit.score for hit in hits])
        columns["rank"] += range(pt.model.FIRST_RANK, pt.model.FIRST_RANK + len(hits))
    own = queries.drop(columns=list(RESULT_COLUMNS), errors="ignore")
    found = own.iloc[rows].reset_index(drop=True)
    for name, kind in zip(RESULT_COLUMNS, ("object", "float64", "int64"), strict=True):
        found[name] = pd.Series(columns[name], dtype=kind)
    return found


def ranked_anew(group: pd.DataFrame, scores: FloatArray) -> pd.DataFrame:
    """The rows of one query by new scores; those without a score (NaN) go last."""
    known = np.where(np.isnan(scores), -np.inf, scores)
    doc_ids = [str(doc_id) for doc_id in group["docno"]]
    order = sorted(range(len(doc_ids)), key=lambda row: (-known[row], doc_ids[row]))
    lowest = min(known[np.isfinite(known)], default=0.0)
    ranked = group.iloc[order].drop(columns=["score", "rank"], errors="ignore")
    return ranked.assign(
        score=without_ties([max(float(known[row]), float(lowest) - 1.0) for row in order]),
        rank=range(pt.model.FIRST_RANK, pt.model.FIRST_RANK + len(order)),
    )
