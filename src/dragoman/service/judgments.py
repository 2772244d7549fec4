"""Judgments of people who search: stored by query and document, exported as qrels."""

import hashlib
from typing import NamedTuple

from dragoman.service.tasks.store import TaskStore, now

MOST_JUDGMENTS = 100_000  # of an index; beyond that none is taken


class GivenJudgment(NamedTuple):
    """A grade that someone gave a document for a query; ``system`` is what ranked it."""

    query: str
    language: str
    doc_id: str
    system: str
    judge: str
    grade: int
    created: str = ""


def store_judgment(store: TaskStore, judgment: GivenJudgment) -> bool:
    """Store a judgment in place of the same judge's earlier one; False where there are too many."""
    with store.database.write_transaction() as connection:
        (count,) = connection.execute("SELECT COUNT(*) FROM judgments").fetchone()
        if count >= MOST_JUDGMENTS:
            return False
        connection.execute(
            "INSERT OR REPLACE INTO judgments VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*judgment[:6], now()),
        )
    return True


def withdraw_judgment(store: TaskStore, judgment: GivenJudgment) -> None:
    """Remove the judge's judgment of this document for this query, whatever its grade was."""
    with store.database.write_transaction() as connection:
        connection.execute(
            "DELETE FROM judgments WHERE (query, language, id, system, judge) = (?, ?, ?, ?, ?)",
            judgment[:5],
        )


def judgments_of(store: TaskStore) -> list[GivenJudgment]:
    """All judgments, in the order in which they were given."""
    with store.database.read_transaction() as connection:
        rows = connection.execute("SELECT * FROM judgments ORDER BY created").fetchall()
    return [GivenJudgment(*row) for row in rows]


def query_id(judgment: GivenJudgment) -> str:
    """An id for a query: the same text in the same language has the same one."""
    text = f"{judgment.language}\n{judgment.query}".encode()
    return f"q{hashlib.sha256(text).hexdigest()[:12]}"


def qrels(judgments: list[GivenJudgment]) -> str:
    """A table of query, document and grade, with a header; the last judgment of a pair counts."""
    grades = {(query_id(one), one.doc_id): one.grade for one in judgments}
    rows = [(query, doc_id, str(grade)) for (query, doc_id), grade in sorted(grades.items())]
    return _table(("query-id", "corpus-id", "score"), rows)


def queries(judgments: list[GivenJudgment]) -> str:
    """A table of the judged queries: id, text, language."""
    rows = sorted({(query_id(one), one.query, one.language) for one in judgments})
    return _table(("id", "text", "language"), rows)


def _table(header: tuple[str, ...], rows: list[tuple[str, str, str]]) -> str:
    """A table without quotes: what would end a column or a line is a space."""
    lines = ["\t".join(" ".join(cell.split()) for cell in row) for row in (header, *rows)]
    return "".join(f"{line}\n" for line in lines)
