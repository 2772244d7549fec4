"""Who a request is from, and what the service's keys and sessions say about it."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope as AsgiScope

from dragoman.errors import DragomanError
from dragoman.service.problems import Problem
from dragoman.service.security.hosts import is_loopback
from dragoman.service.security.keys import KeyFile, KeyScope, StoredKey
from dragoman.service.security.sessions import COOKIE, Failures, Sessions

log = logging.getLogger("dragoman.service")

BEARER = "bearer "


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a request is from; ``name`` is that of the key, empty where none is needed."""

    name: str
    scope: KeyScope
    indexes: tuple[str, ...] = ()  # that may be used; none: all

    def opens(self, index: str) -> bool:
        """Whether the caller may use an index."""
        return not self.indexes or index in self.indexes


EVERYONE = Caller("", KeyScope.ADMIN)


@dataclass(slots=True)
class Security:
    """The keys of a service, its sessions, and the names by which it may be called."""

    keys: KeyFile
    allowed_hosts: tuple[str, ...] = ()
    sessions: Sessions = field(init=False)
    failures: Failures = field(default_factory=Failures)
    _had_keys: bool = field(init=False)

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.keys)
        self._had_keys = self.keys.exists()

    @property
    def keys_needed(self) -> bool:
        """Whether every request needs a key: from the first one on, even if the file is lost."""
        self._had_keys = self._had_keys or self.keys.exists()
        return self._had_keys

    def caller_of(self, scope: AsgiScope) -> Caller | None:
        """Who a request is from; None without a key or session. A wrong key is a problem."""
        if not self.keys_needed:
            return EVERYONE
        headers = Headers(scope=scope)
        if authorization := headers.get("authorization"):
            key = authorization[len(BEARER) :].strip()
            is_bearer = authorization[: len(BEARER)].lower() == BEARER
            return caller_of_key(self.key_or_problem(key if is_bearer else "", scope))
        session = session_of(headers.get("cookie", ""))
        with readable_keys():
            stored = self.sessions.find(session) if session else None
        return caller_of_key(stored) if stored else None

    def key_or_problem(self, key: str, scope: AsgiScope) -> StoredKey:
        """The stored key; a wrong one is a problem, and many of them have to wait."""
        with readable_keys():
            stored = self.keys.find(key)
        if stored is not None:
            return stored
        if wait := self.failures.count(address_of(scope)):
            raise Problem(
                429,
                "too_many_wrong_keys",
                f"Too many wrong keys came from this address; try again in {wait:.0f} seconds.",
                {"Retry-After": str(int(wait) + 1)},
            )
        raise Problem(
            401,
            "key_unknown",
            "This key is not known to the service, or was revoked. Keys begin with dgm_ and are"
            " sent as Authorization: Bearer KEY; `dragoman keys add NAME` makes one.",
            {"WWW-Authenticate": "Bearer"},
        )


@contextmanager
def readable_keys() -> Iterator[None]:
    """Answer with a problem where the file of keys cannot be read: nothing is opened by that."""
    try:
        yield
    except (DragomanError, OSError) as error:
        log.error("the keys cannot be read: %s", error)
        detail = "The service cannot read its keys; its log says why."
        raise Problem(503, "keys_unreadable", detail) from error


def address_of(scope: AsgiScope) -> str:
    """The address of a client; behind a proxy on this machine, the one that the proxy names."""
    client = scope.get("client")
    address = str(client[0]) if client else ""
    forwarded = Headers(scope=scope).getlist("x-forwarded-for")
    if forwarded and is_loopback(address):
        return forwarded[-1].rpartition(",")[2].strip()[:50]
    return address


def session_of(cookies: str) -> str:
    """The id of the session in a header of cookies; empty without one."""
    try:
        morsel = SimpleCookie(cookies).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def caller_of_key(key: StoredKey) -> Caller:
    """The caller that a key makes."""
    return Caller(key.name, key.scope, key.indexes)


def caller(scope: AsgiScope) -> Caller:
    """The caller of a route that has a scope; the authentication has put it there."""
    state: dict[str, Any] = scope["state"]
    known = state["caller"]
    assert isinstance(known, Caller)
    return known


DefaultIndex = Callable[[], str]  # the only index of a service, "" where it has several
