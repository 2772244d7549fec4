"""Rows of a qrels file -> the order of its columns: query, document, grade."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import ConfigError, InputError

HEADER_NAMES = {
    **dict.fromkeys(("query-id", "query_id", "qid", "query", "topic"), "query"),
    **dict.fromkeys(("corpus-id", "corpus_id", "doc-id", "doc_id", "docid", "docno"), "document"),
    **dict.fromkeys(("document", "document_id", "document-id"), "document"),
    **dict.fromkeys(("score", "rel", "relevance", "grade", "label", "relevancy"), "grade"),
    **dict.fromkeys(("0", "q0", "iter", "iteration", "unused"), "0"),
}
ITERATIONS = frozenset({"0", "Q0", "q0"})  # values of the unused column


@dataclass(frozen=True, slots=True)
class ColumnOrder:
    """The index of each column of a qrels file, from 0."""

    names: str
    query: int
    document: int
    grade: int
    width: int
    iteration: int | None = None


def parse_order(text: str) -> ColumnOrder:
    """The order written as in "query,0,document,grade"."""
    names = [name.strip() for name in text.split(",")]
    wanted = ("query", "document", "grade")
    unknown = [name for name in names if name not in (*wanted, "0")]
    if unknown or any(names.count(name) != 1 for name in wanted):
        raise ConfigError(
            f"Found the columns {text!r}; expected query, document and grade once each and 0 for a"
            ' column that is not read, as in "query,0,document,grade".'
        )
    query, document, grade = (names.index(name) for name in wanted)
    iteration = names.index("0") if "0" in names else None
    return ColumnOrder(",".join(names), query, document, grade, len(names), iteration)


ORDERS = tuple(
    parse_order(text)
    for text in ("query,0,document,grade", "query,document,0,grade", "query,document,grade")
)


def choose_order(path: Path, rows: Sequence[tuple[int, Sequence[str]]]) -> ColumnOrder:
    """The order with at most half as many misfits in the numbered ``rows`` as the next best one.

    Misfits are grades that are no whole numbers, unused columns that are not 0, and documents
    judged twice for one query.
    """
    widths = {order.width for order in ORDERS}
    wide = [row for _, row in rows if len(row) in widths]
    if not wide:
        line, row = rows[0] if rows else (None, ())
        raise InputError(path, line, found=f"{len(row)} columns", expected="3 or 4")
    misfits = {order: _misfits(order, wide) for order in ORDERS}
    best, second = sorted(ORDERS, key=lambda order: misfits[order])[:2]
    if misfits[best] < misfits[second] and 2 * misfits[best] <= misfits[second]:
        return best
    raise InputError(
        path,
        None,
        found=f"rows such as {' '.join(wide[0])!r}, with an ambiguous order of columns",
        expected="data that fits one order only",
        advice='Name the order with the option columns, as in columns="query,0,document,grade".',
    )


def _misfits(order: ColumnOrder, rows: Sequence[Sequence[str]]) -> int:
    count, judged = 0, set()
    for row in rows:
        if len(row) != order.width:
            count += 3  # as many as a row can have
            continue
        pair = row[order.query], row[order.document]
        count += pair in judged
        count += order.iteration is not None and row[order.iteration] not in ITERATIONS
        count += not row[order.grade].strip(" ").lstrip("+-").isdecimal()
        judged.add(pair)
    return count
