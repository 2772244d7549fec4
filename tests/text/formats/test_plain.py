import gzip
import json

import pytest
from hypothesis import given, settings

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import plain
from dragoman.text.judgments import collect_judgments
from dragoman.types import Document, Query
from text_strategies import documents, judgments, metadata, queries

CORPUS = """{"_id": "d1", "title": "Bread", "text": "Flour, water", "lang": "eng", "year": 1999}
{"_id": "d2", "text": "Mehl und Wasser", "lang": "de-AT", "title": null}
"""


def test_usual_names_of_ids_and_texts_are_read_too(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text('{"qid": "q1", "query": "mkate", "id": "x"}\n{"qid": "q2", "query": "b"}')
    with pytest.raises(InputError, match=r"line 1: found no field '_id' .fields: .*qid"):
        list(plain.read_queries(path, Faults()))
    faults = Faults(OnError.SKIP)
    assert list(plain.read_queries(path, faults)) == [Query("q2", "b")]
    path.write_text('{"doc_id": "d1", "contents": "a", "url": "u"}')
    assert list(plain.read_documents(path, Faults())) == [
        Document("d1", "a", metadata={"url": "u"})
    ]


def test_documents_are_read_with_canonical_languages_and_their_metadata(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text(CORPUS)
    assert list(plain.read_documents(path, Faults())) == [
        Document("d1", "Flour, water", "Bread", "en", {"year": 1999}),
        Document("d2", "Mehl und Wasser", "", "de"),
    ]


def test_queries_keep_their_split(tmp_path):
    path = tmp_path / "queries.jsonl.gz"
    path.write_bytes(
        gzip.compress(b'{"_id": "q1", "text": "mkate", "lang": "sw", "split": "test"}')
    )
    assert list(plain.read_queries(path, Faults())) == [
        Query("q1", "mkate", "sw", {"split": "test"})
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"_id": "d2", "text": ', "broken JSON"),
        ('{"text": "a"}', "no field '_id'"),
        ('{"_id": "d2"}', "no field 'text'"),
        ('{"_id": 2, "text": "a"}', "a number in '_id'; expected a string"),
        ('{"_id": "d2", "text": ["a"]}', "a list in 'text'; expected a string"),
        ('{"_id": "d2", "text": "a", "lang": "qq-klingon"}', "the language 'qq-klingon'"),
        ('{"_id": "d1", "text": "a"}', "the id 'd1' a second time; expected every id once"),
        ('{"_id": "", "text": "a"}', "an empty id"),
    ],
)
def test_a_bad_document_is_told_with_file_and_line_or_counted(line, message, tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text(f'{{"_id": "d1", "text": "one"}}\n{line}\n{{"_id": "d3", "text": "three"}}\n')
    with pytest.raises(InputError, match=f"corpus.jsonl, line 2: found {message}"):
        list(plain.read_documents(path, Faults()))
    faults = Faults(OnError.SKIP)
    assert [d.doc_id for d in plain.read_documents(path, faults)] == ["d1", "d3"]
    assert faults.counts == {str(path): 1}


def test_a_query_must_ask_something(tmp_path):
    path = tmp_path / "queries.jsonl"
    path.write_text('{"_id": "q1", "text": " "}')
    with pytest.raises(InputError, match="line 1: found an empty query"):
        list(plain.read_queries(path, Faults()))


def test_qrels_need_their_header(tmp_path):
    path = tmp_path / "qrels.tsv"
    path.write_text("q1\td1\t1\n")
    with pytest.raises(
        InputError, match=r"line 1: found the header 'q1\\td1\\t1'; expected the col"
    ):
        plain.read_judgments(path, Faults())


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("q1\td1", "2 columns; expected 3"),
        ("q1\td1\t1\t0", "4 columns; expected 3"),
        ("q1\td1\t0.5", "the score '0.5'; expected a whole number"),
        ("\td1\t1", "an empty id"),
    ],
)
def test_a_bad_judgment_is_told_with_its_line(row, message, tmp_path):
    path = tmp_path / "qrels.tsv"
    path.write_text(f"query-id\tcorpus-id\tscore\nq1\td0\t2\n{row}\n")
    with pytest.raises(InputError, match=f"line 3: found {message}"):
        list(plain.read_judgments(path, Faults()))
    faults = Faults(OnError.SKIP)
    assert len(list(plain.read_judgments(path, faults))) == faults.skipped == 1


@settings(max_examples=40)
@given(written=documents(metadata=metadata()))
def test_documents_come_back_as_written(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "corpus.jsonl.zst"
    assert plain.write_documents(path, written) == len(written)
    assert list(plain.read_documents(path, Faults())) == written


@settings(max_examples=40)
@given(written=queries(metadata=metadata()))
def test_queries_come_back_as_written(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "queries.jsonl"
    assert plain.write_queries(path, written) == len(written)
    assert list(plain.read_queries(path, Faults())) == written


@settings(max_examples=40)
@given(written=judgments())
def test_judgments_come_back_as_written(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "qrels.tsv.gz"
    assert plain.write_judgments(path, written) == sum(map(len, written.values()))
    assert collect_judgments(plain.read_judgments(path, Faults()), Faults()) == written


@pytest.mark.parametrize(
    ("metadata", "fields"),
    [
        ({"text": "b", "n": 1}, {"n": 1, "_metadata": {"text": "b"}}),
        ({"_metadata": {"text": "b"}}, {"_metadata": {"_metadata": {"text": "b"}}}),
        ({"_metadata": {}}, {"_metadata": {"_metadata": {}}}),
    ],
)
def test_metadata_named_like_a_field_is_nested(metadata, fields, tmp_path):
    path, document = tmp_path / "a.jsonl", Document("d", "a", metadata=metadata)
    plain.write_documents(path, [document])
    assert json.loads(path.read_text()) == {"_id": "d", "text": "a", **fields}
    assert list(plain.read_documents(path, Faults())) == [document]


@pytest.mark.parametrize("nested", ["b", {}, {"author": "Anna"}, {"text": "b", "author": "Anna"}])
def test_what_another_tool_calls_metadata_is_metadata(nested, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"_id": "d", "text": "a", "_metadata": nested}))
    (document,) = plain.read_documents(path, Faults())
    assert document == Document("d", "a", metadata={"_metadata": nested})


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (Document("d", "half \ud800"), "surrogates not allowed"),
        (Document("d", "a", metadata={"n": float("nan")}), "not JSON compliant"),
    ],
)
def test_what_no_line_can_hold_is_not_written(document, reason, tmp_path):
    path = tmp_path / "a.jsonl"
    with pytest.raises(InputError, match=rf"line 2: found 'd' with a value .*{reason}"):
        plain.write_documents(path, [Document("c", "a"), document])
    assert list(tmp_path.iterdir()) == []


def test_other_tools_read_what_is_written(tmp_path):
    path = tmp_path / "corpus.jsonl.gz"
    plain.write_documents(path, [Document("d1", "日本\u2028語", "t", "ja", {"n": 1})])
    assert json.loads(gzip.decompress(path.read_bytes())) == {
        "_id": "d1", "title": "t", "text": "日本\u2028語", "lang": "ja", "n": 1
    }  # fmt: skip
