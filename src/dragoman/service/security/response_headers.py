"""Answers with the headers that keep a browser from doing more than it should with them."""

from collections.abc import Iterable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as AsgiScope

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
UNCACHED = ("/v1/", "/metrics")  # unless an answer says otherwise


class ResponseHeaders:
    """Adds the headers to every answer, also to refusals."""

    def __init__(self, app: ASGIApp, headers: Iterable[tuple[str, str]] = ()) -> None:
        self.app, self.headers = app, {**HEADERS, **dict(headers)}

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Pass a request on and add headers to its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers[name] = value
                if scope["path"].startswith(UNCACHED):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, with_headers)
