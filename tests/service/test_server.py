"""The process: it says where it listens, finishes what runs, and ends with 0."""

import asyncio
import json
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from dragoman.errors import UserError
from dragoman.service.server import address, listen
from served import served
from small_index import small_index


def connect_until_refused(host: str, port: int) -> None:
    while True:
        socket.create_connection((host, port)).close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "INT"])
def test_a_running_request_is_finished_and_the_process_ends_with_zero(tmp_path, number):
    with served(small_index(tmp_path / "letters")) as (process, where):
        host, port = where.removeprefix("http://").rstrip("/").split(":")
        body = json.dumps({"searches": [{"query": "moon"}]}).encode()
        with socket.create_connection((host, int(port))) as client:
            head = (
                f"POST /v1/search:batch HTTP/1.1\r\nHost: {host}:{port}\r\nX-Dragoman: 1\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            client.sendall(head.encode() + body[:5])
            httpx.get(f"{where}v1/health")  # the request above has begun
            process.send_signal(number)
            with pytest.raises(OSError, match=r"refused|reset"):
                connect_until_refused(host, int(port))
            client.sendall(body[5:])
            answer = client.makefile("rb").read()
        assert answer.startswith(b"HTTP/1.1 200")
        assert b'"answers"' in answer
        _, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in log


def test_the_log_is_lines_of_json_without_query_texts(tmp_path):
    with served(small_index(tmp_path / "letters")) as (process, where):
        found = httpx.get(f"{where}v1/search?query=secretword")
        identifier = found.headers["x-request-id"]
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
    lines = [json.loads(line) for line in log.splitlines()]
    (request,) = [line for line in lines if line["event"] == "request"]
    assert request["request_id"] == identifier
    assert (request["path"], request["status"]) == ("/v1/search", 200)
    assert "secretword" not in log


def test_query_texts_are_logged_where_the_operator_wants_them(tmp_path):
    with served(small_index(tmp_path / "letters"), "--log-queries") as (process, where):
        httpx.get(f"{where}v1/search?query=a%20secretword")
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
    assert '"query": "a secretword"' in log


def test_a_port_in_use_is_an_error_that_says_what_to_do():
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(UserError, match=f"port {port}.*--port"):
            listen("127.0.0.1", port)


def test_the_address_can_be_opened_in_a_browser():
    with listen("127.0.0.1", 0) as listening:
        assert address(listening) == f"http://127.0.0.1:{listening.getsockname()[1]}/"


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104
def test_a_service_for_all_addresses_names_one_that_can_be_opened(host):
    with listen(host, 0) as listening:
        assert address(listening).startswith(("http://127.0.0.1:", "http://[::1]:"))


def test_a_folder_that_is_no_index_is_an_error(tmp_path):
    command = [sys.executable, "-m", "dragoman", "serve", str(tmp_path), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "expected an index folder" in done.stderr


def test_answers_leave_at_once_without_waiting_for_acknowledgements():
    async def delay_of_a_connection() -> int:
        with listen("127.0.0.1", 0) as listening:
            accepted = asyncio.get_running_loop().create_future()
            server = await asyncio.start_server(
                lambda _, writer: accepted.set_result(writer), sock=listening
            )
            _, client = await asyncio.open_connection(*listening.getsockname())
            writer = await accepted
            found = writer.get_extra_info("socket")
            delay = found.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for one in (client, writer):
                one.close()
                await one.wait_closed()
            server.close()
        return delay

    assert asyncio.run(delay_of_a_connection()) == 1
