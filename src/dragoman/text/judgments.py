"""Rows of a qrels file -> judgments, checked against the ids of queries and documents."""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from dragoman.text.files import Faults
from dragoman.text.records import Location
from dragoman.types import Judgments


@dataclass(frozen=True, slots=True)
class Judgment:
    """One row: the grade of a document for a query, and its location in the file."""

    query_id: str
    doc_id: str
    grade: int
    location: Location


def collect_judgments(
    rows: Iterable[Judgment],
    faults: Faults,
    *,
    query_ids: Container[str] | None = None,
    doc_ids: Container[str] | None = None,
) -> Judgments:
    """Query id -> document id -> grade; a pair judged twice and an unknown id are faults.

    Ids are checked where ``query_ids`` or ``doc_ids`` are given.
    """
    judgments: dict[str, dict[str, int]] = {}
    for row in rows:
        problem = _problem(row, judgments, query_ids, doc_ids)
        if problem is None:
            judgments.setdefault(row.query_id, {})[row.doc_id] = row.grade
        else:
            found, expected = problem
            faults.report(row.location.fault(found=found, expected=expected))
    return judgments


def _problem(
    row: Judgment,
    judgments: Judgments,
    query_ids: Container[str] | None,
    doc_ids: Container[str] | None,
) -> tuple[str, str] | None:
    if query_ids is not None and row.query_id not in query_ids:
        return f"the query id {row.query_id!r}", "an id that the queries hold"
    if doc_ids is not None and row.doc_id not in doc_ids:
        return f"the document id {row.doc_id!r}", "an id that the corpus holds"
    if row.doc_id in judgments.get(row.query_id, ()):
        pair = f"query {row.query_id!r} and document {row.doc_id!r}"
        return f"a second judgment of {pair}", "one judgment a pair"
    return None
