import pytest

from dragoman.errors import InputError
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_judgments, read_queries


def test_passages_have_the_language_of_their_name(tmp_path):
    path = tmp_path / "hausa_passages.jsonl"
    path.write_text('{"docid": "1#0", "title": "Gurasa", "text": "Gari", "url": "x"}\n')
    (passage,) = read_documents(path, Faults())
    assert (passage.doc_id, passage.title, passage.text) == ("1#0", "Gurasa", "Gari")
    assert passage.language == "ha"
    assert passage.metadata == {"url": "x"}


@pytest.mark.parametrize(
    ("name", "language"),
    [("topics.ciral-v1.0-yo-test-a.tsv", "en"), ("topics.ciral-v1.0-yo-dev-native.tsv", "yo")],
)
def test_queries_are_english_or_native(tmp_path, name, language):
    path = tmp_path / name
    path.write_text("21\tWhich election?\n22\tWho won?\n")
    queries = list(read_queries(path, Faults()))
    assert [query.query_id for query in queries] == ["21", "22"]
    assert {query.language for query in queries} == {language}


def test_judgments_are_those_of_trec(tmp_path):
    path = tmp_path / "qrels.ciral-v1.0-yo-dev.tsv"
    path.write_text("21 Q0 1#0 1\n21 Q0 1#1 0\n")
    assert read_judgments(path, Faults()) == {"21": {"1#0": 1, "1#1": 0}}


def test_another_name_is_refused(tmp_path):
    path = tmp_path / "passages.jsonl"
    path.write_text('{"docid": "1", "text": "x"}\n')
    with pytest.raises(InputError, match="expected CIRAL's name"):
        list(read_documents(path, Faults(), format="ciral"))
