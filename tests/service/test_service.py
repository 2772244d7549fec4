"""Input that breaks services: every answer is a problem with a code, never a failure."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.types import Document

ODD_TEXTS = [
    "\x00",
    "a\x00b",
    "\x1b[31m",
    "\u202emoon\u202c",
    "\ufeff",
    "a" * 2000,
    "💥" * 500,
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "%00%ff",
    "{{7*7}}",
    "(" * 1000,
    "\\" * 100,
    "مرحبا",
    "\u0300" * 100,
    "\n\r\t",
    " ",
]
PATHS = ["/v1/search", "/v1/explain", "/v1/documents", "/v1/documents/tide"]


def assert_fine(answer):
    """Whether the service has answered, and says why where it refuses."""
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["code"]
        assert answer.json()["request_id"] == answer.headers["x-request-id"]


@pytest.mark.parametrize("text", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
@pytest.mark.parametrize("name", ["query", "language", "languages", "where", "facets", "cursor"])
def test_odd_texts_are_searched_or_refused(client, name, text):
    wanted = {"query": "moon", name: text}
    assert_fine(client.get("/v1/search", params=wanted))


@pytest.mark.parametrize("text", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
def test_odd_ids_are_not_found(client, text):
    assert_fine(client.get("/v1/explain", params={"query": "moon", "id": text}))
    assert_fine(client.get("/v1/documents", params={"sort": text}))
    assert_fine(client.get(f"/v1/documents/{text!r}"))


@pytest.mark.parametrize("k", ["0", "-1", "101", "9" * 5000, "1e9", "NaN", "", "ten", "1.5"])
def test_an_impossible_number_of_hits_is_refused(client, k):
    answer = client.get("/v1/search", params={"query": "moon", "k": k})
    assert answer.status_code == 422
    assert_fine(answer)


@pytest.mark.parametrize("path", PATHS)
def test_bytes_that_are_no_utf_8_are_answered(client, path):
    assert_fine(client.get(f"{path}?query=%ff%fe%80&id=%ff"))
    assert_fine(client.get("/v1/documents/%ff%fe"))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"searches":' * 50_000,
        b"\xff\xfe",
        b"\x00",
        b'{"searches": [{"query": "\\ud800"}]}',
        b'{"searches": [{"query": "moon", "k": 1e400}]}',
        b'{"searches": [{"query": "moon", "k": ' + b"9" * 5000 + b"}]}",
        b'{"searches": [{"query": null}]}',
        b'{"searches": {"query": "moon"}}',
        b'{"searches": []}',
        b"NaN",
    ],
    ids=range(13),
)
def test_bodies_that_are_no_batch_are_refused(client, body):
    headers = {"content-type": "application/json"}
    answer = client.post("/v1/search:batch", content=body, headers=headers)
    assert_fine(answer)
    if b"ud800" not in body:
        assert 400 <= answer.status_code < 500


@pytest.mark.parametrize(
    "path",
    [
        "/v1/indexes/..%2f..%2fetc/search?query=moon",
        "/v1/indexes/%00/stats",
        "/v1/documents/..%2f..%2f..%2fetc%2fpasswd",
        "/assets/..%2f..%2fapp.py",
        "/assets/%2e%2e/app.py",
        "/..%2fapp.py",
        "/v1//search",
        "/v1/search/",
    ],
)
def test_paths_do_not_escape(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert_fine(answer)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"])
def test_methods_that_a_path_lacks_are_refused(client, method):
    answer = client.request(method, "/v1/search", headers={"X-Dragoman": "1"})
    assert answer.status_code in (400, 403, 404, 405)
    assert_fine(answer)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.text(max_size=60),
    st.sampled_from(["query", "where", "languages", "facets", "cursor", "sort", "id"]),
    st.sampled_from(PATHS),
)
def test_any_text_in_any_parameter_is_answered(client, text, name, path):
    wanted = {"query": "moon", name: text.encode("utf-8", "replace").decode()}
    assert_fine(client.get(path, params=wanted))


def test_control_characters_of_a_request_id_are_not_repeated(client):
    answer = client.get("/v1/health", headers={"X-Request-Id": "a b\tc"})
    assert answer.headers["x-request-id"] != "a b\tc"
    given_id = client.get("/v1/health", headers={"X-Request-Id": "my-id.7"})
    assert given_id.headers["x-request-id"] == "my-id.7"


def test_texts_that_utf_8_lacks_are_answered(client):
    index = client.app.state.service.catalog.only
    odd = Document("odd", "Text \ud800 here", "\udfff", "en", {"b": ["\ud800"]})
    index.add([odd])
    answer = client.get("/v1/documents/odd")
    listed = client.get("/v1/documents")
    index.delete(["odd"])
    assert json.loads(answer.content)["text"] == "Text ? here"
    assert listed.status_code == 200
