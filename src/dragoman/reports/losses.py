"""Two runs -> the queries where the first loses most to the second, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman.errors import UnknownName
from dragoman.indexes.search.open_index import OpenIndex
from dragoman.metrics.measurement import QueryValues
from dragoman.types import Explanation, Judgments, Query, Ranking

SHOWN_LINKS = 5


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
    documents: tuple[RankedDocument, ...]  # relevant ones, those that lost most ranks first

    @property
    def difference(self) -> float:
        """What the first run lacks."""
        return self.second - self.first


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
        Loss(
            query_id,
            float(values[query_id]),
            float(others[query_id]),
            _documents(query_id, runs, judgments.get(query_id, {})),
        )
        for _, query_id in lost[:number]
    ]


def _documents(
    query_id: str,
    runs: tuple[Mapping[str, Ranking], Mapping[str, Ranking]],
    grades: Mapping[str, int],
) -> tuple[RankedDocument, ...]:
    first, second = (_ranks(run.get(query_id)) for run in runs)
    below = max((*first.values(), *second.values()), default=0) + 1
    documents = [
        RankedDocument(doc_id, grade, first.get(doc_id), second.get(doc_id))
        for doc_id, grade in grades.items()
        if grade > 0
    ]

    def key(one: RankedDocument) -> tuple[int, int, str]:
        gain = (one.first_rank or below) - (one.second_rank or below)
        return -gain, -one.grade, one.doc_id

    return tuple(sorted(documents, key=key))


def _ranks(ranking: Ranking | None) -> dict[str, int]:
    hits = ranking.hits if ranking else ()
    return {hit.doc_id: rank for rank, hit in enumerate(hits, start=1)}


def explain_loss(
    loss: Loss, query: Query, indexes: Sequence[OpenIndex | None]
) -> list[Explanation | None]:
    """The explanation, by each index, of the document that lost most ranks.

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
