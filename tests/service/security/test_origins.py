import pytest

from dragoman.service.security.keys import KeyFile, KeyScope
from small_service import small_service

FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:9999"},
    {"Origin": "file://"},
    {"Origin": "http://127.0.0.1:8080.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "cross-site"},
]
OWN = [
    {},
    {"Origin": "http://127.0.0.1:8080"},
    {"Origin": "https://127.0.0.1:8080"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_foreign_page_can_neither_write_nor_read(client, headers):
    for method, path in (("DELETE", "/v1/documents/tide"), ("GET", "/v1/search?query=tide")):
        answer = client.request(method, path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
    assert client.get("/v1/documents/tide").status_code == 200


@pytest.mark.parametrize("headers", OWN)
def test_the_page_itself_and_programs_may(client, headers):
    assert client.get("/v1/search?query=tide", headers=headers).status_code == 200
    body = {"key": "dgm_none"}
    assert client.post("/v1/session", json=body, headers=headers).status_code == 200


def test_a_link_on_another_site_leads_to_the_page(client):
    visit = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    assert client.get("/?q=tide", headers=visit).status_code == 200
    framed = {**visit, "Sec-Fetch-Dest": "iframe"}
    assert client.get("/", headers=framed).status_code == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_form_cannot_send_the_header_that_a_write_needs(client, method):
    headers = {**client.headers}
    headers.pop("x-dragoman")
    request = client.build_request(method, "/v1/documents/tide")
    del request.headers["x-dragoman"]
    answer = client.send(request)
    assert (answer.status_code, answer.json()["code"]) == (403, "header_missing")


@pytest.mark.parametrize(
    "name", ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Anything", "Forwarded"]
)
def test_a_forwarded_request_needs_a_service_with_keys(client, name, tmp_path):
    answer = client.get("/v1/health", headers={name: "198.51.100.7"})
    assert (answer.status_code, answer.json()["code"]) == (400, "forwarded_without_keys")
    with small_service(tmp_path) as other:
        KeyFile(tmp_path / "state" / "keys.json").add("a", KeyScope.READ)
        assert other.get("/v1/health", headers={name: "198.51.100.7"}).status_code == 200


def test_no_answer_allows_other_origins(client):
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "PUT"}
    answer = client.options("/v1/documents/tide", headers=headers)
    assert answer.status_code >= 400
    assert not [name for name in answer.headers if name.startswith("access-control")]
