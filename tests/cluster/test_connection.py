"""Which errors are repeated, against a server that a test plays on loopback."""

import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from dragoman.cluster.address import parse_cluster_address
from dragoman.cluster.connection import (
    ClusterRefusal,
    ClusterUnavailable,
    Connection,
    MissingCollection,
)


@contextmanager
def answering(status: int, content: bytes = b'{"status": {"error": "so it is"}}'):
    """The address of a server with one answer, and the keys that it was asked with."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.headers.get("api-key", ""))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def connected(hosts: str):
    connection = Connection(parse_cluster_address(f"qdrant://{hosts}/news?read_seconds=1"))
    try:
        yield connection
    finally:
        connection.close()


def ask(hosts: str) -> None:
    with connected(hosts) as connection:
        connection.read(lambda client: client.get_aliases())


@pytest.mark.parametrize(
    ("status", "kind", "message"),
    [
        (401, ClusterRefusal, "expected a valid one in DRAGOMAN_QDRANT_KEY"),
        (404, MissingCollection, "so it is"),
        (400, ClusterRefusal, "found status 400"),
    ],
)
def test_an_error_that_lasts_is_not_repeated(status, kind, message):
    with answering(status) as (host, asked):
        with pytest.raises(kind, match=message):
            ask(host)
        assert len(asked) == 1


@pytest.mark.parametrize(("key", "sent"), [(" secret\n", "secret"), ("", "")])
def test_the_key_of_the_environment_is_sent(key, sent, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_QDRANT_KEY", key)
    with answering(401) as (host, asked):
        with pytest.raises(ClusterRefusal, match="the cluster refuses the key"):
            ask(host)
        assert asked == [sent]


@pytest.mark.parametrize("content", [b"<html>Not found</html>", b'{"detail": "Not found"}', b"[]"])
def test_another_server_is_named_as_such(content):
    with (
        answering(404, content) as (host, _),
        pytest.raises(ClusterRefusal, match=r"found status 404 \(not an answer of Qdrant\)"),
    ):
        ask(host)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_an_error_that_may_heal_is_repeated_until_the_time_is_over(status):
    with answering(status) as (host, asked):
        with pytest.raises(ClusterUnavailable, match="no node answered within 1 seconds"):
            ask(host)
        assert len(asked) > 2


def test_the_next_node_is_asked_at_once():
    with answering(404) as (host, asked):
        with pytest.raises(MissingCollection, match="so it is"):
            ask(f"127.0.0.1:1,{host}")
        assert len(asked) == 1


def test_all_reads_of_a_search_share_its_time():
    with answering(503) as (host, asked), connected(host) as connection:
        with connection.one_search():
            time.sleep(1.01)
            with pytest.raises(ClusterUnavailable):
                connection.read(lambda client: client.get_aliases())
            assert len(asked) == 1
        with pytest.raises(ClusterUnavailable):
            connection.read(lambda client: client.get_aliases())
        assert len(asked) > 3
