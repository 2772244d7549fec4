"""TREC runs and qrels, read and written.

A run's line is ``query Q0 document rank score tag``. Qrels come in several column orders:
``query 0 document grade`` (trec_eval), ``query document 0 grade`` and ``query document grade``,
with or without a header. The order is inferred from the header or from the data (see
``qrels_columns``); where the data fits two orders, the error names the option ``columns``.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from pathlib import Path

from dragoman.errors import ConfigError
from dragoman.storage.staging import write_lines
from dragoman.text.files import Faults, OnError, read_lines
from dragoman.text.formats.qrels_columns import HEADER_NAMES, ColumnOrder, choose_order, parse_order
from dragoman.text.id_set import IdSet
from dragoman.text.judgments import Judgment
from dragoman.text.records import (
    Location,
    check_id,
    filled,
    parse_int,
    parse_lines,
    parse_rows,
    show,
)
from dragoman.types import Hit, Judgments, Ranking

RUN_COLUMNS = ("query", "Q0", "document", "rank", "score", "tag")
_SAMPLE = 10_000  # rows from which the column order is inferred


def split_columns(line: str, counts: Iterable[int]) -> list[str]:
    """The line split at tabs, if that gives one of ``counts`` columns, else at spaces and tabs.

    Ids with spaces are only possible in a file separated by tabs.
    """
    if "\t" in line:
        columns = line.split("\t")
        if len(columns) in counts:
            return columns
    return [column for column in line.replace("\t", " ").split(" ") if column]


def read_run(path: Path, faults: Faults) -> Iterator[Ranking]:
    """One ranking per query, by decreasing score, then by document id; the rank column is ignored.

    A run whose lines are grouped by query is streamed; any other is held in memory.
    """
    rows = parse_lines(path, faults, _parse_run_line)
    if not _is_grouped(path):
        order: dict[str, list[_RunRow]] = {}
        for row in rows:
            order.setdefault(row[1], []).append(row)
        rows = chain.from_iterable(order.values())
    for query_id, group in groupby(rows, key=lambda row: row[1]):
        yield _rank(query_id, group, faults)


_RunRow = tuple[Location, str, str, float]  # location, query, document, score


def _parse_run_line(location: Location, line: str) -> _RunRow:
    columns = split_columns(line, (len(RUN_COLUMNS),))
    if len(columns) != len(RUN_COLUMNS):
        raise location.fault(
            found=f"{len(columns)} columns", expected=f"6: {' '.join(RUN_COLUMNS)}"
        )
    try:
        score = float(columns[4])
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise location.fault(found=f"the score {show(columns[4])}", expected="a finite number")
    return location, check_id(location, columns[0]), check_id(location, columns[2]), score


def _is_grouped(path: Path) -> bool:
    """Whether the lines of every query are consecutive; bad lines are reported later."""
    seen, last = IdSet(), None
    for _, line in read_lines(path, Faults(OnError.SKIP)):
        query_id = next(iter(split_columns(line, (len(RUN_COLUMNS),))), last)
        if query_id != last and query_id is not None and not seen.add(query_id):
            return False
        last = query_id
    return True


def _rank(query_id: str, rows: Iterable[_RunRow], faults: Faults) -> Ranking:
    scores: dict[str, float] = {}
    for location, _, doc_id, score in rows:
        if doc_id in scores:
            found = f"document {show(doc_id)} a second time for query {show(query_id)}"
            faults.report(location.fault(found=found, expected="every document once a query"))
        else:
            scores[doc_id] = score
    best_first = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return Ranking(query_id, tuple(Hit(doc_id, score) for doc_id, score in best_first))


def write_run(path: Path, rankings: Iterable[Ranking], tag: str = "dragoman") -> int:
    """Write the run and return its number of hits; ranks count from 1.

    Scores are read back unchanged. A line in which an id contains a space is separated by tabs.
    """
    if not tag or any(character.isspace() for character in tag):
        raise ConfigError(f"Found the tag {tag!r}; expected a word without spaces.")
    count = 0
    with write_lines(path) as stream:
        for ranking in rankings:
            for rank, hit in enumerate(ranking.hits, start=1):
                count += 1
                location = Location(path, count)
                ids = check_id(location, ranking.query_id), check_id(location, hit.doc_id)
                row = (ids[0], "Q0", ids[1], str(rank), repr(float(hit.score)), tag)
                stream.write(_join(row) + "\n")
    return count


def read_judgments(path: Path, faults: Faults, columns: str = "") -> Iterator[Judgment]:
    """The rows of a qrels file; ``columns`` names their order, as in "query,0,document,grade"."""
    lines = filled(read_lines(path, faults))
    sample = list(islice(lines, _SAMPLE))
    header = _header_order(sample[0][1]) if sample else None
    if header is not None:
        sample = sample[1:]
    if columns:
        order = parse_order(columns)
    else:
        rows = [(number, split_columns(line, (3, 4))) for number, line in sample]
        order = header or choose_order(path, rows)

    def parse(location: Location, line: str) -> Judgment:
        values = split_columns(line, (order.width,))
        if len(values) != order.width:
            expected = f"{order.width}: {order.names}"
            raise location.fault(found=f"{len(values)} columns", expected=expected)
        return Judgment(
            check_id(location, values[order.query]),
            check_id(location, values[order.document]),
            parse_int(location, values[order.grade].strip(" "), "grade"),
            location,
        )

    return parse_rows(path, faults, chain(sample, lines), parse)


def _header_order(line: str) -> ColumnOrder | None:
    names = [HEADER_NAMES.get(name.lower(), "") for name in split_columns(line, (3, 4))]
    return parse_order(",".join(names)) if {"query", "document", "grade"} <= set(names) else None


def write_judgments(path: Path, judgments: Judgments) -> int:
    """Write the judgments in trec_eval's format, sorted by their ids, and return their number."""
    count = 0
    with write_lines(path) as stream:
        for query_id, grades in sorted(judgments.items()):
            for doc_id, grade in sorted(grades.items()):
                count += 1
                location = Location(path, count)
                ids = check_id(location, query_id), check_id(location, doc_id)
                stream.write(_join((ids[0], "0", ids[1], str(grade))) + "\n")
    return count


def _join(columns: tuple[str, ...]) -> str:
    return ("\t" if any(" " in column for column in columns) else " ").join(columns)
