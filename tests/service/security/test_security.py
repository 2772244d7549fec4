"""The service and the tools for assistants behind nginx with TLS, by the file in deploy/."""

import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from dragoman.service.security.keys import KEYS, KeyFile, KeyScope
from served import served
from service_tasks import upload, wait
from small_index import small_index

NAME = "search.example.org"
EXAMPLE = Path(__file__).parents[3] / "deploy" / "nginx.conf"
TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
pytestmark = pytest.mark.skipif(
    not (shutil.which("nginx") and shutil.which("openssl")),
    reason="needs nginx and openssl: apt install nginx-light openssl",
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def certificate(folder: Path) -> Path:
    """A certificate of NAME and of this machine, beside its key."""
    path = folder / "proxy.pem"
    made = f"-newkey rsa:2048 -nodes -days 1 -subj /CN={NAME}".split()
    names = ["-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1"]
    files = ["-keyout", str(folder / "proxy.key"), "-out", str(path)]
    command = ["openssl", "req", "-x509", *made, *names, *files]
    subprocess.run(command, check=True, capture_output=True)
    return path


def configuration(folder: Path, port: int, service: str, tools: str) -> Path:
    """The example with other ports and paths, as a file of its own."""
    text = EXAMPLE.read_text(encoding="utf-8")
    for old, new in {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "listen [::]:443 ssl;": "",
        f"/etc/ssl/{NAME}.pem": f"{folder}/proxy.pem",
        f"/etc/ssl/{NAME}.key": f"{folder}/proxy.key",
        "127.0.0.1:8080": service,
        "127.0.0.1:8081": tools,
    }.items():
        assert old in text, f"{old} is not in {EXAMPLE}"
        text = text.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    path = folder / "nginx.conf"
    path.write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{paths}{text}}}\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    file = KeyFile(tmp_path_factory.mktemp("state") / KEYS)
    return {scope: file.add(str(scope), scope) for scope in KeyScope}, file.path.parent


@pytest.fixture(scope="module")
def proxy(tmp_path_factory, keys):
    """A client of the proxy, which knows its certificate."""
    folder = tmp_path_factory.mktemp("proxy")
    index = small_index(folder / "letters")
    options = [index, "--allowed-host", NAME, "--state", keys[1]]
    mcp = [sys.executable, "-m", "dragoman", "mcp", *map(str, options), "--http", "--port", "0"]
    with ExitStack() as stack:
        _, where = stack.enter_context(served(*options))
        tools = stack.enter_context(subprocess.Popen(mcp, stdout=subprocess.PIPE, text=True))
        stack.callback(tools.kill)
        announced = re.search(r"127\.0\.0\.1:\d+", tools.stdout.readline())
        port, trusted = free_port(), ssl.create_default_context(cafile=certificate(folder))
        at = [where.removeprefix("http://").rstrip("/"), announced[0]]
        path = configuration(folder, port, *at)
        nginx = stack.enter_context(subprocess.Popen(["nginx", "-p", folder, "-c", path]))
        stack.callback(nginx.kill)
        client = httpx.Client(
            base_url=f"https://127.0.0.1:{port}",
            headers={"Host": f"{NAME}:{port}", "X-Dragoman": "1"},
            verify=trusted,
            timeout=60,
        )
        stack.enter_context(client)
        deadline = time.monotonic() + 60
        while nginx.poll() is None and time.monotonic() < deadline:
            try:
                client.get("/v1/health")
                break
            except httpx.ConnectError:
                time.sleep(0.05)
        yield client


def bearer(keys, scope: KeyScope) -> dict[str, str]:
    return {"Authorization": f"Bearer {keys[0][scope]}"}


def test_a_key_is_needed_and_enough(proxy, keys):
    assert proxy.get("/v1/search?query=moon").json()["code"] == "key_needed"
    found = proxy.get("/v1/search?query=moon", headers=bearer(keys, KeyScope.READ))
    assert [hit["id"] for hit in found.json()["hits"]] == ["tide"]
    assert found.headers["strict-transport-security"] == "max-age=31536000"


def test_a_session_of_the_page_is_sent_over_tls_alone(proxy, keys):
    origin = {"Origin": f"https://{proxy.headers['host']}", "Sec-Fetch-Site": "same-origin"}
    body = {"key": keys[0][KeyScope.READ]}
    begun = proxy.post("/v1/session", json=body, headers=origin)
    assert begun.status_code == 200, begun.text
    flags = begun.headers["set-cookie"]
    assert all(one in flags for one in ("Secure", "HttpOnly", "SameSite=strict")), flags
    name, value = re.match(r"([^=]+)=([^;]+)", flags).groups()
    found = proxy.get("/v1/search?query=moon", headers={"Cookie": f"{name}={value}"})
    assert found.status_code == 200
    other = {**origin, "Origin": "https://other.example.org"}
    assert proxy.post("/v1/session", json=body, headers=other).status_code == 403


def test_uploads_and_ids_with_any_letter_come_through(proxy, keys):
    writing = bearer(keys, KeyScope.WRITE)
    proxy.headers.update(writing)
    try:
        task = wait(proxy, upload(proxy, ("sub/märz.txt", b"A comet above the harbour. " * 40_000)))
        assert (task["state"], task["done"], task["errors"]) == ("done", 1, [])
        path = "/v1/documents/a%2Fb%20%C3%BC%3Asimilar"
        assert proxy.put(path, json={"text": "A lantern", "language": "en"}).status_code == 200
        assert proxy.get(path).json()["id"] == "a/b ü:similar"
    finally:
        del proxy.headers["Authorization"]


def test_assistants_reach_the_tools(proxy, keys):
    headers = {"Accept": "application/json, text/event-stream"}
    assert proxy.post("/mcp", json=TOOLS, headers=headers).status_code == 401
    headers |= bearer(keys, KeyScope.READ)
    tools = proxy.post("/mcp", json=TOOLS, headers=headers).json()["result"]["tools"]
    assert {"search", "get", "languages"} <= {one["name"] for one in tools}


def test_another_name_is_refused(proxy):
    assert proxy.get("/v1/health", headers={"Host": "other.example.org"}).status_code == 421
