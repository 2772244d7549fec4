from pathlib import Path

import pytest

from dragoman.errors import InputError
from dragoman.text.formats.qrels_columns import ColumnOrder, choose_order, parse_order

PATH = Path("qrels")


def numbered(*lines):
    return [(number, line.split()) for number, line in enumerate(lines, start=1)]


def test_an_order_says_where_each_column_stands():
    assert parse_order("query,0,document,grade") == ColumnOrder(
        "query,0,document,grade", 0, 2, 3, 4, 1
    )
    assert parse_order("document,query,grade") == ColumnOrder("document,query,grade", 1, 0, 2, 3)


def test_few_bad_rows_do_not_hide_the_order():
    rows = numbered("q1 0 d1 1", "q1 0 d2 x", "q1 0 d3 1", "q1 d4 1")
    assert choose_order(PATH, rows).names == "query,0,document,grade"


def test_a_column_of_many_iterations_is_left_to_the_option():
    with pytest.raises(InputError, match="with an ambiguous order of columns"):
        choose_order(PATH, numbered("q1 1 a 1", "q1 2 b 1", "q2 3 c 1"))


def test_a_file_half_of_each_is_refused():
    with pytest.raises(InputError, match="rows such as 'q1 0 a 1'"):
        choose_order(PATH, numbered("q1 0 a 1", "q1 b 0 1", "q2 0 c 1", "q2 d 0 1"))
