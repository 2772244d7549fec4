"""Arguments of callers: every wrong one is an error that says what was expected."""

import pytest

import dragoman
from dragoman.errors import UserError
from dragoman.types import Document


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arguments") / "index"
    documents = [Document("a", "bread rises", language="en", metadata={"year": 2001})]
    with dragoman.index(documents, folder, system="psq") as opened:
        yield opened


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": None}, "a query of type NoneType"),
        ({"text": " \n"}, "Found an empty query; expected a sentence"),
        ({"text": "bread", "language": 5}, "language = 5; expected a text"),
        ({"text": "bread", "rerank": 5}, "rerank = 5; expected the name of a system"),
        ({"text": "bread", "snippet_length": "a"}, "snippet_length = 'a'; expected a whole"),
        ({"text": "bread", "snippet_length": -1}, "snippet_length = -1; expected 0 or more"),
        ({"text": "x" * 100_001}, "The query has 100,001 characters"),
        ({"text": "bread", "k": 2.5}, "k = 2.5; expected a whole number"),
        ({"text": "bread", "k": True}, "k = True; expected a whole number"),
        ({"text": "bread", "k": 0}, "k is 0"),
        ({"text": "bread", "within": "de"}, "within = 'de'; expected a list of texts"),
        ({"text": "bread", "within": [1]}, "Found 1 in within; expected texts"),
        ({"text": "bread", "where": "year=2001"}, "where = 'year=2001'; expected a list"),
        ({"text": "bread", "group": "no"}, "group = 'no'; expected True or False"),
        ({"text": "bread", "balance": "sometimes"}, "balance = 'sometimes'; expected one of"),
    ],
)
def test_wrong_arguments_of_a_search_are_refused(index, arguments, message):
    with pytest.raises(UserError, match=message):
        index.search(**arguments)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda index: index.get(5), "Found 5 in doc_ids; expected texts"),
        (lambda index: index.documents("abc"), "doc_ids = 'abc'; expected a list of texts"),
        (lambda index: index.explain(5, "a"), "query = 5; expected a text"),
        (lambda index: index.explain("bread", 5), "doc_id = 5; expected a text"),
        (lambda index: dragoman.open(5), "the path 5; expected the name of a folder"),
        (lambda index: dragoman.open(""), "the path ''; expected the name of a folder"),
        (lambda index: dragoman.index([], 5), "the path 5; expected the name of a folder"),
        (lambda index: dragoman.index(5, "x"), "Found one int as documents; expected a list"),
        (lambda index: dragoman.index([], "x", languages="de"), "languages = 'de'; expected a"),
    ],
)
def test_wrong_arguments_of_other_calls_are_refused(index, call, message):
    with pytest.raises(UserError, match=message):
        call(index)


def test_one_id_is_not_deleted_letter_by_letter(index):
    with pytest.raises(UserError, match="doc_ids = 'abc'; expected a list of texts"):
        index.delete("abc")


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (Document("a", "text"), "Found one Document as documents; expected a list"),
        ([{"_id": "a"}], "document 1: found a dict; expected a dragoman.Document"),
        ([Document("", "text")], "document 1: found an empty id"),
        ([Document(" ", "text")], "document 1: found an empty id"),
        ([Document("a", None)], "document 1: found text = None; expected a text"),
        ([Document("a", "b", metadata={"n": float("nan")})], "found n = nan; expected a finite"),
        ([Document("a", "b", metadata={"n": {"m": [float("inf")]}})], "found n.m = inf"),
        ([Document("a", "b", metadata={"n": object()})], "found n of type object"),
        ([Document("a", "b", metadata={1: "x"})], "the field 1 is no text"),
        ([Document("a", "b", metadata=None)], "expected metadata as a dictionary"),
    ],
)
def test_wrong_documents_are_refused_when_added_and_when_built(index, documents, message, tmp_path):
    with pytest.raises(UserError, match=message):
        index.add(documents)
    with pytest.raises(UserError, match=message):
        dragoman.index(documents, tmp_path / "index", system="psq")
    assert not (tmp_path / "index").exists()


def test_a_document_without_a_language_gets_the_detected_one(tmp_path):
    documents = [Document("a", "Das Brot geht mit der Hefe auf und wird gebacken.")]
    with dragoman.index(documents, tmp_path / "index", system="psq") as opened:
        opened.add([Document("b", "Il pane lievita con il lievito e poi si cuoce nel forno.")])
        assert opened.languages == {"de": 1, "it": 1}
