"""JSON of a service as the values of an index."""

import json
from dataclasses import replace

import pytest

import dragoman
from dragoman.indexes.search.answer import GroupMember, MatchQuality, Relation
from dragoman.indexes.search.explanation_view import explanation_fields, view_explanation
from dragoman.service.clients.replies import result_of, view_of
from dragoman.service.routes.explain import explained_fields
from dragoman.service.schemas.documents import ExplainParameters
from small_index import small_index


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    with dragoman.open(small_index(tmp_path_factory.mktemp("replies") / "letters")) as opened:
        yield opened


@pytest.mark.parametrize(("query", "doc_id"), [("moon", "tide"), ("yeast", "tide"), ("x", "brot")])
def test_a_view_survives_the_journey(index, query, doc_id):
    wanted = ExplainParameters(query=query, id=doc_id)
    sent = view_of(json.loads(json.dumps(explained_fields(index, wanted))))
    view = view_explanation(index, query, doc_id)
    assert explanation_fields(sent) == explanation_fields(view)
    assert sent.explanation == view.explanation
    assert sent.reason == view.reason
    for mine, other in ((sent.title, view.title), (sent.passage, view.passage)):
        assert [one._replace(stems=()) for one in other.pieces] == [*mine.pieces]
        assert mine.gloss == other.gloss
    assert sent.document == replace(view.document, text="", metadata={})


def test_a_hit_keeps_its_page_and_heading():
    fields = {"id": "a", "score": 1, "parts": [], "links": [], "snippet": None, "language": "de"}
    more = {"title": "", "page": 3, "heading": "Salz", "metadata": {"year": 2}}
    hit = {**fields, **more, "members": [], "match": None}
    result = result_of(hit, "text")
    assert (result.section.page, result.section.heading) == (3, "Salz")
    assert result.document.text == "text"
    assert result_of({**hit, "page": None, "heading": None}, "").document.metadata == {"year": 2}


def test_a_hit_keeps_its_members_and_its_match():
    fields = {"id": "a", "score": 1, "parts": [], "links": [], "snippet": None, "language": "de"}
    member = {"id": "b", "score": 0.5, "language": "fr", "title": "T", "relation": "translation"}
    hit = {**fields, "title": "", "page": None, "heading": None, "metadata": {}}
    result = result_of({**hit, "members": [member], "match": "fair"}, "")
    assert result.members == (GroupMember("b", 0.5, "fr", "T", Relation.TRANSLATION),)
    assert result.match is MatchQuality.FAIR
