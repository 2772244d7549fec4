"""Limits at the door: rate, a full queue and large or slow bodies are refused before parsing."""

import asyncio
import time
from collections import OrderedDict

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dragoman.service.admission import Workers
from dragoman.service.config import ServiceConfig
from dragoman.service.problems import Problem, problem_response
from dragoman.service.request_ids import request_id

FREE = frozenset({"/v1/health", "/v1/ready", "/metrics"})  # answered however busy the service is
UPLOADS = ("/files", "/documents:batch")  # ends of paths that take larger bodies
CLIENTS = 10_000  # whose rates are remembered
BURST = 2.0  # seconds of its rate that a client may use at once
SLOWEST = 10_000  # bytes a second that a client has to send after the first seconds


class Rates:
    """How many requests each client may still send: a bucket of tokens per client."""

    def __init__(self, rate: float) -> None:
        self._rate, self._most = rate, max(1.0, rate * BURST)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, time

    def wait(self, client: str, now: float) -> float:
        """0 and one token less, or the seconds until the client has a token again."""
        if not self._rate:
            return 0.0
        tokens, last = self._buckets.get(client, (self._most, now))
        tokens = min(self._most, tokens + (now - last) * self._rate)
        waiting = 0.0 if tokens >= 1 else (1 - tokens) / self._rate
        self._buckets[client] = (tokens if waiting else tokens - 1), now
        self._buckets.move_to_end(client)
        if len(self._buckets) > CLIENTS:
            self._buckets.popitem(last=False)
        return waiting


class Limits:
    """Refuses requests that the service has no room for, before anything of them is parsed."""

    def __init__(self, app: ASGIApp, config: ServiceConfig, workers: Workers) -> None:
        self._app, self._config, self._workers = app, config, workers
        self._rates = Rates(config.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        path = scope.get("path", "")
        if scope["type"] != "http" or not path.startswith("/v1/") or path in FREE:
            await self._app(scope, receive, send)
            return
        try:
            self._refuse_rate(scope)
            self._workers.refuse_when_full()
            most = self._most_bytes(path)
            refuse_length(scope, most)
        except Problem as problem:
            await problem_response(problem, request_id(scope))(scope, receive, send)
            return
        body = BoundedBody(receive, most, self._config.body_seconds)
        await self._app(scope, body.receive, send)

    def _most_bytes(self, path: str) -> int:
        is_upload = path.endswith(UPLOADS)
        return self._config.upload_bytes if is_upload else self._config.body_bytes

    def _refuse_rate(self, scope: Scope) -> None:
        client = scope.get("state", {}).get("client") or (scope.get("client") or ("",))[0]
        if wait := self._rates.wait(client, time.monotonic()):
            detail = f"At most {self._config.rate:g} requests a second are answered to one client."
            raise Problem(429, "too_many_requests", detail, {"Retry-After": str(int(wait) + 1)})


class BoundedBody:
    """The body of a request, refused where it is too large or comes too slowly."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive, self._most = receive, most
        self._seconds, self._deadline = seconds, time.monotonic() + seconds
        self._size, self._is_complete = 0, False

    async def receive(self) -> Message:
        """The next message."""
        if self._is_complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._loop_deadline()):
                message = await self._receive()
        except TimeoutError as error:
            detail = f"The body took more than {self._seconds:g} s and came too slowly."
            raise Problem(408, "slow_body", detail, {"Connection": "close"}) from error
        self._size += len(message.get("body", b""))
        if self._size > self._most:
            raise too_large(self._most)
        self._is_complete = not message.get("more_body", False)
        return message

    def _loop_deadline(self) -> float:
        left = self._deadline + self._size / SLOWEST - time.monotonic()
        return asyncio.get_running_loop().time() + max(left, 0.0)


def refuse_length(scope: Scope, most: int) -> None:
    """Refuse a body whose declared length is too large."""
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    if declared.isdigit() and int(declared) > most:
        raise too_large(most)


def too_large(most: int) -> Problem:
    """The problem with a body that is too large."""
    detail = f"The body has more than {most:,} bytes."
    return Problem(413, "body_too_large", detail, {"Connection": "close"})
