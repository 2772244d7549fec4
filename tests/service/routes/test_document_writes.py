import json

import pytest

from dragoman.service.config import ServiceConfig
from dragoman.service.schemas.writes import MOST_FIELDS
from service_tasks import leftovers, wait
from small_service import small_service

BODY = {"text": "Das Meer ist salzig.", "title": "Salz", "metadata": {"year": 2020}}


def put(client, doc_id, body=None, **options):
    return client.put(f"/v1/documents/{doc_id}", json=body or BODY, **options)


def test_a_document_is_found_as_soon_as_its_write_is_answered(client):
    answer = put(client, "sea/salt.txt")
    assert (answer.status_code, answer.json()) == (
        200,
        {"id": "sea/salt.txt", "acknowledged": True},
    )
    stored = client.get("/v1/documents/sea/salt.txt").json()
    assert (stored["text"], stored["language"]) == (BODY["text"], "de")
    assert stored["metadata"] == {"year": 2020}
    hits = client.get("/v1/search?query=salzig&language=de").json()["hits"]
    assert hits[0]["id"] == "sea/salt.txt"


def test_a_second_write_replaces_the_first(client):
    put(client, "twice")
    put(client, "twice", {"text": "Other.", "language": "en"})
    assert client.get("/v1/documents/twice").json()["text"] == "Other."


def test_a_deleted_document_is_gone(client):
    put(client, "short-lived")
    assert client.delete("/v1/documents/short-lived").status_code == 204
    again = client.delete("/v1/documents/short-lived")
    assert (again.status_code, again.json()["code"]) == (404, "unknown_document")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "\u202egnirts a\u202c \u2066",
        "NUL \x00 and bell \x07",
        '"}],"x":[{"',
        "😀 كتاب",
    ],
)
def test_whatever_a_text_holds_comes_back_as_it_was(client, text):
    assert put(client, "odd", {"text": text, "title": text, "language": "en"}).status_code == 200
    answer = client.get("/v1/documents/odd")
    assert answer.headers["Content-Type"].startswith("application/json")
    assert (answer.json()["text"], answer.json()["title"]) == (text, text)


BAD_BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b"\xff\xfe",
    b'{"text": "\xff"}',
    b'{"text": "\\ud800"}',
    b'{"text": 1}',
    b'{"title": "no text"}',
    b'{"text": "a", "other": 1}',
    b'{"text": "a", "language": "klingon-and-more"}',
    b'{"text": "a", "metadata": {"a": {"b": 1}}}',
    b'{"text": "a", "metadata": {"a": NaN}}',
    b'{"text": "a", "metadata": {"a": 1e999}}',
    b'{"text": "a", "metadata": {"a": ' + b"9" * 5000 + b"}}",
    b'{"text": "a", "metadata": {"_sections": "a"}}',
    b'{"text": "a", "metadata": {"": "a"}}',
    b'{"text": "a", "metadata": {"a": null}}',
    json.dumps({"text": "a", "metadata": {str(n): n for n in range(MOST_FIELDS + 1)}}).encode(),
    b"[" * 100_000,
    b'{"text":' * 50_000,
    b'{"text": "a", "metadata": {"a":' + b"[" * 10_000 + b"]" * 10_000 + b"}}",
]


@pytest.mark.parametrize("body", BAD_BODIES)
def test_a_wrong_body_is_a_problem_that_says_why(client, body):
    headers = {"Content-Type": "application/json"}
    answer = client.put("/v1/documents/bad", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_body")
    assert len(answer.json()["detail"]) > 5
    assert client.get("/v1/documents/bad").status_code == 404


@pytest.mark.parametrize("doc_id", ["a%00b", "a%0Ab", "%E2%80%AEx", "x" * 1001, "%1B[0m"])
def test_an_id_without_controls_is_needed(client, doc_id):
    for answer in (put(client, doc_id), client.delete(f"/v1/documents/{doc_id}")):
        assert answer.status_code in (404, 422)


@pytest.mark.parametrize("doc_id", ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%252e%252e"])
def test_an_id_is_no_path(client, doc_id, tmp_path):
    answer = put(client, doc_id)
    assert answer.status_code in (200, 404, 405)  # a client may resolve .. itself


def test_another_type_of_body_is_refused(client):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        headers = {"Content-Type": kind}
        answer = client.put("/v1/documents/a", content=b'{"text": "a"}', headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (415, "wrong_content_type")


def test_a_body_that_is_too_large_is_refused_before_it_is_read(tmp_path):
    with small_service(tmp_path, ServiceConfig(body_bytes=1000)) as client:
        answer = put(client, "a", {"text": "a" * 1000})
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")

        def pieces():
            yield b'{"text": "'
            for _ in range(100):
                yield b"a" * 100

        headers = {"Content-Type": "application/json"}
        answer = client.put("/v1/documents/a", content=pieces(), headers=headers)
        assert answer.status_code == 413


def test_a_batch_becomes_a_task(client):
    documents = [{"id": f"b{n}", "text": f"Batch {n}.", "language": "en"} for n in range(100)]
    answer = client.post("/v1/documents:batch", json={"documents": documents})
    task = wait(client, answer)
    assert (task["state"], task["done"], task["added"], task["total"]) == ("done", 100, 100, 100)
    assert client.get("/v1/documents/b99").json()["text"] == "Batch 99."
    assert client.get("/v1/tasks").json()["tasks"][0]["id"] == task["id"]


def test_a_batch_may_be_lines(client):
    lines = b'{"id": "l1", "text": "One."}\n\n{"id": "l2", "text": "Two."}'
    headers = {"Content-Type": "application/x-ndjson; charset=utf-8"}
    task = wait(client, client.post("/v1/documents:batch", content=lines, headers=headers))
    assert task["added"] == 2


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b'{"id": "l1", "text": "One."}\n{"id": 2}', "line 2: "),
        (b'{"id": "l1", "text": "One."}\n\xff', "line 2: "),
        (b"\n\n", "no documents"),
        (b"[" * 100_000, "line 1: "),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_added(client, content, detail):
    headers = {"Content-Type": "application/x-ndjson"}
    answer = client.post("/v1/documents:batch", content=content, headers=headers)
    assert answer.status_code == 422
    assert detail in answer.json()["detail"]
    assert leftovers(client) == []


@pytest.mark.parametrize(
    "body", [{"documents": []}, {}, [], {"documents": [{"id": "", "text": ""}]}]
)
def test_a_batch_without_documents_is_a_problem(client, body):
    assert client.post("/v1/documents:batch", json=body).status_code == 422
