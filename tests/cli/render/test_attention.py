"""Answers above a probability, and the sentence that matched."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import dragoman
from dragoman.cli.probabilities import expect_probabilities, likely
from dragoman.cli.render.attention import attention, attention_fields, print_attention
from dragoman.errors import UserError
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Query
from toy_searcher import toy_model

AXES = {"en": {"water": 0, "fire": 1}, "sw": {"maji": 0, "moto": 1}}
DOCUMENTS = [
    Document("camp", "Maji safi. Moto mkali!", language="sw"),
    Document("shore", "Maji ya bahari.", language="sw"),
]


@pytest.fixture
def index(tmp_path):
    toy_model(AXES).save(tmp_path / "model")
    settings = {"model": str(tmp_path / "model")}
    with dragoman.index(DOCUMENTS, tmp_path / "i", system="searcher", settings=settings) as built:
        yield built


def test_only_likely_documents_stay(index):
    expect_probabilities(index)
    answer = index.search("fire", language="en", balance=Balance.OFF)
    assert {hit.doc_id for hit in answer.ranking.hits} == {"camp", "shore"}
    sure = likely(answer, 0.5)
    assert [hit.doc_id for hit in sure.ranking.hits] == ["camp"]
    assert [document.doc_id for document in sure.documents] == ["camp"]
    assert likely(answer, 0.0) == answer


def test_scores_of_other_systems_are_no_probabilities(tmp_path):
    with (
        dragoman.index(DOCUMENTS, tmp_path / "psq", system="psq") as index,
        pytest.raises(UserError, match="whose scores are no probabilities"),
    ):
        expect_probabilities(index)


def test_a_second_stage_leaves_no_probabilities(index):
    with pytest.raises(UserError, match="--rerank psq makes scores that are no probabilities"):
        expect_probabilities(index, "psq")


def test_the_sentence_that_matched_is_shown_with_its_attention(index, capsys):
    query = Query("q", "fire", "en")
    found = attention(index, query, DOCUMENTS[0])
    assert [(match.term, match.sentence) for match in found] == [("fire", "Moto mkali!")]
    (fields,) = attention_fields(found)
    assert fields["words"] == ("Moto", "mkali")
    print_attention(found)
    assert "fire: Moto 100% mkali" in capsys.readouterr().out


def test_a_system_without_attention_shows_none(tmp_path):
    with dragoman.index(DOCUMENTS, tmp_path / "psq", system="psq") as index:
        assert attention(index, Query("q", "fire", "en"), DOCUMENTS[0]) == []
