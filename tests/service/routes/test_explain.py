"""Explanations over HTTP."""

from dragoman.service.schemas.documents import ExplanationAnswer


def test_an_explanation_has_links_and_the_passage(client):
    wanted = {"query": "moon", "id": "tide", "language": "en"}
    answer = client.get("/v1/explain", params=wanted).json()
    ExplanationAnswer.model_validate(answer)
    assert [(one["query_word"], one["document_word"]) for one in answer["links"]] == [
        ("moon", "moon")
    ]
    assert [answer["passage"][start:end] for start, end in answer["marks"]] == ["moon"]
    assert answer["document"]["language_name"] == "English"


def test_an_unknown_document_is_not_found_and_no_path_is_told(client):
    answer = client.get("/v1/explain", params={"query": "moon", "id": "gone"})
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_document")
    assert "/" not in answer.json()["detail"]


def test_an_explanation_has_all_that_the_command_prints(client):
    wanted = {"query": "moon", "id": "tide"}
    answer = client.get("/v1/explain", params=wanted).json()
    assert "".join(piece["surface"] for piece in answer["pieces"]) == answer["passage"]
    assert "".join(piece["surface"] for piece in answer["title_pieces"]) == "Tides"
    assert answer["words_score"] > 0
    assert answer["reason"]
