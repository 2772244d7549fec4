import json

import pytest

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats.afriqa import context_id
from dragoman.text.source import read_documents, read_judgments, read_queries

ROWS = [
    {
        "question_lang": "Mkate ni nini?",
        "question_translated": "What is bread?",
        "context": "Bread",
    },
    {"question_lang": "Maji?", "question_translated": "Water?", "context": "Bread", "title": "T"},
]


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold_span_passages.afriqa.swa.en.test.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_equal_contexts_are_one_document(gold):
    (document,) = read_documents(gold, Faults())
    assert (document.doc_id, document.text, document.language) == (
        context_id("Bread"),
        "Bread",
        "en",
    )


def test_questions_have_their_language_and_translation(gold):
    first, second = read_queries(gold, Faults())
    assert (first.text, first.language) == ("Mkate ni nini?", "sw")
    assert second.metadata == {"translation": "Water?", "split": "test"}


def test_a_question_is_judged_with_its_context(gold):
    judgments = read_judgments(gold, Faults())
    queries = [query.query_id for query in read_queries(gold, Faults())]
    assert judgments == {query: {context_id("Bread"): 1} for query in queries}


def test_a_row_without_context_is_a_fault(gold):
    gold.write_text('{"question_lang": "Maji?"}\n' + gold.read_text())
    with pytest.raises(InputError, match="no field 'context'"):
        list(read_documents(gold, Faults()))
    skipping = Faults(OnError.SKIP)
    assert set(read_judgments(gold, skipping)) == {"test-2", "test-3"}


def test_another_name_is_refused(tmp_path):
    path = tmp_path / "gold.json"
    path.write_text("{}\n")
    with pytest.raises(InputError, match="expected AfriQA's"):
        list(read_queries(path, Faults(), format="afriqa"))
