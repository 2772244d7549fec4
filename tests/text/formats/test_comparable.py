import pytest

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import comparable
from dragoman.text.judgments import collect_judgments
from dragoman.types import Document, Query


def test_line_i_is_document_i_query_i_and_its_own_answer(tmp_path):
    path = tmp_path / "wiki.en"
    path.write_text("first document\nsecond\n")
    assert list(comparable.read_documents(path, Faults())) == [
        Document("1", "first document"),
        Document("2", "second"),
    ]
    assert list(comparable.read_queries(path, Faults())) == [
        Query("1", "first document"),
        Query("2", "second"),
    ]
    rows = comparable.read_judgments(path, Faults())
    assert collect_judgments(rows, Faults()) == {"1": {"1": 1}, "2": {"2": 1}}


def test_a_lost_line_does_not_move_the_others(tmp_path):
    path = tmp_path / "wiki.en"
    path.write_bytes(b"one\n\nth\xffree\nfour\n")
    faults = Faults(OnError.SKIP)
    assert [d.doc_id for d in comparable.read_documents(path, faults)] == ["1", "4"]
    assert faults.skipped == 2
    with pytest.raises(InputError, match="line 2: found an empty line; expected a document"):
        list(comparable.read_documents(path, Faults()))
