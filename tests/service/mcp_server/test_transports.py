"""Tools over HTTP: who may call them, and from where."""

import pytest
from mcp.server.mcpserver import MCPServer
from starlette.testclient import TestClient

from dragoman.service.mcp_server.transports import http_app
from dragoman.service.security.callers import Security
from dragoman.service.security.hosts import LOOPBACK
from dragoman.service.security.keys import KEYS, KeyFile, KeyScope

PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPT = {"Accept": "application/json, text/event-stream"}
BASE = "http://127.0.0.1:8081"


@pytest.fixture
def keys(tmp_path):
    return KeyFile(tmp_path / KEYS)


def post(keys, **headers):
    server = MCPServer("test", log_level="WARNING")
    app = http_app(server, Security(keys, LOOPBACK), "letters")
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with TestClient(app, base_url=BASE) as client:
        return client.post("/mcp", json=PING, headers={**ACCEPT, **named})


def test_without_keys_this_machine_may_call(keys):
    assert post(keys).json()["result"]["tools"] == []
    assert post(keys, origin=BASE).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:8081"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"x_forwarded_for": "10.0.0.1"}, 400),
    ],
)
def test_foreign_pages_other_names_and_proxies_are_refused(keys, headers, status):
    assert post(keys, **headers).status_code == status


def test_keys_have_scopes_and_indexes_and_are_revoked_at_once(keys):
    reader = keys.add("reader", KeyScope.READ)
    other = keys.add("other", KeyScope.ADMIN, ["books"])
    assert post(keys).status_code == 401
    assert post(keys, authorization="Bearer dgm_wrong").status_code == 401
    assert post(keys, authorization=f"Bearer {other}").json()["code"] == "index_closed"
    assert post(keys, authorization=f"Bearer {reader}").status_code == 200
    assert post(keys, authorization=f"Bearer {reader}", x_forwarded_for="::1").status_code == 200
    keys.revoke("reader")
    assert post(keys, authorization=f"Bearer {reader}").status_code == 401


def test_a_large_body_is_refused(keys):
    server = MCPServer("test", log_level="WARNING")
    app = http_app(server, Security(keys, LOOPBACK), "letters")
    with TestClient(app, base_url=BASE) as client:
        reply = client.post("/mcp", content=b" " * 1_000_001, headers=ACCEPT)
    assert reply.status_code == 413


def test_keys_that_cannot_be_read_open_nothing(keys):
    keys.path.write_text("nonsense", encoding="utf-8")
    reply = post(keys, authorization="Bearer dgm_x")
    assert (reply.status_code, reply.json()["code"]) == (503, "keys_unreadable")
