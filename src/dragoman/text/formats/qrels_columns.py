"""Rows of a qrels file -> which column is the query, the document and the grade."""

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
ITERATIONS = frozenset({"0", "Q0", "q0"})  # what stands in the column that nobody reads


@dataclass(frozen=True, slots=True)
class ColumnOrder:
    """Where each column of a qrels file stands, counted from 0."""

    names: str
    query: int
    document: int
    grade: int
    width: int
    iteration: int | None = None


def parse_order(text: str) -> ColumnOrder:
    """The order that ``text`` names, as in "query,0,document,grade"."""
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
    """The one order that fits the numbered ``rows``, or fits them at least twice as well.

    What speaks against an order: a grade that is no whole number, an unread column that is not 0,
    a document that was judged for the same query before.
    """
    widths = {order.width for order in ORDERS}
    wide = [row for _, row in rows if len(row) in widths]
    if not wide:
        line, row = rows[0] if rows else (None, ())
        raise InputError(path, line, found=f"{len(row)} columns", expected="3 or 4")
    against = {order: _misfits(order, wide) for order in ORDERS}
    best, second = sorted(ORDERS, key=lambda order: against[order])[:2]
    if against[best] < against[second] and 2 * against[best] <= against[second]:
        return best
    raise InputError(
        path,
        None,
        found=f"rows such as {' '.join(wide[0])!r}, whose order of columns cannot be told",
        expected="data that fits one order only",
        advice='Name the order with the option columns, as in columns="query,0,document,grade".',
    )


def _misfits(order: ColumnOrder, rows: Sequence[Sequence[str]]) -> int:
    count, judged = 0, set()
    for row in rows:
        if len(row) != order.width:
            count += 3  # as if every column spoke against it
            continue
        pair = row[order.query], row[order.document]
        count += pair in judged
        count += order.iteration is not None and row[order.iteration] not in ITERATIONS
        count += not row[order.grade].strip(" ").lstrip("+-").isdecimal()
        judged.add(pair)
    return count
