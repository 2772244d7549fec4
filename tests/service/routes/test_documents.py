"""Documents over HTTP."""

import pytest

from dragoman.service.schemas.documents import DocumentAnswer, DocumentList, SimilarAnswer
from dragoman.types import Document


def test_documents_are_listed_by_id(client):
    answer = client.get("/v1/documents").json()
    DocumentList.model_validate(answer)
    assert [one["id"] for one in answer["documents"]] == ["bread", "brot", "salz", "tide"]
    assert (answer["total"], answer["next"]) == (4, None)


@pytest.mark.parametrize("sort", ["id", "-id", "year", "-year", "title"])
def test_pages_of_a_list_together_are_the_list(client, sort):
    whole = client.get("/v1/documents", params={"sort": sort}).json()["documents"]
    pages, cursor = [], ""
    while cursor is not None:
        wanted = {"sort": sort, "limit": 1, "cursor": cursor}
        answer = client.get("/v1/documents", params=wanted).json()
        pages += answer["documents"]
        cursor = answer["next"]
    assert pages == whole
    assert len(pages) == 4


@pytest.mark.parametrize(("sort", "expected"), [("id", ["brot", "salz"]), ("-id", ["brot"])])
def test_a_list_by_id_goes_on_when_the_last_document_is_deleted(client, sort, expected):
    index = client.app.state.service.catalog.only
    index.add([Document("brosame", "Krümel", "", "de")])
    wanted = {"sort": sort, "languages": "de"}
    limit = 1 if sort == "id" else 2
    first = client.get("/v1/documents", params={**wanted, "limit": limit}).json()
    index.delete([first["documents"][-1]["id"]] if sort == "id" else ["brosame"])
    rest = client.get("/v1/documents", params={**wanted, "cursor": first["next"]}).json()
    assert [one["id"] for one in rest["documents"]] == (expected if sort == "id" else [])


def test_a_list_is_filtered(client):
    wanted = {"languages": "de", "where": ["year>2000"]}
    answer = client.get("/v1/documents", params=wanted).json()
    assert [one["id"] for one in answer["documents"]] == ["brot"]


def test_a_cursor_of_another_list_is_refused(client):
    cursor = client.get("/v1/documents", params={"limit": 1}).json()["next"]
    answer = client.get("/v1/documents", params={"sort": "year", "cursor": cursor})
    assert (answer.status_code, answer.json()["code"]) == (400, "cursor_of_another_request")


def test_a_document_is_answered_whole(client):
    answer = client.get("/v1/indexes/letters/documents/tide").json()
    DocumentAnswer.model_validate(answer)
    assert answer["text"] == "The tide rises because of the moon."
    assert answer["metadata"] == {"year": 2001}
    assert answer["marks"] == []


def test_words_that_match_a_query_are_marked(client):
    wanted = {"query": "moon tide", "language": "en"}
    answer = client.get("/v1/documents/tide", params=wanted).json()
    assert [answer["text"][start:end] for start, end in answer["marks"]] == ["tide", "moon"]


def test_a_piece_of_a_document_is_answered_with_its_offsets(client):
    answer = client.get("/v1/documents/tide", params={"start": 4, "length": 4}).json()
    assert (answer["text"], answer["start"], answer["end"]) == ("tide", 4, 8)
    beyond = client.get("/v1/documents/tide", params={"start": 4000}).json()
    assert (beyond["text"], beyond["start"], beyond["end"]) == ("", 35, 35)


def test_ids_may_hold_slashes_colons_and_any_letter(client):
    doc_id = "a/b ü:c?.pdf#2"
    index = client.app.state.service.catalog.only
    index.add([Document(doc_id, "Text", "", "en")])
    answer = client.get("/v1/documents/a%2Fb%20%C3%BC%3Ac%3F.pdf%232")
    index.delete([doc_id])
    assert answer.json()["id"] == doc_id


def test_an_id_may_end_as_a_path_of_the_api_does(client):
    index = client.app.state.service.catalog.only
    index.add([Document("bread:similar", "A text on its own", "", "en")])
    read = client.get("/v1/documents/bread%3Asimilar", params={"length": 6})
    like = client.get("/v1/documents/bread%3asimilar:similar")
    plain = client.get("/v1/documents/bread:similar")
    index.delete(["bread:similar"])
    assert (read.json()["id"], read.json()["text"]) == ("bread:similar", "A text")
    assert [one.json()["id"] for one in (like, plain)] == ["bread:similar", "bread"]


def test_an_unknown_document_is_not_found(client):
    for path in ("gone", "gone:similar", "../../etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd"):
        answer = client.get(f"/v1/documents/{path}")
        assert answer.status_code == 404
    assert client.get("/v1/documents/gone").json()["code"] == "unknown_document"


def test_similar_documents_leave_the_document_itself_out(client):
    answer = client.get("/v1/documents/bread:similar", params={"k": 2}).json()
    SimilarAnswer.model_validate(answer)
    assert [hit["id"] for hit in answer["hits"]] == ["tide"]
