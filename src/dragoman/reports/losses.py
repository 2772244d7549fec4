"""Two runs -> the queries where the first loses most to the second, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

from dragoman.errors import UnknownName
from dragoman.indexes.search.open_index import OpenIndex
from dragoman.metrics.measurement import QueryValues
from dragoman.types import Explanation, Judgments, Query, Ranking

SHOWN_LINKS = SHOWN_DOCUMENTS = 5


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """A relevant document and its ranks in both runs, from 1; None where a run lacks it."""

    doc_id: str
    grade: int
    first_rank: int | None
    second_rank: int | None


@dataclass(frozen=True, slots=True)
class Loss:
    """A query that the first run answers worse than the second."""

    query_id: str
    first: float
    second: float
    documents: tuple[RankedDocument, ...]  # relevant ones, those that lost most gain first
    top: str  # what the first run ranks first; empty where it has no hits
    top_grade: int | None  # None where it is not judged

    @property
    def difference(self) -> float:
        """What the first run lacks."""
        return self.second - self.first

    @property
    def shown_top(self) -> str:
        """The document that the first run ranks first, with what is known of it."""
        if not self.top:
            return "nothing"
        known = "not judged" if self.top_grade is None else f"grade {self.top_grade}"
        return f"{self.top} ({known})"


@dataclass(frozen=True, slots=True)
class ExplainedLoss:
    """A loss with its query and the explanations of its first document by each run's index."""

    loss: Loss
    query: str
    explanations: Sequence[Explanation | None] = ()


def find_losses(
    first: QueryValues,
    second: QueryValues,
    measure: str,
    runs: tuple[Mapping[str, Ranking], Mapping[str, Ranking]],
    judgments: Judgments,
    number: int,
) -> list[Loss]:
    """The ``number`` queries with the largest losses; equal losses by query id."""
    if measure not in first.values:
        raise UnknownName(measure, first.values, "measure of these runs")
    others = dict(zip(second.query_ids, second.values[measure], strict=True))
    values = dict(zip(first.query_ids, first.values[measure], strict=True))
    lost = sorted(
        (value - others[query_id], query_id)
        for query_id, value in values.items()
        if query_id in others and value < others[query_id]
    )
    return [
        _loss(query_id, float(values[query_id]), float(others[query_id]), runs, judgments)
        for _, query_id in lost[:number]
    ]


def _loss(
    query_id: str,
    first: float,
    second: float,
    runs: tuple[Mapping[str, Ranking], Mapping[str, Ranking]],
    judgments: Judgments,
) -> Loss:
    grades = judgments.get(query_id, {})
    ranks = [_ranks(run.get(query_id)) for run in runs]
    documents = [
        RankedDocument(doc_id, grade, *(run.get(doc_id) for run in ranks))
        for doc_id, grade in grades.items()
        if grade > 0
    ]
    documents.sort(key=lambda one: (-_lost_gain(one), one.doc_id))
    top = next(iter(ranks[0]), "")
    return Loss(query_id, first, second, tuple(documents), top, grades.get(top))


def _lost_gain(document: RankedDocument) -> float:
    """The discounted gain (Järvelin and Kekäläinen 2002) that the first run lacks."""
    ranks = (document.second_rank, document.first_rank)
    second, first = (1 / log2(rank + 1) if rank else 0.0 for rank in ranks)
    return document.grade * (second - first)


def _ranks(ranking: Ranking | None) -> dict[str, int]:
    hits = ranking.hits if ranking else ()
    return {hit.doc_id: rank for rank, hit in enumerate(hits, start=1)}


def explain_loss(
    loss: Loss, query: Query, indexes: Sequence[OpenIndex | None]
) -> list[Explanation | None]:
    """The explanation, by each index, of the document that lost most gain.

    None where there is no index, no such document, or no document was lost.
    """
    if not loss.documents:
        return [None for _ in indexes]
    doc_id = loss.documents[0].doc_id
    explained: list[Explanation | None] = []
    for index in indexes:
        known = index is not None and index.documents([doc_id])[0] is not None
        explained.append(
            index.explain(query.text, doc_id, language=query.language)
            if index is not None and known
            else None
        )
    return explained


def shown_links(explanation: Explanation | None) -> list[str]:
    """The strongest term matches of an explanation, as lines of text."""
    if explanation is None:
        return []
    if not explanation.links:
        return ["no term matches"]
    return [
        f"{link.query_word} = {link.document_word} {link.share:.0%}"
        for link in explanation.links[:SHOWN_LINKS]
    ]
