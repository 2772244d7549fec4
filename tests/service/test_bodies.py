import asyncio
import json

import pytest

from dragoman.service.app import create_app
from dragoman.service.catalog import Catalog
from dragoman.service.config import ServiceConfig
from service_tasks import leftovers
from small_index import small_index
from small_service import small_service

START = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\ntext'


@pytest.fixture
def app(tmp_path):
    catalog = Catalog([small_index(tmp_path / "letters")])
    yield create_app(catalog, ServiceConfig(body_seconds=0.2), folder=tmp_path / "state")
    catalog.close()


def call(app, method, path, content_type, messages):
    """The status and the body of an answer to a request whose messages come as given."""
    headers = {"Host": "127.0.0.1", "X-Dragoman": "1", "Content-Type": content_type}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1234),
        "server": ("127.0.0.1", 8080),
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
    }
    waiting, sent = iter(messages), []

    async def receive():
        message = next(waiting, None)
        if message is None:
            await asyncio.sleep(60)  # a client that sends nothing more
        return message

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    body = b"".join(one.get("body", b"") for one in sent)
    return sent[0]["status"], json.loads(body)["code"]


@pytest.mark.parametrize(
    ("method", "path", "content_type", "begun"),
    [
        ("PUT", "/v1/documents/a", "application/json", b'{"text": "'),
        ("POST", "/v1/files", "multipart/form-data; boundary=x", START),
        ("POST", "/v1/documents:batch", "application/x-ndjson", b'{"id": "a", "te'),
        ("POST", "/v1/judgments", "application/json", b"{"),
        ("POST", "/v1/session", "application/json", b"{"),
    ],
)
def test_a_body_that_does_not_go_on_is_given_up(app, method, path, content_type, begun):
    message = {"type": "http.request", "body": begun, "more_body": True}
    assert call(app, method, path, content_type, [message]) == (408, "slow_body")
    state = app.state.service.writers.state
    assert not [one for spool in state.rglob("spool") for one in spool.iterdir()]
    app.state.service.writers.close()


def test_an_upload_that_the_client_gives_up_leaves_nothing(app):
    begun = {"type": "http.request", "body": START, "more_body": True}
    messages = [begun, {"type": "http.disconnect"}]
    status, code = call(app, "POST", "/v1/files", "multipart/form-data; boundary=x", messages)
    assert (status, code) == (400, "client_gone")
    state = app.state.service.writers.state
    assert not [one for spool in state.rglob("spool") for one in spool.iterdir()]
    app.state.service.writers.close()


def test_a_batch_that_is_one_value_has_a_limit_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.service.routes.document_writes.LARGEST_JSON", 1000)
    with small_service(tmp_path) as client:
        documents = [{"id": "a", "text": "a" * 2000}]
        answer = client.post("/v1/documents:batch", json={"documents": documents})
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
        assert leftovers(client) == []
