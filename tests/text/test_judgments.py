from pathlib import Path

import pytest

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.judgments import Judgment, collect_judgments
from dragoman.text.records import Location


def row(query_id, doc_id, grade, line):
    return Judgment(query_id, doc_id, grade, Location(Path("qrels.tsv"), line))


ROWS = [row("q1", "d1", 2, 2), row("q1", "d2", 0, 3), row("q2", "d1", 1, 4)]


def test_rows_are_gathered_by_query():
    assert collect_judgments(ROWS, Faults()) == {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"query_ids": {"q1"}},
            "qrels.tsv, line 4: found the query id 'q2'; expected an id",
        ),
        ({"doc_ids": {"d1"}}, "line 3: found the document id 'd2'; expected an id that the corpus"),
    ],
)
def test_an_id_that_does_not_exist_is_told_with_its_line(options, message):
    with pytest.raises(InputError, match=message):
        collect_judgments(ROWS, Faults(), **options)
    faults = Faults(OnError.SKIP)
    kept = collect_judgments(ROWS, faults, **options)
    assert (sum(map(len, kept.values())), faults.skipped) == (2, 1)


def test_a_pair_is_judged_once():
    with pytest.raises(InputError, match="line 9: found a second judgment of query 'q1' and docu"):
        collect_judgments([*ROWS, row("q1", "d1", 2, 9)], Faults())
