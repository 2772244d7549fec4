"""Calls to the nodes of a cluster: one after the other where one fails, with waits between.

A call is repeated on errors that another try can heal: no connection, a time-out, a node that is
busy or has no active replica. All calls are such that a repetition changes nothing.
"""

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import ceil, inf
from typing import TypeVar

import httpx
from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from dragoman.cluster.address import ClusterAddress
from dragoman.errors import DragomanError, IndexFault

KEY = "DRAGOMAN_QDRANT_KEY"
FIRST_WAIT, LONGEST_WAIT = 0.05, 2.0  # seconds
RETRYABLE = frozenset({408, 429, 500, 502, 503, 504})
CONNECT_SECONDS = 2.0

T = TypeVar("T")

_search_ends: ContextVar[float] = ContextVar("search_ends", default=inf)  # on the monotonic clock


class ClusterUnavailable(DragomanError):
    """No node of a cluster gave an answer in time."""


class ClusterRefusal(IndexFault):
    """A cluster that refuses a request."""


class Connection:
    """Clients of all nodes; the one that answered last is asked first."""

    def __init__(self, address: ClusterAddress) -> None:
        self.address, self.settings = address, address.settings
        key = os.environ.get(KEY, "").strip()
        limits = httpx.Limits(max_connections=32, max_keepalive_connections=16)
        self._clients = [
            QdrantClient(
                url=node,
                metadata={"api-key": key} if key else {},  # as a key, it brings a bare warning
                timeout=address.settings.write_seconds,
                check_compatibility=False,
                trust_env=False,
                limits=limits,
            )
            for node in address.nodes
        ]
        self._first = 0

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            client.close()

    @property
    def clients(self) -> list[QdrantClient]:
        """One client for each node, in the order of the address."""
        return self._clients

    @property
    def attempt_seconds(self) -> int:
        """How long one node is waited for before another one is asked."""
        left = min(_search_ends.get() - time.monotonic(), self.settings.read_seconds // 3)
        return max(1, ceil(left))

    @contextmanager
    def one_search(self) -> Iterator[None]:
        """All reads together take no longer than one alone may."""
        ends = time.monotonic() + self.settings.read_seconds
        token = _search_ends.set(min(ends, _search_ends.get()))
        try:
            yield
        finally:
            _search_ends.reset(token)

    def read(self, call: Callable[[QdrantClient], T]) -> T:
        """The answer of the first node that gives one, within the time of a search."""
        return self._call(call, float(self.settings.read_seconds))

    def write(self, call: Callable[[QdrantClient], T]) -> T:
        """The same, tried for longer: an unacknowledged write must be repeated."""
        return self._call(call, self.settings.retry_seconds)

    def once(self, call: Callable[[QdrantClient], T]) -> T:
        """The answer of the first node that gives one; each is asked once."""
        return self._call(call, 0.0)

    def _call(self, call: Callable[[QdrantClient], T], seconds: float) -> T:
        search_ends = _search_ends.get()
        deadline, attempt = min(time.monotonic() + seconds, search_ends), 0
        while True:
            chosen = (self._first + attempt) % len(self._clients)
            try:
                answer = call(self._clients[chosen])
            except (ResponseHandlingException, UnexpectedResponse, httpx.HTTPError) as error:
                self._refuse_lasting(error)
                attempt += 1
                rounds = attempt // len(self._clients)
                wait = min(FIRST_WAIT * 2**rounds, LONGEST_WAIT) * (0.5 + random.random() / 2)  # noqa: S311
                now = time.monotonic()
                if now > search_ends or (rounds and now + wait > deadline):
                    raise ClusterUnavailable(
                        f"{self.address}: no node answered within {seconds:g} seconds ({error});"
                        " expected a cluster with an active replica of every shard. Are the nodes"
                        " running? `dragoman verify` of the address shows which ones are."
                    ) from error
                if rounds:
                    time.sleep(wait)
            else:
                self._first = chosen
                return answer

    def _refuse_lasting(self, error: Exception) -> None:
        """Raise what another try cannot heal."""
        if isinstance(error, UnexpectedResponse) and error.status_code not in RETRYABLE:
            if error.status_code in (401, 403):
                raise ClusterRefusal(
                    f"{self.address}: the cluster refuses the key; expected a valid one in {KEY}."
                ) from error
            found = _reason(error.content)
            if error.status_code == 404 and found:
                raise MissingCollection(f"{self.address}: {found}") from error
            raise ClusterRefusal(
                f"{self.address}: found status {error.status_code}"
                f" ({found or 'not an answer of Qdrant'}); expected a Qdrant server of version 1.16"
                " or newer."
            ) from error


def _reason(content: bytes) -> str:
    """What Qdrant says in a refusal; empty where another server answers."""
    try:
        return str(json.loads(content)["status"]["error"])[:300]
    except (ValueError, LookupError, TypeError):
        return ""


class MissingCollection(ClusterRefusal):
    """A collection that does not exist, or no longer."""
