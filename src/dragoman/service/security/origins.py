"""Requests that no foreign web page caused.

Any page can make a browser send requests to loopback, without being able to read the answers: forms
and images need no permission. So a request that changes something needs a header that a page cannot
send elsewhere without asking first (``X-Dragoman``), and browsers' own statements about the origin
of a request must not name another one. Reads of the API by foreign pages are refused too: how long
a search takes tells what is in an index.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from dragoman.service.problems import Problem, problem_response
from dragoman.service.request_ids import request_id
from dragoman.service.security.callers import Security

CUSTOM_HEADER = "x-dragoman"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITE = frozenset({"same-origin", "none"})  # of Sec-Fetch-Site: this page, or typed by a person
FORWARDED = ("forwarded", "x-forwarded-", "x-real-ip")


class Origins:
    """Refuses what foreign pages cause, and forwarded requests to a service without keys."""

    def __init__(self, app: ASGIApp, security: Security) -> None:
        self.app, self.security = app, security

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer with a problem."""
        if scope["type"] == "http" and (problem := self._problem(scope)) is not None:
            await problem_response(problem, request_id(scope))(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _problem(self, scope: AsgiScope) -> Problem | None:
        headers = Headers(scope=scope)
        if is_forwarded(headers) and not self.security.keys_needed:
            return Problem(
                400,
                "forwarded_without_keys",
                "A proxy has forwarded this request, and the service has no keys: anyone who"
                " reaches the proxy could use it. Make a key: dragoman keys add NAME",
            )
        is_safe = scope["method"] in SAFE
        if is_foreign(headers) and not (is_safe and _is_visit(scope["path"], headers)):
            return Problem(403, "foreign_origin", "A page of another origin caused this request.")
        if not is_safe and CUSTOM_HEADER not in headers:
            return Problem(
                403,
                "header_missing",
                "A POST, PUT or DELETE needs the header X-Dragoman: 1.",
            )
        return None


def is_forwarded(headers: Headers) -> bool:
    """Whether a proxy has passed a request on."""
    return any(name.startswith(FORWARDED) for name in headers)


def is_foreign(headers: Headers) -> bool:
    """Whether a browser says that a page of another origin caused a request."""
    if any(site not in OWN_SITE for site in headers.getlist("sec-fetch-site")):
        return True
    host = headers.get("host", "").lower()
    return any(not _is_own(origin, host) for origin in headers.getlist("origin"))


def _is_own(origin: str, host: str) -> bool:
    """Whether an origin is the service itself; the scheme may change at a proxy."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    default = {"http": ":80", "https": ":443"}.get(parts.scheme)
    if default is None:
        return False
    return parts.netloc.lower().removesuffix(default) == host.removesuffix(default)


def _is_visit(path: str, headers: Headers) -> bool:
    """Whether someone follows a link to the page, or a page of ours loads its own files."""
    is_document = headers.get("sec-fetch-dest", "document") == "document"
    is_navigation = headers.get("sec-fetch-mode", "navigate") == "navigate"
    return is_document and is_navigation and "origin" not in headers and path == "/"
