"""A request -> its id, which its answer and every line of the log about it repeat."""

import re
import secrets
from contextvars import ContextVar

from starlette.types import Scope

HEADER = b"x-request-id"
GIVEN = re.compile(rb"[A-Za-z0-9_.\-]{1,64}")  # ids of callers that are taken over

current: ContextVar[str] = ContextVar("request_id", default="")


def assign_request_id(scope: Scope) -> str:
    """The caller's id where it is a plain word, else a new one; stored in the scope."""
    given = next((value for name, value in scope["headers"] if name == HEADER), b"")
    identifier = given.decode() if GIVEN.fullmatch(given) else secrets.token_hex(8)
    scope.setdefault("state", {})["request_id"] = identifier
    current.set(identifier)
    return identifier


def request_id(scope: Scope) -> str:
    """The id of a request."""
    return str(scope.get("state", {}).get("request_id", ""))
