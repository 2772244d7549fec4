"""The sentence that matches a term, and the attention over its words."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import dragoman
from dragoman.cli.render.attention import print_attention
from dragoman.indexes.search.explanation_view import attention_matches
from dragoman.types import Query
from toy_searcher import TOY_DOCUMENTS, toy_index


@pytest.fixture
def index(tmp_path):
    with toy_index(tmp_path) as built:
        yield built


def test_the_sentence_that_matched_is_shown_with_its_attention_matches(index, capsys):
    query = Query("q", "fire", "en")
    matches = attention_matches(index, query, TOY_DOCUMENTS[0])
    assert [(match.term, match.sentence) for match in matches] == [("fire", "Moto mkali!")]
    assert matches[0].words == ("Moto", "mkali")
    print_attention(matches)
    assert "fire: Moto 100% mkali" in capsys.readouterr().out


def test_a_system_without_attention_shows_none(tmp_path):
    with dragoman.index(TOY_DOCUMENTS, tmp_path / "psq", system="psq") as index:
        assert attention_matches(index, Query("q", "fire", "en"), TOY_DOCUMENTS[0]) == ()
