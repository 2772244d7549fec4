"""Searches over HTTP."""

import dragoman
from dragoman.service.schemas.search import BatchAnswer, SearchAnswer


def test_a_search_answers_with_the_hits_of_the_index(client):
    answer = client.get("/v1/indexes/letters/search", params={"query": "yeast bread"}).json()
    SearchAnswer.model_validate(answer)
    assert [hit["id"] for hit in answer["hits"]] == ["bread"]
    (hit,) = answer["hits"]
    assert hit["rank"] == 1
    assert hit["language_name"] == "English"
    text = hit["snippet"]["text"]
    assert [text[start:end] for start, end in hit["snippet"]["marks"]] == ["Bread", "yeast"]


def test_with_one_index_the_short_form_answers_the_same(client):
    wanted = {"query": "moon", "k": 3}
    short = client.get("/v1/search", params=wanted).json()
    assert short == client.get("/v1/indexes/letters/search", params=wanted).json()


def test_conditions_and_languages_restrict_the_hits(client):
    wanted = {"query": "rises Hefe", "languages": "de", "where": ["year>=2005"], "language": "de"}
    answer = client.get("/v1/search", params=wanted).json()
    assert [hit["id"] for hit in answer["hits"]] == ["brot"]
    assert answer["language"]["detected"] is False


def test_an_unknown_parameter_is_refused(client):
    answer = client.get("/v1/search", params={"query": "moon", "limit": 3})
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_parameters"
    assert "limit" in answer.json()["detail"]


def test_an_unknown_language_is_a_problem_with_a_code(client):
    answer = client.get("/v1/search", params={"query": "moon", "languages": "xx"})
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_language")


def test_scores_are_those_of_the_index(client):
    answer = client.get("/v1/search", params={"query": "rises moon", "language": "en"}).json()
    with dragoman.open(client.app.state.service.catalog.only.folder) as index:
        expected = index.search("rises moon", language="en")
    assert [(hit["id"], hit["score"]) for hit in answer["hits"]] == [
        (result.hit.doc_id, result.hit.score) for result in expected.results
    ]


def test_several_searches_are_answered_in_their_order(client):
    searches = [{"query": "moon", "language": "en"}, {"query": "Hefe", "language": "de", "k": 1}]
    answer = client.post("/v1/search:batch", json={"searches": searches}).json()
    BatchAnswer.model_validate(answer)
    alone = [client.get("/v1/search", params=one).json() for one in searches]
    assert answer["answers"] == alone


def test_too_many_searches_at_once_are_refused(client):
    answer = client.post("/v1/search:batch", json={"searches": [{"query": "moon"}] * 33})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_parameters")


def test_links_texts_and_detection_are_given_on_request(client):
    wanted = {"query": "yeast bread", "links": True, "texts": True}
    answer = client.get("/v1/search", params=wanted).json()
    SearchAnswer.model_validate(answer)
    (hit,) = answer["hits"]
    assert {(link["query_word"], link["document_word"]) for link in hit["links"]} == {
        ("yeast", "yeast"),
        ("bread", "Bread"),
    }
    assert hit["text"] == "Bread rises because of yeast."
    assert 0 < answer["language"]["probability"] <= 1


def test_texts_beyond_the_room_of_an_answer_are_left_out(client, monkeypatch):
    monkeypatch.setattr("dragoman.service.search.answer_fields.LONGEST_PIECE", 30)
    wanted = {"query": "rises", "texts": True, "language": "en"}
    texts = [hit["text"] for hit in client.get("/v1/search", params=wanted).json()["hits"]]
    assert sorted(text is None for text in texts) == [False, True]


def test_a_snippet_in_the_language_of_the_query_has_no_gloss(client):
    wanted = {"query": "Hefe", "language": "de", "gloss": True}
    assert [hit["gloss"] for hit in client.get("/v1/search", params=wanted).json()["hits"]] == [
        None
    ]
