"""Queries, judgments and an index -> the judged queries that it can be tuned on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from dragoman.errors import UserError
from dragoman.indexes.index import Index
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.segment import ABSENT
from dragoman.indexes.snapshot import Snapshot
from dragoman.metrics.measurement import EXAMPLES, Mismatch
from dragoman.types import Judgments, Query


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query with its judgments, and the languages of its relevant documents."""

    query: Query
    grades: Mapping[str, int]
    languages: frozenset[str]

    @property
    def best_documents(self) -> frozenset[str]:
        """The documents of the highest grade."""
        highest = max(self.grades.values())
        return frozenset(doc_id for doc_id, grade in self.grades.items() if grade == highest)


def judged_queries(
    index: Index, queries: Iterable[Query], judgments: Judgments, scope: Scope | None = None
) -> tuple[list[JudgedQuery], list[Mismatch]]:
    """The queries with a relevant document within the scope, and what was left out.

    Judgments of documents outside of the scope are left out: no ranking can have them. The language
    of a query without one is detected.
    """
    with index.snapshot() as snapshot:
        language_of = _languages(snapshot, judgments, scope or index.scope())
    judged: list[JudgedQuery] = []
    irrelevant, unjudged, seen = [], [], set()
    for given in queries:
        seen.add(given.query_id)
        if not judgments.get(given.query_id):
            unjudged.append(given.query_id)
            continue
        grades = {d: g for d, g in judgments[given.query_id].items() if d in language_of}
        relevant = frozenset(language_of[d] for d, grade in grades.items() if grade > 0)
        if not relevant:
            irrelevant.append(given.query_id)
            continue
        query = given
        if not given.language:
            query, _ = index.query(given.text, query_id=given.query_id)
        judged.append(JudgedQuery(query, grades, relevant))
    unknown = [query_id for query_id in judgments if query_id not in seen]
    left_out = [
        ("queries have no judgments and were left out", unjudged),
        ("judged queries have no relevant document in the index and were left out", irrelevant),
        ("judged queries have no text and were left out", unknown),
    ]
    mismatches = [Mismatch(what, len(ids), tuple(ids[:EXAMPLES])) for what, ids in left_out if ids]
    if not judged:
        raise UserError(
            f"{index.place}: found no query with a relevant document in the index"
            f" ({'; '.join(map(str, mismatches)) or 'no queries'}); expected queries and judgments"
            " of its documents. Compare the ids: dragoman list INDEX"
        )
    return judged, mismatches


def _languages(snapshot: Snapshot, judgments: Judgments, scope: Scope) -> dict[str, str]:
    """The languages of the judged documents that a search within the scope can find."""
    doc_ids = [*dict.fromkeys(d for grades in judgments.values() for d in grades)]
    numbers = snapshot.numbers_of(doc_ids)
    exist = np.flatnonzero(numbers != ABSENT)
    languages = snapshot.languages_of(numbers[exist])
    allowed = scope.allowed.languages
    named = zip(exist.tolist(), languages, strict=True)
    return {doc_ids[place]: code for place, code in named if not allowed or code in allowed}
