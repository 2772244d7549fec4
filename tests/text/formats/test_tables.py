import csv

import pytest
from hypothesis import given, settings

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import tables
from dragoman.types import Document, Query
from text_strategies import LINES, documents, queries


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, newline="")
    return path


def test_columns_are_found_by_their_names_in_any_order(tmp_path):
    path = write(tmp_path, "a.tsv", 'Year\tTEXT\tDocID\tlang\n1999\ta "b" c\td1\tdeu\n\t\td2\t\n')
    assert list(tables.read_tsv_documents(path, Faults())) == [
        Document("d1", 'a "b" c', "", "de", {"Year": "1999"}),
        Document("d2", ""),
    ]


def test_csv_is_read_as_spreadsheets_write_it(tmp_path):
    path = write(
        tmp_path,
        "a.csv",
        '\ufeffid,title,text\r\nd1,"Bread, baked","two\r\nlines ""quoted"""\r\n\r\nd2,,"\t"\r\n',
    )
    assert list(tables.read_csv_documents(path, Faults())) == [
        Document("d1", 'two\r\nlines "quoted"', "Bread, baked"),
        Document("d2", "\t"),
    ]


def test_semicolons_separate_where_the_header_has_them(tmp_path):
    path = write(tmp_path, "q.csv", "qid;query\nq1;one, two\n")
    assert list(tables.read_csv_queries(path, Faults())) == [Query("q1", "one, two")]


@pytest.mark.parametrize("name", ["qid\ttext\n", ""], ids=["header", "no header"])
def test_queries_in_two_columns_need_no_header(name, tmp_path):
    path = write(tmp_path, "q.tsv", f"{name}1048585\twhat is paula deen's brother\n2\tb\n")
    expected = [Query("1048585", "what is paula deen's brother"), Query("2", "b")]
    assert list(tables.read_tsv_queries(path, Faults())) == expected


@pytest.mark.parametrize("header", ["1\ttwo\tthree", "number\ttext", "alone"])
def test_other_tables_without_a_header_are_refused(header, tmp_path):
    path = write(tmp_path, "q.tsv", f"{header}\n")
    with pytest.raises(InputError, match=r"line 1: .*The first line must name the columns"):
        list(tables.read_tsv_queries(path, Faults()))


def test_a_long_cell_is_no_error(tmp_path):
    path = write(tmp_path, "a.csv", f"id,text\nd1,{'x' * 200_000}\n")
    assert len(next(tables.read_csv_documents(path, Faults())).text) == 200_000


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("title\ttext", "expected one column called _id or id or doc_id"),
        ("id\ttitle", "expected one column called text or body"),
        ("id\tdocid\ttext", "expected one column called _id or id"),
        ("id\ttext\tx\tX", "found two columns of one name"),
    ],
)
def test_a_header_that_does_not_serve_is_refused(header, message, tmp_path):
    path = write(tmp_path, "a.tsv", f"{header}\n")
    with pytest.raises(InputError, match=f"line 1: .*{message}"):
        list(tables.read_tsv_documents(path, Faults()))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("d2", "1 columns; expected 2, as in the header"),
        ("d2,a,b", "3 columns; expected 2, as in the header"),
        ("d1,again", "the id 'd1' a second time"),
        ('d2,"a" b', "broken quoting"),
        (",empty", "an empty id"),
    ],
)
def test_a_bad_row_is_told_with_the_line_it_begins_on(line, message, tmp_path):
    path = write(tmp_path, "a.csv", f'id,text\nd1,"one\nmore"\n{line}\nd3,three\n')
    with pytest.raises(InputError, match=f"a.csv, line 4: found {message}"):
        list(tables.read_csv_documents(path, Faults()))
    faults = Faults(OnError.SKIP)
    found = [document.doc_id for document in tables.read_csv_documents(path, faults)]
    assert (found, faults.skipped) == (["d1", "d3"], 1)


def test_a_quote_that_never_ends_is_told_with_the_line_it_begins_on(tmp_path):
    path = write(tmp_path, "a.csv", 'id,text\nd1,one\nd2,"two\nd3,three\n')
    with pytest.raises(InputError, match="line 3: found broken quoting"):
        list(tables.read_csv_documents(path, Faults()))


@settings(max_examples=40)
@given(written=documents())
def test_csv_documents_come_back_as_written(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "a.csv.gz"
    assert tables.write_documents(path, written) == len(written)
    assert list(tables.read_csv_documents(path, Faults())) == written


@settings(max_examples=40)
@given(written=queries(LINES))
def test_tsv_queries_come_back_as_written(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "a.tsv"
    assert tables.write_queries(path, written) == len(written)
    assert list(tables.read_tsv_queries(path, Faults())) == written


def test_the_csv_module_reads_the_same_table(tmp_path):
    path = tmp_path / "a.csv"
    tables.write_documents(path, [Document("d1", 'a "b",\nc', "t", "de")])
    with path.open(newline="") as stream:
        assert list(csv.DictReader(stream)) == [
            {"_id": "d1", "title": "t", "text": 'a "b",\nc', "lang": "de"}
        ]


def test_a_tsv_cell_holds_no_tab(tmp_path):
    with pytest.raises(InputError, match="line 2: found a tab or a line break in a cell"):
        tables.write_documents(tmp_path / "a.tsv", [Document("d1", "a\tb")])
    assert list(tmp_path.iterdir()) == []
