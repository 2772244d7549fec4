"""Requests and events -> lines of JSON; query texts are left out unless the operator wants them."""

import json
import logging
import time
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dragoman.service.metrics import Metrics
from dragoman.service.problems import GONE
from dragoman.service.request_ids import HEADER, assign_request_id, current

logger = logging.getLogger("dragoman.service")


class JsonLines(logging.Formatter):
    """One line of JSON per record: time, level, event, and what the record adds."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        fields: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + "Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        if identifier := current.get():
            fields["request_id"] = identifier
        fields |= getattr(record, "fields", {})
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


class RequestLog:
    """Gives every request an id, repeats it in the answer, and logs how the request ended."""

    def __init__(self, app: ASGIApp, metrics: Metrics, *, log_queries: bool = False) -> None:
        self._app, self._metrics, self._log_queries = app, metrics, log_queries

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identifier, started, status, size = assign_request_id(scope), time.perf_counter(), GONE, 0

        async def send_with_id(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (HEADER, identifier.encode())]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(scope.get("endpoint"), "__name__", "other")
            self._metrics.observe(route, scope["method"], status, seconds)
            if logger.isEnabledFor(logging.INFO):
                fields = self._fields(scope, status, size, seconds)
                logger.info("request", extra={"fields": fields})

    def _fields(self, scope: Scope, status: int, size: int, seconds: float) -> dict[str, object]:
        fields: dict[str, object] = {
            "method": scope["method"],
            "path": scope["path"],
            "status": status,
            "bytes": size,
            "milliseconds": round(seconds * 1000, 1),
        }
        if self._log_queries and (query := parse_qs(scope["query_string"].decode("latin-1"))):
            fields["query"] = query.get("query", [""])[0]
        return fields
