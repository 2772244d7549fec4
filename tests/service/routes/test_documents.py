"""Documents over HTTP."""

from dragoman.service.schemas.indexes import DocumentAnswer, DocumentList


def test_documents_are_listed_by_id(client):
    answer = client.get("/v1/documents").json()
    DocumentList.model_validate(answer)
    assert [one["id"] for one in answer["documents"]] == ["bread", "brot", "salz", "tide"]
    assert answer["total"] == 4


def test_a_document_is_answered_whole(client):
    answer = client.get("/v1/indexes/letters/documents/tide").json()
    DocumentAnswer.model_validate(answer)
    assert answer["text"] == "The tide rises because of the moon."
    assert answer["metadata"] == {"year": 2001}


def test_a_piece_of_a_document_is_answered_with_its_offsets(client):
    answer = client.get("/v1/documents/tide", params={"start": 4, "length": 4}).json()
    assert (answer["text"], answer["start"], answer["end"]) == ("tide", 4, 8)


def test_an_unknown_document_is_not_found(client):
    answer = client.get("/v1/documents/gone")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_document")
