import pytest
from hypothesis import given, settings

from dragoman.errors import InputError
from dragoman.text.files import Faults
from dragoman.text.formats import sasaki
from dragoman.text.judgments import Judgment, collect_judgments
from dragoman.text.records import Location
from dragoman.types import Document, Query
from text_strategies import LINES, documents, judgments, queries


def test_the_published_columns_are_read(tmp_path):
    asked, found = tmp_path / "wiki_en.queries", tmp_path / "wiki_simple.documents"
    judged = tmp_path / "en2simple.rel"
    asked.write_text("12\tAnarchism\tis a political philosophy\n")
    found.write_text("7\tBread\tBread is food\n8\tonly text\n")
    judged.write_text("12\t7\t2\n12 8 1\n")
    assert list(sasaki.read_queries(asked, Faults())) == [
        Query("12", "is a political philosophy", "en", {"title": "Anarchism"})
    ]
    assert list(sasaki.read_documents(found, Faults())) == [
        Document("7", "Bread is food", "Bread", "en"),
        Document("8", "only text", "", "en"),
    ]
    assert list(sasaki.read_judgments(judged, Faults())) == [
        Judgment("12", "7", 2, Location(judged, 1)),
        Judgment("12", "8", 1, Location(judged, 2)),
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.documents", "alone\n", "line 1: found 1 columns; expected 3: id, title and text"),
        ("a.documents", "1\ta\tb\n1\tc\td\n", "line 2: found the id '1' a second time"),
        ("a.queries", "1\ttitle\t\n", "line 1: found an empty query"),
        ("a.rel", "1\t2\n", "line 1: found 2 columns; expected 3"),
        ("a.rel", "1\t2\thigh\n", "line 1: found the grade 'high'"),
    ],
)
def test_bad_lines_are_told(name, text, message, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    readers = {
        ".documents": sasaki.read_documents,
        ".queries": sasaki.read_queries,
        ".rel": sasaki.read_judgments,
    }
    with pytest.raises(InputError, match=message):
        list(readers[path.suffix](path, Faults()))


@settings(max_examples=25)
@given(docs=documents(LINES), asked=queries(LINES), judged=judgments(LINES))
def test_records_come_back_as_written(docs, asked, judged, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sasaki")
    docs = [Document(d.doc_id.strip(), d.text, d.title, "sw") for d in docs]
    docs = list({document.doc_id: document for document in docs}.values())
    asked = {q.query_id.strip(): Query(q.query_id.strip(), q.text, "en") for q in asked}
    sasaki.write_documents(folder / "wiki_sw.documents", docs)
    sasaki.write_queries(folder / "wiki_en.queries.gz", asked.values())
    sasaki.write_judgments(folder / "en2sw.rel", judged)
    assert list(sasaki.read_documents(folder / "wiki_sw.documents", Faults())) == docs
    assert list(sasaki.read_queries(folder / "wiki_en.queries.gz", Faults())) == [*asked.values()]
    rows = sasaki.read_judgments(folder / "en2sw.rel", Faults())
    assert collect_judgments(rows, Faults()) == judged
