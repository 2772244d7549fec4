"""A server of tools -> standard input and output, or HTTP with keys."""

import re
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from dragoman.service.mcp_server.server import create_server
from dragoman.service.mcp_server.source import open_source
from dragoman.service.problems import Problem, problem_response
from dragoman.service.request_ids import assign_request_id
from dragoman.service.security.authentication import check
from dragoman.service.security.callers import Security
from dragoman.service.security.keys import KEYS, KeyFile, KeyScope
from dragoman.service.security.origins import is_foreign, is_forwarded
from dragoman.service.security.rules import RouteRule
from dragoman.service.server import AnnouncingServer

PATH = "/mcp"
RULE = RouteRule(frozenset({"GET", "POST", "DELETE"}), re.compile(PATH), KeyScope.READ)
LARGEST_BODY = 1_000_000  # bytes


class KeyGate:
    """Refuses requests of foreign pages, forwarded ones without keys, and callers without a key."""

    def __init__(self, app: ASGIApp, security: Security, index: str) -> None:
        self.app, self.security, self.index = app, security, index

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer with a problem."""
        if scope["type"] == "http":
            identifier = assign_request_id(scope)
            try:
                self._check(scope)
            except Problem as problem:
                await problem_response(problem, identifier)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if is_forwarded(headers) and not self.security.keys_needed:
            detail = "A proxy has forwarded this request, and there are no keys."
            raise Problem(400, "forwarded_without_keys", detail)
        if is_foreign(headers):
            raise Problem(403, "foreign_origin", "A page of another origin caused this request.")
        check(self.security.caller_of(scope), RULE, self.index)


def http_app(server: MCPServer, security: Security, index: str) -> ASGIApp:
    """The application at ``/mcp``; every request stands for itself, so no session can be stolen."""
    names = security.allowed_hosts
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=LARGEST_BODY,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[*names, *(f"{name}:*" for name in names)],
            allowed_origins=[
                f"{scheme}://{name}{port}"
                for scheme in ("http", "https")
                for name in names
                for port in ("", ":*")
            ],
        ),
    )
    return KeyGate(app, security, index)


async def run_stdio(place: str, key: str, size: int) -> None:
    """Serve the tools to the process that has started this one, until it closes its end."""
    async with open_source(place, key) as index:
        await create_server(index, size).run_stdio_async()


async def run_http(
    place: str,
    key: str,
    size: int,
    *,
    state: Path,
    hosts: Sequence[str],
    listening: socket.socket,
    announce: Callable[[], None],
) -> None:
    """Serve the tools over HTTP until the process is told to stop."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)  # uvicorn repeats the signal when all is done
    async with open_source(place, key) as index:
        name = str((await index.stats())["name"])
        security = Security(KeyFile(state / KEYS), tuple(hosts))
        app = http_app(create_server(index, size), security, name)
        config = uvicorn.Config(
            app, access_log=False, log_level="warning", server_header=False, proxy_headers=False
        )
        await AnnouncingServer(config, announce).serve(sockets=[listening])
